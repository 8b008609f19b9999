// Cards: a face with name, cost and effects, a back for those that are unknown.

import { arrange, copied, make, say, unseen } from "./dom.js";
import { WAYS, chip, entries, isEmpty, plain, printed, size, small, tokens, unknown } from "./things.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Content} Content
 * @typedef {import("./game.js").Group} Group
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
    ...(path ? [printed(path)] : []),
    ...(isSomething(uses) ? [...tokens(game, uses), "→"] : []),
    ...(isSomething(gives) ? tokens(game, gives) : []),
    ...(amount ? [make("b", {}, String(amount))] : []),
  ];
  if (!drawn.length) {
    return make("span", { class: "part words" }, text);
  }
  // The words say what the icons show.
  return make("span", { class: "part", role: "img", "aria-label": text, title: text }, ...drawn);
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
 * Cards that were made before, by game, thing and count. @type {WeakMap<Game, Map<string, HTMLElement>>}
 */
const madeCards = new WeakMap();

/**
 * Make a card; a click tells about it. A low one shows only its name and cost until it is looked at.
 * @param {Game} game
 * @param {number} number
 * @param {{ count?: number, low?: boolean }} [options]
 */
export function card(game, number, { count = 1, low = false } = {}) {
  const made = madeCards.get(game) ?? new Map();
  madeCards.set(game, made);
  return copied(made, `${number} ${count} ${low}`, () => {
    const kind = low ? "card low" : "card";
    const look = make("button", { type: "button", class: kind, "data-thing": number, "data-card": number });
    return fill(look, game, number, count);
  });
}

/**
 * Make the picture of a card that has gone from where it was; it does nothing.
 * @param {Game} game
 * @param {number} number
 * @param {number} count
 */
export function goneCard(game, number, count) {
  return fill(make("span", { class: "card gone", "aria-hidden": "true", "data-card": number }), game, number, count);
}

/**
 * @param {HTMLElement} look
 * @param {Game} game
 * @param {number} number
 * @param {number} count
 */
function fill(look, game, number, count) {
  const thing = game.thing(number);
  const face = thing.parts ? thing : null;
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
    const shown = Array.isArray(corner) ? tokens(game, corner) : [String(corner)];
    head.append(make("span", { class: "corner" }, " ", ...shown));
  }
  const parts = face ? (face.parts ?? []).map((part) => effect(game, part)) : lineParts(game, thing.lines);
  look.append(head, make("span", { class: "card-body" }, ...parts));
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
 * Lay out what a field shows as cards: groups in columns, each with its heading.
 * @param {Game} game
 * @param {Element} box
 * @param {Value | undefined} value
 * @param {boolean} low whether the cards show only name and cost
 */
export function layOut(game, box, value, low) {
  const groups = isEmpty(value) ? [] : (value?.groups ?? []);
  arrange(
    box,
    groups.map((group, index) => {
      const kind = group[0] === null ? "heap" : "pile-of";
      const name = `cards ${kind} k${index % 4}`;
      return [name, () => make("span", { class: name })];
    }),
  );
  for (const [index, group] of groups.entries()) {
    arrange(box.children[index], groupParts(game, group, low));
  }
}

/**
 * What a group is laid out as: keys, and how to make what they stand for.
 * @param {Game} game
 * @param {Group} group
 * @param {boolean} low
 * @returns {[key: string, build: () => Element][]}
 */
function groupParts(game, [of, items, splay], low) {
  const heads = Array.isArray(of) ? entries(of) : [];
  /** @type {(number: number, count: number) => [string, () => Element]} */
  const one = (number, count) => [`card ${number} ${count}`, () => card(game, number, { count, low })];
  if (!Array.isArray(items) && heads.length === 1) {
    return [one(heads[0][0], Number(items))]; // as many of one thing as the number says
  }
  /** @type {[string, () => Element][]} */
  const parts = [];
  if (of !== null) {
    parts.push([`of ${of}`, () => make("span", { class: "of" }, ...plain(game, of))]);
  }
  if (!Array.isArray(items)) {
    parts.push([`number ${items}`, () => make("span", {}, ...tokens(game, items))]);
  } else if (items[2]) {
    parts.push([`pile ${items} ${splay}`, () => pile(game, items, splay)]);
  } else {
    for (const [number, count] of entries(items)) {
      // Cards in a hand lie beside each other; a heap of them has its number.
      const copies = low || count > 4 ? 1 : count;
      parts.push(...Array(copies).fill(one(number, count / copies)));
    }
    if (unknown(items)) {
      parts.push([`back ${unknown(items)}`, () => back(items)]);
    }
  }
  return parts;
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
    const thing = game.thing(number);
    return small(game, thing, thing.name) ?? chip(game, number);
  });
}
