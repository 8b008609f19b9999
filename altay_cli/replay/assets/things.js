// Things, and what lies somewhere, in words with their tokens.

import { draw, find, make, say, token } from "./dom.js";

const WAYS = { left: "←", right: "→", up: "↑" };

/** Make the button of a thing, with how many there are; a click tells about it. */
export function chip(game, number, count = 1) {
  const thing = game.thing(number);
  const button = make("button", { type: "button", class: "chip", "data-thing": number });
  if (count !== 1) {
    button.append(make("span", { class: "count" }, `${count}× `));
  }
  const picture = small(thing);
  if (picture) {
    button.append(picture);
  }
  button.append(make("span", {}, thing.name));
  return button;
}

/** Draw the token of a thing as large as a line of text; null where it has no look. */
export function small(thing) {
  if (!thing.colour && !thing.sign) {
    return null;
  }
  const plain = thing.colour ?? "#e9e4d8";
  return draw(
    "svg",
    { viewBox: "-13 -13 26 26", class: "token", "aria-hidden": "true", focusable: "false" },
    token(thing.shape, plain, thing.ink ?? "#000000", thing.sign, 0, 0, 10),
  );
}

/** Tell whether a value has nothing in it. */
export function isEmpty(value) {
  return value.groups.every(
    ([of, items]) => of === null && (items === false || (Array.isArray(items) && !size(items))),
  );
}

function size([flat, unknown, , more = 0]) {
  return flat.length + unknown + (more === null ? 1 : more);
}

/** Make what a field shows: groups of things, numbers, texts. */
export function shown(game, value) {
  return value.groups
    .filter(([of, items]) => of !== null || !Array.isArray(items) || size(items))
    .map(([of, items, splay]) => {
      const group = make("div", { class: Array.isArray(items) ? "group" : "group short" });
      if (of !== null) {
        const colon = Array.isArray(of) ? "" : ":";
      group.append(make("span", { class: "of" }, ...plain(game, of), colon));
      }
      const ordered = Array.isArray(items) && items[2];
      const laid = make("span", { class: ordered ? `stack ${WAYS[splay] ? "splayed" : "covered"}` : "items" });
      if (ordered && WAYS[splay]) {
        laid.append(
          make("span", { class: "way", "aria-hidden": "true" }, WAYS[splay]),
          make("span", { class: "hidden-text" }, `${say(splay)}: `),
        );
      }
      laid.append(...plain(game, items, of !== null));
      group.append(laid);
      return group;
    });
}

function plain(game, items, grouped = false) {
  if (!Array.isArray(items)) {
    return [make("span", { class: "number" }, items === true ? say("yes") : String(items))];
  }
  const [flat, unknown, , more = 0] = items;
  const parts = [];
  for (let i = 0; i < flat.length; i += 2) {
    parts.push(chip(game, flat[i], flat[i + 1]));
  }
  if (unknown || more !== 0) {
    const range = { low: unknown, high: unknown + more };
    const count = more === null ? "?" : more ? say("from-to", range) : unknown;
    parts.push(make("span", { class: "unknown" }, say("unknown", { count })));
  }
  if (!parts.length && !grouped) {
    parts.push(make("span", { class: "number" }, say("nothing")));
  }
  return parts;
}

/** Tell about a thing in a dialog; `here` are lines about what lies there now. */
export function about(game, number, here = []) {
  const thing = game.thing(number);
  find("about-title").textContent = thing.name;
  find("about-kind").textContent = thing.kind;
  find("about-kind").hidden = !thing.kind;
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
  if (!find("about").open) {
    find("about").showModal();
  }
}
