// What lies on a map: pieces, owners, what changed, and an arrow.
//
// A map is drawn once, by `altay_cli/report/maps.py`: land, borders and names. `drawBoard(svg, scene)`
// puts on it what a state of the game shows, and draws only what differs from the state before.
// `onTap(svg, listener)` tells which place was clicked, or chosen with Enter or the space bar.
//
// The attribute `data-board` of the map holds its layout: shapes as paths of radius 1, and the
// positions of pieces around the middle of a place, by their number. A map that is shown small has
// positions of its own; a piece that is repeated is then drawn once, with its number beside it.

/**
 * A piece at a place. `sign` stands on it, or the path `icon`, drawn around the origin and at most
 * 10 away from it; `text` describes it. `count`: it is drawn so often; 0 for a single piece. `seat`
 * is the player whom it belongs to, and `badge` a smaller piece at its corner.
 * @typedef {object} Token
 * @property {string} shape
 * @property {string} colour
 * @property {string} ink
 * @property {string} sign
 * @property {string} text
 * @property {string} [icon]
 * @property {number} [count]
 * @property {number | null} [seat]
 * @property {Token | null} [badge]
 */

/**
 * What is at a place; `owner` is the seat of the player who holds it.
 * @typedef {object} Contents
 * @property {Token[]} tokens
 * @property {number | null} owner
 */

/**
 * A state as a map shows it. `seats` are the colours of the players; `places` holds contents by
 * reference (`territory F2`), places without an entry are empty; `changed` lists what the last move
 * changed. The ends of an arrow are references of places.
 * @typedef {object} Scene
 * @property {{ colour: string, ink: string }[]} seats
 * @property {Record<string, Contents>} places
 * @property {string[]} changed
 * @property {{ from: string, to: string, label: string } | null} arrow
 */

/** @typedef {[x: number, y: number, size: number]} Spot */

/**
 * @typedef {object} Layout
 * @property {Record<string, string>} shapes
 * @property {Record<string, [number, number]>} places
 * @property {Spot[][]} spots
 */

/**
 * What is drawn on a map at present.
 * @typedef {object} Drawn
 * @property {Layout} layout
 * @property {Map<string, { place: Element, marks: Element, label: string }>} places
 * @property {Map<string, Contents>} contents
 * @property {Set<string>} changed
 * @property {Element} arrow
 * @property {string} arrowDrawn
 */

const BOARD_SVG = "http://www.w3.org/2000/svg";

/** @type {WeakMap<SVGSVGElement, Drawn>} */
const drawnBoards = new WeakMap();

/**
 * Make an SVG element; attributes without a value are left out.
 * @param {string} tag
 * @param {Record<string, string | number | null>} attributes
 * @param {(Element | string)[]} children
 */
function boardPart(tag, attributes, ...children) {
  const element = document.createElementNS(BOARD_SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children);
  return element;
}

/**
 * Show a state on a map.
 * @param {SVGSVGElement} svg
 * @param {Scene} scene
 */
export function drawBoard(svg, scene) {
  const drawn = drawnBoards.get(svg) ?? prepareBoard(svg);
  for (const [ref, { place, marks, label }] of drawn.places) {
    const before = drawn.contents.get(ref);
    const contents = scene.places[ref] ?? { tokens: [], owner: null };
    if (before === undefined || !sameContents(before, contents)) {
      drawn.contents.set(ref, contents);
      marks.replaceChildren(...drawTokens(drawn.layout, ref, contents.tokens));
      place.setAttribute("aria-label", [label, ...contents.tokens.map(({ text }) => text)].join(" "));
    }
  }
  markChanged(drawn, scene.changed);
  drawArrow(drawn, scene);
}

/**
 * Call a listener with the reference of each place that is chosen: by a click or a tap, with Enter or
 * the space bar.
 * @param {SVGSVGElement} svg
 * @param {(ref: string) => void} listener
 */
export function onTap(svg, listener) {
  /** @param {Event} event */
  function choose(event) {
    const place = event.target instanceof Element ? event.target.closest(".place") : null;
    const ref = place?.getAttribute("data-ref");
    if (ref) {
      event.preventDefault();
      listener(ref);
    }
  }
  svg.addEventListener("click", choose);
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      choose(event);
    }
  });
}

/** @param {SVGSVGElement} svg */
function prepareBoard(svg) {
  /** @type {Drawn} */
  const drawn = {
    layout: JSON.parse(svg.getAttribute("data-board") ?? "{}"),
    places: new Map(),
    contents: new Map(),
    changed: new Set(),
    arrow: boardPart("g", { class: "arrow" }),
    arrowDrawn: "null",
  };
  for (const place of svg.querySelectorAll(".place")) {
    const marks = boardPart("g", { class: "marks" });
    place.append(marks);
    const label = place.getAttribute("aria-label") ?? "";
    drawn.places.set(place.getAttribute("data-ref") ?? "", { place, marks, label });
  }
  svg.append(drawn.arrow);
  drawnBoards.set(svg, drawn);
  return drawn;
}

/**
 * @param {Contents} one
 * @param {Contents} other
 */
function sameContents(one, other) {
  return (
    one.owner === other.owner &&
    one.tokens.length === other.tokens.length &&
    one.tokens.every((token, number) => token === other.tokens[number])
  );
}

/**
 * @param {Layout} layout
 * @param {string} ref
 * @param {Token[]} tokens
 */
function drawTokens({ shapes, places, spots }, ref, tokens) {
  const [x, y] = places[ref];
  const around = spots[Math.min(tokens.length, spots.length - 1)];
  return tokens.map((token, number) => {
    const [dx, dy, size] = around[Math.min(number, around.length - 1)];
    return drawToken(shapes, token, x + dx, y + dy, size);
  });
}

/**
 * Draw a piece around a point: its shape, and what stands on it.
 * @param {Record<string, string>} shapes
 * @param {Token} token
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function drawToken(shapes, { shape, colour, ink, sign, text }, x, y, size) {
  const group = boardPart(
    "g",
    { transform: `translate(${x} ${y}) scale(${size})` },
    boardPart("title", {}, text),
    boardPart("path", { d: shapes[shape], fill: colour, class: "token-body", "stroke-width": 0.08 }),
  );
  if (sign) {
    const length = Array.from(sign).length;
    const height = length < 2 ? 1.25 : length < 3 ? 1 : 0.72;
    const middle = { y: height * 0.36, "text-anchor": "middle" };
    group.append(boardPart("text", { ...middle, "font-size": height, "font-weight": 600, fill: ink }, sign));
  }
  return group;
}

/**
 * @param {Drawn} drawn
 * @param {string[]} changed
 */
function markChanged(drawn, changed) {
  const now = new Set(changed);
  for (const ref of drawn.changed) {
    drawn.places.get(ref)?.place.classList.toggle("changed", now.has(ref));
  }
  for (const ref of now) {
    drawn.places.get(ref)?.place.classList.add("changed");
  }
  drawn.changed = now;
}

/**
 * @param {Drawn} drawn
 * @param {Scene} scene
 */
function drawArrow(drawn, { arrow }) {
  const wanted = JSON.stringify(arrow);
  if (wanted === drawn.arrowDrawn) {
    return;
  }
  drawn.arrowDrawn = wanted;
  const [start, end] = arrow ? [drawn.layout.places[arrow.from], drawn.layout.places[arrow.to]] : [];
  if (!arrow || !start || !end) {
    drawn.arrow.replaceChildren();
    return;
  }
  const middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2];
  drawn.arrow.replaceChildren(
    boardPart("path", { d: `M${start}L${end}`, class: "arrow-line" }),
    boardPart("text", { x: middle[0], y: middle[1], class: "arrow-label", "text-anchor": "middle" }, arrow.label),
  );
}
