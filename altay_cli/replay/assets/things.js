// Things, and what lies somewhere: as chips, tokens and words, and in a dialog.

import { copied, find, make, say, token, unseen, vector } from "./dom.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Content} Content
 * @typedef {import("./game.js").Heap} Heap
 * @typedef {import("./game.js").Thing} Thing
 * @typedef {import("./game.js").Value} Value
 */

const PLAIN = "#e9e4d8";
const BLACK = "#000000";
const CARD_INK = "#2a241b";

/** The arrows of splays. @type {Record<string, string>} */
export const WAYS = { left: "←", right: "→", up: "↑" };

/**
 * Make the button of a thing, with how many there are; a click tells about it.
 * @param {Game} game
 * @param {number} number
 */
export function chip(game, number, count = 1) {
  const thing = game.thing(number);
  const button = make("button", { type: "button", class: "chip", "data-thing": number });
  if (count !== 1) {
    button.append(make("span", { class: "count" }, `${count}× `));
  }
  const picture = small(game, thing);
  if (picture) {
    button.append(picture);
  }
  button.append(make("span", {}, thing.name));
  return button;
}

/** Tokens and icons that were drawn before, by what is drawn. @type {Map<string, Element>} */
const pictures = new Map();

/**
 * Draw the token of a thing as large as a line of text; null where it has no look. It is an image,
 * which costs a page much less than elements that are drawn one by one.
 * @param {Game} game
 * @param {Thing} thing
 * @param {string} alt what it stands for, if no words beside it say that
 */
export function small(game, thing, alt = "") {
  const icon = game.icon(thing.icon);
  const { shape, sign, colour, ink } = thing;
  if (!colour && !sign && !icon) {
    return null;
  }
  return copied(pictures, `token ${shape} ${sign} ${colour} ${icon} ${alt}`, () =>
    image(token({ shape, sign, colour: colour ?? PLAIN, ink: ink ?? BLACK, icon }, 0, 0, 11), "token", alt),
  );
}

/**
 * An image of a drawing around the origin.
 * @param {SVGElement} drawing
 * @param {string} kind
 * @param {string} alt
 */
function image(drawing, kind, alt) {
  const svg = vector("svg", { viewBox: "-13 -13 26 26", width: 52, height: 52 }, drawing);
  const body = drawing.querySelector(".token-body");
  body?.setAttribute("stroke", "#0000004d");
  svg.setAttribute("font-family", "sans-serif");
  const src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  return make("img", { class: kind, src, alt });
}

/**
 * Draw an icon as large as a line of text, in the colour of the text.
 * @param {string} path
 */
export function picture(path) {
  return copied(pictures, path, () =>
    vector(
      "svg",
      { viewBox: "-11 -11 22 22", class: "icon", "aria-hidden": "true", focusable: "false" },
      vector("path", { d: path, "fill-rule": "evenodd" }),
    ),
  );
}

/**
 * Draw an icon in the ink of a card.
 * @param {string} path
 */
export function printed(path) {
  return copied(pictures, `printed ${path}`, () =>
    image(vector("path", { d: path, fill: CARD_INK, "fill-rule": "evenodd" }), "icon", ""),
  );
}

/**
 * Things and counts of a heap.
 * @param {Heap} heap
 * @returns {[thing: number, count: number][]}
 */
export function entries([flat]) {
  /** @type {[number, number][]} */
  const found = [];
  for (let i = 0; i < flat.length; i += 2) {
    found.push([flat[i], flat[i + 1]]);
  }
  return found;
}

/**
 * How many things are in a heap.
 * @param {Heap} heap
 */
export function size(heap) {
  return entries(heap).reduce((sum, [, count]) => sum + count, heap[1]);
}

/**
 * Whether a heap has nothing in it for certain.
 * @param {Heap} heap
 */
function isBare(heap) {
  return !heap[0].length && !heap[1] && heap[3] === undefined;
}

/**
 * Tell whether a value has nothing in it.
 * @param {Value | undefined} value
 */
export function isEmpty(value) {
  return (value?.groups ?? []).every(
    ([of, items]) => of === null && (items === false || (Array.isArray(items) && isBare(items))),
  );
}

/**
 * How many are unknown, in words; empty if none are.
 * @param {Heap} heap
 */
export function unknown([, number, , more = 0]) {
  if (!number && more === 0) {
    return "";
  }
  const range = say("from-to", { low: number, high: number + (more ?? 0) });
  return say("unknown", { count: more === null ? "?" : more ? range : number });
}

/**
 * Make what a field shows: groups of things, numbers, texts.
 * @param {Game} game
 * @param {Value} value
 */
export function shown(game, value) {
  return (value.groups ?? [])
    .filter(([of, items]) => of !== null || !Array.isArray(items) || !isBare(items))
    .map(([of, items, splay]) => {
      const group = make("div", { class: Array.isArray(items) ? "group" : "group short" });
      if (of !== null) {
        const colon = Array.isArray(of) ? "" : ":";
        group.append(make("span", { class: "of" }, ...plain(game, of), colon));
      }
      const way = splay === null ? undefined : WAYS[splay];
      const ordered = Array.isArray(items) && items[2];
      const laid = make("span", { class: ordered ? `stack ${way ? "splayed" : "covered"}` : "items" });
      if (ordered && way && splay) {
        laid.append(make("span", { class: "way", "aria-hidden": "true" }, way), unseen(`${say(splay)}: `));
      }
      laid.append(...plain(game, items, of !== null));
      group.append(laid);
      return group;
    });
}

/**
 * @param {Game} game
 * @param {Content} items
 * @returns {HTMLElement[]}
 */
export function plain(game, items, grouped = false) {
  if (!Array.isArray(items)) {
    return [make("span", { class: "number" }, items === true ? say("yes") : String(items))];
  }
  /** @type {HTMLElement[]} */
  const parts = entries(items).map(([thing, count]) => chip(game, thing, count));
  if (unknown(items)) {
    parts.push(make("span", { class: "unknown" }, unknown(items)));
  }
  if (!parts.length && !grouped) {
    parts.push(make("span", { class: "number" }, say("nothing")));
  }
  return parts;
}

/**
 * Draw what a value holds as tokens, one for each thing, with words for screen readers. Things
 * without a look are named.
 * @param {Game} game
 * @param {Content} items
 * @returns {Node[]}
 */
export function tokens(game, items, most = 6) {
  if (!Array.isArray(items)) {
    return [make("b", {}, items === true ? say("yes") : String(items))];
  }
  /** @type {Node[]} */
  const parts = [];
  for (const [number, count] of entries(items)) {
    const thing = game.thing(number);
    if (thing.badge !== undefined && thing.sign) {
      parts.push(...Array.from({ length: count }, () => pill(game, thing, thing.badge)));
      continue;
    }
    const drawn = small(game, thing, count > 1 ? `${count}× ${thing.name}` : thing.name);
    if (!drawn) {
      parts.push(make("span", { class: "named" }, count > 1 ? `${thing.name} ×${count}` : thing.name));
      continue;
    }
    parts.push(drawn);
    if (count > most) {
      parts.push(make("b", { "aria-hidden": "true" }, `×${count}`));
    } else {
      for (let more = 1; more < count; more += 1) {
        parts.push(/** @type {Node} */ (small(game, thing)));
      }
    }
  }
  if (unknown(items)) {
    parts.push(make("span", { class: "unknown" }, unknown(items)));
  }
  return parts;
}

/**
 * The sign of a thing, with the token of the thing at its corner.
 * @param {Game} game
 * @param {Thing} thing
 * @param {number} [badge]
 */
function pill(game, { name, sign }, badge = 0) {
  return make("span", { class: "pill", role: "img", "aria-label": name, title: name }, sign, small(game, game.thing(badge)));
}

/** Finds the things with icons in a text, such as a line of a log. */
export class Names {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    /** @type {Map<string, Thing>} */
    this.byName = new Map();
    for (const thing of game.data.things) {
      // Players are named, even where they have an icon.
      if (game.icon(thing.icon) && !thing.ref.startsWith("player ")) {
        for (const name of [thing.name, thing.ref.slice(thing.ref.indexOf(" ") + 1)]) {
          if (!this.byName.has(name)) {
            this.byName.set(name, thing);
          }
        }
      }
    }
    const names = [...this.byName.keys()]
      .sort((a, b) => b.length - a.length)
      .map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    this.pattern = new RegExp(`(?<![\\p{L}\\p{N}_-])(${names.join("|")})(?![\\p{L}\\p{N}_-])`, "gu");
  }

  /**
   * A text, with icons in place of the names of things that have one.
   * @param {string} text
   * @returns {(Node | string)[]}
   */
  drawn(text) {
    if (!this.byName.size) {
      return [text];
    }
    return text.split(this.pattern).map((part, index) => {
      const thing = index % 2 ? this.byName.get(part) : undefined;
      return (thing && small(this.game, thing, part)) ?? part;
    });
  }
}

/**
 * Tell about a thing in a dialog; `here` are lines about what lies there now.
 * @param {Game} game
 * @param {number} number
 * @param {string[]} here
 */
export function about(game, number, here = []) {
  const thing = game.thing(number);
  find("about-title").textContent = thing.name;
  find("about-kind").textContent = thing.kind;
  find("about-kind").hidden = !thing.kind;
  /** @type {[string, (Node | string)[]][]} */
  const lines = thing.lines.map(([title, value]) => [title, plain(game, value)]);
  if (here.length) {
    lines.push([say("here"), [here.join("; ")]]);
  }
  find("about-lines").replaceChildren(
    ...lines.map(([title, value]) =>
      make("div", {}, make("dt", {}, title), make("dd", {}, ...value)),
    ),
  );
  find("about-cite").textContent = thing.cite ? `${say("see")}: ${thing.cite}` : "";
  find("about-cite").hidden = !thing.cite;
  const dialog = find("about", HTMLDialogElement);
  if (!dialog.open) {
    dialog.showModal();
  }
}
