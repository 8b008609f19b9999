// What lies on a map: pieces, owners, what changed, and an arrow.
//
// A map is drawn once, by `altay_cli/report/maps.py`: land, borders and names. `drawBoard(svg, scene)`
// puts on it what a state of the game shows, and draws only what differs from the state before; it may
// be called as often as you like. `onTap(svg, listener)` tells which place was clicked, or chosen with
// Enter or the space bar.
//
// The attribute `data-board` of the map holds its layout: shapes as paths of radius 1, and the
// positions of pieces around the middle of a place, by their number. A map of land that is shown small
// has positions of its own; a piece that is repeated is then drawn once, with its number beside it.

/**
 * A piece at a place. `sign` stands on it, or the path `icon`, drawn around the origin and at most
 * 10 away from it; with `figure`, the icon is drawn by itself. `text` describes it. `count`: it is
 * drawn so often, if it is repeated. `seat` is the player whom it belongs to, and `badge` a smaller
 * piece at its corner.
 * @typedef {object} Token
 * @property {string} shape
 * @property {string} colour
 * @property {string} ink
 * @property {string} sign
 * @property {string} text
 * @property {string} [icon]
 * @property {number} [figure]
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
 * The layout of a map. `number` is where the number of a repeated piece stands, if it is written, and
 * its size. Only maps of land have what else is marked as optional: `small` are the positions on a map
 * that is shown small, `names` the sizes of names on large and small ones, `nameUp` how far they are
 * above the middles of places, `details` lines on shapes, and `marks` and `dashes` the second signs of
 * players on pieces and borders, by seat.
 * @typedef {object} Layout
 * @property {string} id
 * @property {Record<string, string>} shapes
 * @property {Record<string, [x: number, y: number, number: number]>} places
 * @property {Spot[][]} spots
 * @property {Spot} [number]
 * @property {{ places: string[], spots: Spot[][], number: Spot }} [tall] the same for tall places
 * @property {Spot[][]} [small]
 * @property {number} [scale]
 * @property {[number, number]} [names]
 * @property {number} [nameUp]
 * @property {Record<string, string>} [details]
 * @property {string[]} [marks]
 * @property {string[]} [dashes]
 */

/**
 * @typedef {object} DrawnPlace
 * @property {Element} place
 * @property {Element} title
 * @property {Element} marks
 * @property {string} label
 * @property {Element | null} band
 * @property {Contents | null} contents
 */

/**
 * What is drawn on a map at present; `unit` is how many pixels a unit of the map takes.
 * @typedef {object} Drawn
 * @property {Layout} layout
 * @property {Map<string, DrawnPlace>} places
 * @property {Set<string>} changed
 * @property {Element} arrow
 * @property {string} arrowDrawn
 * @property {number} unit
 * @property {boolean} isSmall
 * @property {Scene | null} scene
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

/** @type {Contents} */
const NO_CONTENTS = { tokens: [], owner: null };

/** Names are at least this many pixels high. */
const NAME_PIXELS = 11.5;

/** A map of land with fewer pixels to a unit is shown small. */
const SMALL_UNIT = 0.55;

/**
 * Show a state on a map.
 * @param {SVGSVGElement} svg
 * @param {Scene} scene
 */
export function drawBoard(svg, scene) {
  const drawn = drawnBoards.get(svg) ?? prepareBoard(svg);
  drawn.scene = scene;
  for (const [ref, drawnPlace] of drawn.places) {
    const contents = scene.places[ref] ?? NO_CONTENTS;
    const before = drawnPlace.contents;
    if (before === contents || (before !== null && sameContents(before, contents))) {
      continue;
    }
    const { title, marks, label, band } = drawnPlace;
    drawnPlace.contents = contents;
    marks.replaceChildren(...drawTokens(drawn, ref, contents.tokens));
    if (label) {
      title.textContent = [label, ...contents.tokens.map(({ text }) => text)].join(" ");
    }
    if (band && contents.owner !== (before?.owner ?? null)) {
      const seat = contents.owner;
      band.replaceChildren(...(seat === null ? [] : drawBand(drawn.layout, ref, seat, scene.seats[seat].colour)));
    }
  }
  markChanged(drawn, scene.changed);
  drawArrow(drawn, svg, scene);
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
    changed: new Set(),
    arrow: boardPart("g", { class: "arrow" }),
    arrowDrawn: "null",
    unit: 1,
    isSmall: false,
    scene: null,
  };
  const bands = svg.querySelector(".bands");
  for (const place of svg.querySelectorAll(".place")) {
    const marks = boardPart("g", { class: "marks" });
    place.append(marks);
    const band = bands ? boardPart("g", { fill: "none" }) : null;
    if (band) {
      bands?.append(band);
    }
    // A title is a name that may differ from the words that are seen in the place.
    const label = place.getAttribute("aria-label") ?? "";
    const title = boardPart("title", {}, label);
    if (label) {
      place.removeAttribute("aria-label");
      place.append(title);
    }
    const ref = place.getAttribute("data-ref") ?? "";
    drawn.places.set(ref, { place, title, marks, label, band, contents: null });
  }
  svg.append(drawn.arrow);
  drawnBoards.set(svg, drawn);
  if (drawn.layout.small) {
    fitBoard(svg, drawn);
    new ResizeObserver(() => fitBoard(svg, drawn)).observe(svg);
  }
  return drawn;
}

/**
 * Fit names and pieces to the size at which a map of land is shown.
 * @param {SVGSVGElement} svg
 * @param {Drawn} drawn
 */
function fitBoard(svg, drawn) {
  const { scale = 1, names = [18, 38], nameUp = 0, places } = drawn.layout;
  const { width, height } = svg.getBoundingClientRect();
  const box = svg.viewBox.baseVal;
  const unit = Math.min(width / box.width, height / box.height);
  if (!unit || unit === drawn.unit) {
    return;
  }
  drawn.unit = unit;
  const size = Math.min(Math.max(names[0] * scale, NAME_PIXELS / unit), names[1]);
  const up = nameUp * scale + (size - names[0] * scale) / 5;
  for (const [ref, { place }] of drawn.places) {
    const name = place.querySelector(".name");
    name?.setAttribute("font-size", size.toFixed(1));
    name?.setAttribute("stroke-width", (size * 0.22).toFixed(1));
    name?.setAttribute("y", (places[ref][1] - up).toFixed(1));
  }
  const isSmall = unit * scale < SMALL_UNIT;
  if (isSmall || drawn.isSmall) {
    drawn.isSmall = isSmall;
    for (const drawnPlace of drawn.places.values()) {
      drawnPlace.contents = null;
    }
  }
  drawn.arrowDrawn = "";
  if (drawn.scene) {
    drawBoard(svg, drawn.scene);
  }
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
 * Draw a player's colour along the border of a place, with the player's own line in it.
 * @param {Layout} layout
 * @param {string} ref
 * @param {number} seat
 * @param {string} colour
 */
function drawBand({ id, places, dashes = [] }, ref, seat, colour) {
  const number = places[ref][2];
  const href = `#${id}-area-${number}`;
  const dash = dashes[seat % dashes.length] || null;
  return [
    boardPart(
      "g",
      { "clip-path": `url(#${id}-clip-${number})` },
      boardPart("use", { href, stroke: colour, "stroke-width": 21, "stroke-opacity": 0.86 }),
      boardPart("use", { href, stroke: "#fff", "stroke-width": 10, "stroke-opacity": 0.7, "stroke-dasharray": dash }),
      boardPart("use", { href, stroke: colour, "stroke-width": 7 }),
    ),
  ];
}

/**
 * Draw the pieces at a place.
 * @param {Drawn} drawn
 * @param {string} ref
 * @param {Token[]} tokens
 */
function drawTokens({ layout, isSmall, unit }, ref, tokens) {
  const [x, y] = layout.places[ref];
  const own = layout.tall?.places.includes(ref) ? layout.tall : layout;
  const spots = (isSmall && layout.small) || own.spots;
  const pieces = tokens.flatMap((token) => repeatedPieces(token, isSmall, spots.length - 1));
  const around = spots[Math.min(pieces.length, spots.length - 1)];
  /** @type {Element[]} */
  const numbers = [];
  if (own.number) {
    const [dx, dy, size] = own.number;
    const place = { x: x + dx, y: y + dy, "font-size": size, class: "piece-number" };
    const counted = tokens.filter(({ count }) => count !== undefined);
    numbers.push(...counted.map(({ count, text }) => {
      const title = count ? [] : [boardPart("title", {}, text)];
      return boardPart("text", place, ...title, String(count));
    }));
  }
  return numbers.concat(pieces.map((piece, number) => {
    const [dx, dy, size] = around[Math.min(number, around.length - 1)];
    return typeof piece === "string"
      ? drawNumber(piece, x + dx, y + dy, size, Math.max(size * 1.6, NAME_PIXELS / unit))
      : drawToken(layout, piece, x + dx, y + dy, size);
  }));
}

/**
 * Return a piece as often as it is drawn, or once with its number. Only the first one has a text.
 * @param {Token} token
 * @param {boolean} isSmall
 * @param {number} most
 * @returns {(Token | string)[]}
 */
function repeatedPieces(token, isSmall, most) {
  const { count = 1 } = token;
  if (count <= 1) {
    return count ? [token] : [];
  }
  if (isSmall) {
    return [token, String(count)];
  }
  if (count > most) {
    return [{ ...token, sign: String(count) }];
  }
  return [token, ...Array(count - 1).fill({ ...token, text: "" })];
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} height
 */
function drawNumber(text, x, y, size, height) {
  return boardPart(
    "text",
    { x: x - size * 0.75, y: y + height * 0.36, "font-size": height, class: "piece-count", "aria-hidden": "true" },
    text,
  );
}

/**
 * Draw a piece around a point: its shape, and what stands on it.
 * @param {Layout} layout
 * @param {Token} token
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function drawToken(layout, token, x, y, size) {
  const { shape, colour, ink, text, seat = null, badge = null } = token;
  const { shapes, details, marks = [] } = layout;
  const isCased = details !== undefined && ink === "#ffffff";
  const group = boardPart("g", { transform: `translate(${x} ${y}) scale(${size})`, class: "piece" });
  if (text) {
    group.append(boardPart("title", {}, text));
  }
  if (token.figure && token.icon) {
    const edge = ink === "#ffffff" ? "#efe9da" : "#26221e";
    const place = { d: token.icon, transform: "scale(.1)", class: "piece-figure" };
    group.append(boardPart("path", { ...place, fill: colour, stroke: edge }));
    return group;
  }
  group.append(
    boardPart("path", {
      d: shapes[token.icon ? "circle" : shape],
      fill: colour,
      stroke: isCased ? "#fffdf4" : "#22201c",
      "stroke-width": isCased ? 0.16 : 0.08,
      "stroke-linejoin": "round",
    }),
  );
  const detail = details?.[shape];
  if (detail) {
    group.append(boardPart("path", { d: detail, class: "piece-detail" }));
  }
  if (marks.length && seat !== null && !token.sign) {
    group.append(boardPart("path", { d: marks[seat % marks.length], fill: ink, "fill-opacity": 0.9 }));
  }
  group.append(...drawSign(token));
  if (badge) {
    const body = { d: shapes[badge.icon ? "circle" : badge.shape], fill: badge.colour, class: "piece-badge" };
    const place = { transform: "translate(-1 -.72) scale(.66)" };
    group.append(boardPart("g", place, boardPart("path", body), ...drawSign(badge)));
  }
  return group;
}

/**
 * Draw what stands on a piece of radius 1.
 * @param {Token} token
 */
function drawSign({ sign, icon, ink }) {
  if (icon) {
    return [boardPart("path", { d: icon, transform: "scale(.077)", fill: ink, "fill-rule": "evenodd" })];
  }
  if (!sign) {
    return [];
  }
  const length = Array.from(sign).length;
  const height = length < 2 ? 1.25 : length < 3 ? 1 : 0.72;
  const middle = { y: height * 0.36, "text-anchor": "middle" };
  return [boardPart("text", { ...middle, "font-size": height, "font-weight": 600, fill: ink }, sign)];
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

// ---------------------------------------------------------------- arrows

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
/** @typedef {[x: number, y: number]} Point */

/**
 * The way of an arrow: a curve with one bend, and the middle of its label.
 * @typedef {object} ArrowWay
 * @property {Point} start
 * @property {Point} bend
 * @property {Point} end
 * @property {Point} label
 */

/**
 * @param {Drawn} drawn
 * @param {SVGSVGElement} svg
 * @param {Scene} scene
 */
function drawArrow(drawn, svg, { arrow }) {
  const wanted = JSON.stringify(arrow);
  if (wanted === drawn.arrowDrawn) {
    return;
  }
  drawn.arrowDrawn = wanted;
  drawn.arrow.replaceChildren();
  if (arrow && drawn.places.has(arrow.from) && drawn.places.has(arrow.to) && arrow.from !== arrow.to) {
    const size = Math.max(1, NAME_PIXELS / drawn.unit / 21);
    const half = Math.max(arrow.label.length * 5.8, 10) * size + 9 * size;
    const way = arrowWay(drawn, svg, arrow.from, arrow.to, half, size);
    drawn.arrow.append(...arrowParts(way, arrow.label, size, half));
  }
}

/**
 * Find the best way of an arrow: it crosses no name and no piece if that is possible, it begins and
 * ends on the land of its places, and is short.
 * @param {Drawn} drawn
 * @param {SVGSVGElement} svg
 * @param {string} from
 * @param {string} to
 * @param {number} half half of the width of the label
 * @param {number} size of the arrow, 1 on a map that is shown large
 * @returns {ArrowWay}
 */
function arrowWay(drawn, svg, from, to, half, size) {
  const high = 16 * size;
  const gap = 6 * size;
  /** @type {NodeListOf<SVGGraphicsElement>} */
  const edgeNames = svg.querySelectorAll(".edge-names text");
  const boxes = [...[...drawn.places.values()].flatMap(boxesAt), ...[...edgeNames].map(boxOf)];
  const frame = svg.viewBox.baseVal;
  /** @type {ArrowWay & { cost: number }} */
  let best = { start: [0, 0], bend: [0, 0], end: [0, 0], label: [0, 0], cost: Infinity };
  const starts = arrowEnds(drawn, svg, from, boxes, gap);
  const ends = arrowEnds(drawn, svg, to, boxes, gap);
  const [x, y] = drawn.layout.places[to];
  /** @type {Point} */
  const goal = [x, y];
  // Among land, an arrow is long enough to see, and bent; on a board, it is straight if it can be.
  const isLand = drawn.layout.small !== undefined;
  const bulges = isLand ? [30, -30, 60, -60, 90, -90, 125, -125] : [0, 30, -30, 60, -60, 100, -100, 150, -150];
  const shortest = isLand ? Math.max(105, 75 * size) : 0;
  for (const { at: start, cost: startCost } of starts) {
    for (const { at: end, cost: endCost } of ends) {
      const length = Math.hypot(end[0] - start[0], end[1] - start[1]) || 1;
      /** @type {Point} */
      const aside = [(start[1] - end[1]) / length, (end[0] - start[0]) / length];
      for (const bulge of bulges) {
        const short =
          length + Math.abs(bulge) * 0.8 + Math.max(0, shortest - length) * 3 + startCost + endCost;
        if (short >= best.cost) {
          continue;
        }
        /** @type {Point} */
        const bend = [
          (start[0] + end[0]) / 2 + aside[0] * bulge,
          (start[1] + end[1]) / 2 + aside[1] * bulge,
        ];
        const curve = curvePoints(start, bend, end);
        const cost = short + awry(bend, end, goal) * 60 + crowding(boxes, curve, gap) * 45;
        if (cost < best.cost) {
          const placed = labelPlace(boxes, frame, curve, half, high, size);
          if (cost + placed.cost < best.cost) {
            best = { start, bend, end, label: placed.label, cost: cost + placed.cost };
          }
        }
      }
    }
  }
  return best;
}

/**
 * Return how far an arrow points past its goal: from 0, straight at it, to 2, away from it.
 * @param {Point} bend
 * @param {Point} end
 * @param {Point} goal
 */
function awry(bend, end, goal) {
  const [dx, dy, gx, gy] = [end[0] - bend[0], end[1] - bend[1], goal[0] - end[0], goal[1] - end[1]];
  return 1 - (dx * gx + dy * gy) / (Math.hypot(dx, dy) * Math.hypot(gx, gy) || 1);
}

/** A curve is looked at in so many parts. */
const CURVE_PARTS = 20;

/**
 * Return points along a curve with one bend.
 * @param {Point} start
 * @param {Point} bend
 * @param {Point} end
 */
function curvePoints(start, bend, end) {
  /** @type {Point[]} */
  const points = [];
  for (let step = 0; step <= CURVE_PARTS; step += 1) {
    const part = step / CURVE_PARTS;
    const [a, b, c] = [(1 - part) * (1 - part), 2 * part * (1 - part), part * part];
    points.push([a * start[0] + b * bend[0] + c * end[0], a * start[1] + b * bend[1] + c * end[1]]);
  }
  return points;
}

/**
 * Count the boxes that are too near to points.
 * @param {Box[]} boxes
 * @param {Point[]} points
 * @param {number} gap
 */
function crowding(boxes, points, gap) {
  let count = 0;
  for (const [x, y] of points) {
    for (const box of boxes) {
      if (x + gap > box.left && x - gap < box.right && y + gap > box.top && y - gap < box.bottom) {
        count += 1;
      }
    }
  }
  return count;
}

/** Where a label can stand: at which part of the arrow, and how far beside it, if it is. */
const LABEL_PLACES = [
  [10, 0], [8, 0], [10, 1], [10, -1], [6, 1], [6, -1], [14, 1], [14, -1],
  [3, 1], [3, -1], [10, 1.8], [10, -1.8], [6, 1.8], [6, -1.8],
];

/**
 * Find the place of the label of an arrow: it hides no name and no piece, and little of the arrow.
 * @param {Box[]} boxes
 * @param {DOMRect} frame
 * @param {Point[]} curve
 * @param {number} half half of its width
 * @param {number} high half of its height
 * @param {number} size
 */
function labelPlace(boxes, frame, curve, half, high, size) {
  const [start, end] = [curve[0], curve[CURVE_PARTS]];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  let label = start;
  let best = Infinity;
  for (const [part, side] of LABEL_PLACES) {
    // Beside the curve, it touches the arrow.
    const [before, after] = [curve[part - 1], curve[part + 1]];
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    const step = Math.hypot(dx, dy) || 1;
    const away = (side * ((half * Math.abs(dy) + high * Math.abs(dx)) / step + 5 * size)) / step;
    const [x, y] = [curve[part][0] - dy * away, curve[part][1] + dx * away];
    const isOutside =
      x - half < frame.x || x + half > frame.x + frame.width || y - high < frame.y || y + high > frame.y + frame.height;
    const near = Math.hypot(x - end[0], y - end[1]);
    let cost = Math.abs(side) * 14 + (isOutside ? 500 : 0) + Math.max(0, half + 24 - near) * 5;
    for (const [cx, cy] of curve) {
      if (Math.abs(cx - x) < half && Math.abs(cy - y) < high) {
        cost += Math.max(40, 260 - length) / CURVE_PARTS; // a part of the arrow is hidden
      }
    }
    for (const box of boxes) {
      if (x + half > box.left && x - half < box.right && y + high > box.top && y - high < box.bottom) {
        cost += 90;
      }
    }
    if (cost < best) {
      best = cost;
      label = [x, y];
    }
  }
  return { label, cost: best };
}

/**
 * Return where an arrow can begin or end, and what that costs: around the name and the pieces of a
 * place, and elsewhere on its land.
 * @param {Drawn} drawn
 * @param {SVGSVGElement} svg
 * @param {string} ref
 * @param {Box[]} boxes of all names and pieces
 * @param {number} gap
 * @returns {{ at: Point, cost: number }[]}
 */
function arrowEnds({ places, layout }, svg, ref, boxes, gap) {
  const [x, y, number] = layout.places[ref];
  const drawnPlace = places.get(ref);
  const own = drawnPlace ? boxesAt(drawnPlace) : [];
  const area = svg.querySelector(`#${layout.id}-area-${number}`);
  const isLand = area instanceof SVGGeometryElement;
  const room = isLand ? gap + 4 : gap + 8;
  const left = Math.min(x, ...own.map((box) => box.left)) - room;
  const right = Math.max(x, ...own.map((box) => box.right)) + room;
  const top = Math.min(y, ...own.map((box) => box.top)) - room;
  const bottom = Math.max(y, ...own.map((box) => box.bottom)) + room;
  const [middle, centre] = [(left + right) / 2, (top + bottom) / 2];
  /** @type {Point[]} */
  const around = [
    [middle, top], [middle, bottom], [left, centre], [right, centre],
    [left + 4, top + 4], [right - 4, top + 4], [left + 4, bottom - 4], [right - 4, bottom - 4],
  ];
  if (!isLand) {
    return around.map((at) => ({ at, cost: 0 }));
  }
  const ends = around.map((at) => ({ at, cost: isOn(area, at) ? 0 : 160 }));
  const { left: west, top: north, right: east, bottom: south } = boxOf(area);
  for (let py = north + LAND_STEP / 2; py < south; py += LAND_STEP) {
    for (let px = west + LAND_STEP / 2; px < east; px += LAND_STEP) {
      /** @type {Point} */
      const at = [px, py];
      const cost = Math.hypot(px - middle, py - centre) * 0.3;
      if (cost < FARTHEST_COST && !crowding(boxes, [at], gap) && isOn(area, at)) {
        ends.push({ at, cost });
      }
    }
  }
  return ends;
}

/** Points of land at which an arrow can begin or end are so far apart, and cost at most so much. */
const LAND_STEP = 22;
const FARTHEST_COST = 25;

/**
 * @param {SVGGeometryElement} area
 * @param {Point} point
 */
function isOn(area, [x, y]) {
  return area.isPointInFill(new DOMPoint(x, y));
}

/**
 * Return the boxes of the name and of the pieces of a place.
 * @param {DrawnPlace} drawnPlace
 */
function boxesAt({ place, marks }) {
  return [place.querySelector(".name, text"), marks]
    .filter((part) => part instanceof SVGGraphicsElement)
    .map((part) => boxOf(part))
    .filter(({ left, right }) => right > left);
}

/**
 * @param {SVGGraphicsElement} element
 * @returns {Box}
 */
function boxOf(element) {
  const { x, y, width, height } = element.getBBox();
  return { left: x, top: y, right: x + width, bottom: y + height };
}

/**
 * @param {ArrowWay} way
 * @param {string} label
 * @param {number} size
 * @param {number} half
 */
function arrowParts({ start, bend, end, label: middle }, label, size, half) {
  const angle = Math.atan2(end[1] - bend[1], end[0] - bend[0]);
  /** @type {(length: number, turn: number) => Point} */
  const behind = (length, turn) => [
    end[0] - length * size * Math.cos(angle + turn),
    end[1] - length * size * Math.sin(angle + turn),
  ];
  const written = (/** @type {Point[]} */ ...points) => points.map((point) => point.map((z) => z.toFixed(1)).join(" "));
  const [from, over, to] = written(start, bend, behind(18, 0));
  const body = `M${from}Q${over} ${to}`;
  const head = `M${written(end, behind(30, -0.5), behind(20, 0), behind(30, 0.5)).join("L")}Z`;
  const parts = [
    boardPart("path", { d: body, class: "arrow-casing", "stroke-width": 15 * size }),
    boardPart("path", { d: head, class: "arrow-casing", "stroke-width": 5 * size }),
    boardPart("path", { d: body, class: "arrow-line", "stroke-width": 10 * size }),
    boardPart("path", { d: head, class: "arrow-head" }),
  ];
  if (label) {
    const [x, y] = middle;
    const high = 15 * size;
    const box = { x: x - half, y: y - high, width: 2 * half, height: 2 * high, rx: high };
    const text = { x, y: y + 7.5 * size, "font-size": 21 * size, "text-anchor": "middle" };
    parts.push(
      boardPart("g", { class: "arrow-label" }, boardPart("rect", box), boardPart("text", text, label)),
    );
  }
  return parts;
}
