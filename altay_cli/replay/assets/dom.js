// Making elements. Text only ever becomes text: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, string | number | boolean | null | undefined>} Attributes
 * @typedef {object} Config
 * @property {Record<string, string>} words
 * @property {number} count how many games the page has
 * @property {string} version names the state of the log; empty if nothing is watched
 * @property {Record<string, [number, number][]>} outlines corners of the shapes of tokens
 */

/** The configuration of the page. @type {Config} */
export const config = JSON.parse(find("config").textContent ?? "");

/**
 * Return the element of an id; an error if there is none, or one of another type.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [type]
 * @returns {T}
 */
export function find(id, type) {
  const element = document.getElementById(id);
  if (element === null || (type && !(element instanceof type))) {
    throw new Error(`the page has no such element: ${id}`);
  }
  return /** @type {T} */ (element);
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {(Node | string | null)[]} children
 */
function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== "") {
      element.append(child);
    }
  }
  return element;
}

/**
 * Make an HTML element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string | null)[]} children
 */
export function make(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string | null)[]} children
 */
export function vector(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Make something once for a key; later ones are copies of it, which costs much less.
 * @template {Element} T
 * @param {Map<string, T>} made
 * @param {string} key
 * @param {() => T} build
 * @returns {T}
 */
export function copied(made, key, build) {
  let first = made.get(key);
  if (first === undefined) {
    first = build();
    made.set(key, first);
  }
  return /** @type {T} */ (first.cloneNode(true));
}

/**
 * Let an element have children by their keys, and leave those alone that it has already.
 * @param {Element} parent
 * @param {[key: string, build: () => Element][]} wanted
 */
export function arrange(parent, wanted) {
  /** @type {Map<string, number>} */
  const needed = new Map();
  for (const [key] of wanted) {
    needed.set(key, (needed.get(key) ?? 0) + 1);
  }
  let child = parent.firstElementChild;
  const drop = () => {
    const gone = /** @type {Element} */ (child);
    child = gone.nextElementSibling;
    gone.remove();
  };
  for (const [key, build] of wanted) {
    while (child && !needed.get(child.getAttribute("data-key") ?? "")) {
      drop();
    }
    if (child?.getAttribute("data-key") === key) {
      child = child.nextElementSibling;
    } else {
      const added = build();
      added.setAttribute("data-key", key);
      parent.insertBefore(added, child);
    }
    needed.set(key, (needed.get(key) ?? 0) - 1);
  }
  while (child) {
    drop();
  }
}

/**
 * Make text that only screen readers tell.
 * @param {string} text
 */
export function unseen(text) {
  return make("span", { class: "hidden-text" }, text);
}

/**
 * Return one of the page's phrases, with values in place of `{name}`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function say(key, values = {}) {
  return (config.words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? String(values[name]) : whole,
  );
}

/**
 * Draw a token around a point: its shape, and an icon or a sign on it.
 * @param {{ shape: string, colour: string, ink: string, sign?: string, icon?: string }} look
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function token({ shape, colour, ink, sign = "", icon = "" }, x, y, size) {
  const frame = { fill: colour, class: "token-body", "stroke-width": Math.max(size / 14, 0.8) };
  const corners = icon ? undefined : config.outlines[shape];
  const body = corners
    ? vector("polygon", {
        ...frame,
        points: corners.map(([a, b]) => `${x + a * size},${y + b * size}`).join(" "),
      })
    : vector("circle", { ...frame, cx: x, cy: y, r: size });
  const group = vector("g", {}, body);
  if (icon) {
    const place = `translate(${x} ${y}) scale(${size / 13})`;
    group.append(vector("path", { d: icon, fill: ink, transform: place, "fill-rule": "evenodd" }));
  } else if (sign) {
    const length = Array.from(sign).length;
    const height = size * (length < 2 ? 1.25 : length < 3 ? 1 : 0.72);
    const style = { "font-size": height, "text-anchor": "middle", "font-weight": 600, fill: ink };
    group.append(vector("text", { x, y: y + height * 0.36, ...style }, sign));
  }
  return group;
}
