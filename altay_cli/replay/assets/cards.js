// Cards: a face with name, cost and effects, a back for those that are unknown.

import { make, say, unseen } from "./dom.js";
import { WAYS, chip, entries, isEmpty, picture, plain, size, small, tokens, unknown } from "./things.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Content} Content
 * @typedef {import("./game.js").Heap} Heap
 * @typedef {import("./game.js").Part} Part
 * @typedef {import("./game.js").Value} Value
 */

const MOST_LINES = 4;

/**
 * Whether something is worth a line of a card.
 * @param {Content | null | undefined} content
 * @returns {content is Content}
 */
function isSomething(content) {
  return !(content === null || content === undefined || content === 0 || content === "") &&
    !(Array.isArray(content) && !content[0].length);
}

/**
 * An effect: icon, what it uses, what it gives, how much; only words where nothing can be drawn.
 * @param {Game} game
 * @param {Part} part
 */
function effect(game, [icon, text, gives, amount, uses]) {
  const path = game.icon(icon);
  const drawn = [
    ...(path ? [picture(path)] : []),
    ...(isSomething(uses) ? [...tokens(game, uses), "→"] : []),
    ...(isSomething(gives) ? tokens(game, gives) : []),
    ...(amount ? [make("b", {}, String(amount))] : []),
  ];
  return drawn.length
    ? make("span", { class: "part", title: text }, unseen(text), make("span", { "aria-hidden": "true" }, ...drawn))
    : make("span", { class: "part words" }, text);
}

/**
 * What a card without a face of its own tells: its lines, tokens where there are any.
 * @param {Game} game
 * @param {[string, Content][]} lines
 */
function lineParts(game, lines) {
  return lines
    .filter(([, value]) => isSomething(value))
    .slice(0, MOST_LINES)
    .map(([title, value]) =>
      Array.isArray(value)
        ? make("span", { class: "part", title }, unseen(`${title}: `), ...tokens(game, value))
        : make("span", { class: "part words" }, `${title} ${value}`),
    );
}

/**
 * Make a card; a click tells about it. A low one shows only its name and cost until it is looked at.
 * @param {Game} game
 * @param {number} number
 * @param {{ count?: number, low?: boolean, gone?: boolean }} [options]
 */
export function card(game, number, { count = 1, low = false, gone = false } = {}) {
  const thing = game.thing(number);
  const face = thing.parts ? thing : null;
  const look = gone
    ? make("span", { class: "card gone", "aria-hidden": "true", "data-card": number })
    : make("button", { type: "button", class: low ? "card low" : "card", "data-thing": number, "data-card": number });
  if (thing.colour) {
    look.style.setProperty("--own", thing.colour);
    look.style.setProperty("--own-ink", thing.ink);
    look.classList.add("coloured");
  }
  const corner = face ? face.corner : thing.sign;
  const head = make("span", { class: "card-name" }, make("span", {}, thing.name));
  if (count > 1) {
    head.append(make("span", { class: "times" }, ` ×${count}`));
  }
  if (isSomething(corner)) {
    head.append(make("span", { class: "corner" }, " ", ...(Array.isArray(corner) ? tokens(game, corner) : [String(corner)])));
  }
  look.append(head);
  const parts = face ? (face.parts ?? []).map((part) => effect(game, part)) : lineParts(game, thing.lines);
  look.append(make("span", { class: "card-body" }, ...parts));
  look.classList.toggle("bare", !parts.length);
  if (isSomething(face?.cost)) {
    look.append(make("span", { class: "card-cost" }, ...tokens(game, face.cost, 9)));
  }
  return look;
}

/**
 * A card that nobody has turned over, with how many there are.
 * @param {Heap} heap
 */
function back(heap) {
  return make("span", { class: "card back" }, make("span", {}, unknown(heap)));
}

/**
 * Things that lie in an order: the first as a card, the others below it.
 * @param {Game} game
 * @param {Heap} heap
 * @param {string | null} splay
 */
function pile(game, heap, splay) {
  const [top, ...others] = entries(heap);
  const way = splay === null ? undefined : WAYS[splay];
  const laid = make("span", { class: `pile ${way ? "splayed" : "covered"}` });
  if (top) {
    laid.append(card(game, top[0]));
  }
  if (way && splay) {
    laid.append(make("span", { class: "way", title: say(splay) }, unseen(`${say(splay)}: `), make("span", { "aria-hidden": "true" }, way)));
  }
  laid.append(...others.map(([number]) => chip(game, number)));
  if (unknown(heap)) {
    laid.append(make("span", { class: "unknown" }, unknown(heap)));
  }
  return laid;
}

/**
 * Make what a field shows as cards: groups in columns, each with its heading.
 * @param {Game} game
 * @param {Value | undefined} value
 * @param {boolean} low whether the cards show only name and cost
 */
export function laidOut(game, value, low) {
  if (isEmpty(value)) {
    return [];
  }
  return (value?.groups ?? []).map(([of, items, splay], index) => {
    const kind = of === null ? "heap" : "pile-of";
    const group = make("span", { class: `cards ${kind} k${index % 4}` });
    const heads = of === null ? [] : Array.isArray(of) ? entries(of) : [];
    if (of !== null && !Array.isArray(items) && heads.length === 1) {
      // As many of one thing as the number says.
      group.append(card(game, heads[0][0], { count: Number(items), low }));
      return group;
    }
    if (of !== null) {
      group.append(make("span", { class: "of" }, ...plain(game, of)));
    }
    if (!Array.isArray(items)) {
      group.append(...tokens(game, items));
    } else if (items[2]) {
      group.append(pile(game, items, splay));
    } else {
      for (const [number, count] of entries(items)) {
        // Cards in a hand lie beside each other; a heap of them has its number.
        const times = low || count > 4 ? 1 : count;
        for (let copy = 0; copy < times; copy += 1) {
          group.append(card(game, number, { count: count / times, low }));
        }
      }
      if (unknown(items)) {
        group.append(back(items));
      }
    }
    return group;
  });
}

/**
 * What a player has in the line of the scoreboard: tokens, numbers, names, or how many cards.
 * @param {Game} game
 * @param {Value} value
 * @param {boolean} counted whether only the number of things matters
 * @returns {Node[]}
 */
export function inLine(game, value, counted) {
  const groups = value.groups ?? [];
  const heaps = groups.map(([, items]) => items).filter((items) => Array.isArray(items));
  if (counted && heaps.length === groups.length) {
    const count = heaps.reduce((sum, heap) => sum + size(heap), 0);
    return [make("b", {}, heaps.some((heap) => heap[3] !== undefined) ? `${count}+` : String(count))];
  }
  return groups.flatMap(([of, items]) => {
    const head = of === null ? [] : heading(game, of);
    const rest = items === true && head.length ? [] : tokens(game, items, 4);
    return head.length ? [make("span", { class: "both" }, ...head, ...rest)] : rest;
  });
}

/**
 * @param {Game} game
 * @param {Content} of
 * @returns {Node[]}
 */
function heading(game, of) {
  if (!Array.isArray(of)) {
    return [make("span", {}, `${of} `)];
  }
  return entries(of).map(([number]) => {
    const drawn = small(game, game.thing(number));
    return drawn
      ? make("span", { class: "tokens", title: game.thing(number).name }, unseen(game.thing(number).name), drawn)
      : chip(game, number);
  });
}
