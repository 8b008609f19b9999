// What a move shows: a card that moves from where it was to where it goes.

import { counted } from "./panels.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./panels.js").Panels} Panels
 * @typedef {{ picture: Element, from: DOMRect, to: number, thing: number }} MovingCard
 */

const DURATION = 260;
const MOST = 4;

/** Whether the reader wants things to move. */
export function mayMove() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Move cards as the step does that `draw` draws: from where they were to where they are then.
 * @param {Game} game the state is that behind the step
 * @param {Panels} panels they still show the state before it
 * @param {() => void} draw
 */
export function moved(game, panels, draw) {
  const moving = movingCards(game, panels);
  draw();
  if (moving.length) {
    requestAnimationFrame(() => {
      for (const card of moving) {
        move(panels, card);
      }
    });
  }
}

/**
 * The cards that leave a place which is shown, with a picture of each and where it was.
 * @param {Game} game
 * @param {Panels} panels
 */
function movingCards(game, panels) {
  const changes = game.changes().map(({ address, before }) => {
    const [had, has] = [counted(before), counted(game.value(address))];
    return { address, had, has };
  });
  /** @type {MovingCard[]} */
  const moving = [];
  for (const { address, had, has } of changes) {
    for (const [thing, count] of had) {
      const goal = changes.find(
        (other) => other.address !== address && (other.has.get(thing) ?? 0) > (other.had.get(thing) ?? 0),
      );
      if (!goal || count <= (has.get(thing) ?? 0)) {
        continue;
      }
      const card = panels.elements(address).map((one) => one.querySelector(`[data-card="${thing}"]`)).find(Boolean);
      const from = card?.getBoundingClientRect();
      if (card && from?.width) {
        moving.push({ picture: copyOf(card), from, to: goal.address, thing });
      }
    }
  }
  return moving.slice(0, MOST);
}

/**
 * A picture of a card that does nothing.
 * @param {Element} card
 */
function copyOf(card) {
  const copy = document.createElement("span");
  copy.style.cssText = /** @type {HTMLElement} */ (card).style.cssText;
  copy.className = `${card.className} flying`;
  copy.setAttribute("aria-hidden", "true");
  copy.append(...[...card.childNodes].map((node) => node.cloneNode(true)));
  return copy;
}

/**
 * @param {Panels} panels
 * @param {MovingCard} card
 */
function move(panels, { picture: copy, from, to, thing }) {
  const goals = panels.elements(to);
  const cards = goals.map((goal) => goal.querySelector(`[data-card="${thing}"].fresh`)).filter((card) => card !== null);
  const goal = [...cards, ...goals].find((element) => element.getBoundingClientRect().width);
  if (!goal || !(copy instanceof HTMLElement)) {
    return;
  }
  const end = goal.getBoundingClientRect();
  for (const [name, value] of Object.entries({ left: from.left, top: from.top, width: from.width, height: from.height })) {
    copy.style.setProperty(name, `${value}px`);
  }
  document.body.append(copy);
  const [dx, dy] = [
    end.left + end.width / 2 - from.left - from.width / 2,
    end.top + end.height / 2 - from.top - from.height / 2,
  ];
  const scale = cards.length ? end.width / from.width : 0.35;
  copy
    .animate(
      [{ transform: "none" }, { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, opacity: cards.length ? 1 : 0.4 }],
      { duration: DURATION, easing: "ease-in-out" },
    )
    .finished.finally(() => copy.remove());
}
