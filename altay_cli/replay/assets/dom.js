// Making elements. Text only ever becomes text: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

/** The configuration of the page: words, outlines of tokens, whether to watch for changes. */
export const config = JSON.parse(document.getElementById("config").textContent);

/** Return the element of an id. */
export function find(id) {
  return document.getElementById(id);
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

/** Make an HTML element with attributes and children (nodes or texts). */
export function make(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** Make an SVG element. */
export function draw(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/** Return one of the page's phrases, with values in place of `{name}`. */
export function say(key, values = {}) {
  return config.words[key].replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? String(values[name]) : whole,
  );
}

/** Draw a token around a point: its shape, and what stands on it. */
export function token(shape, colour, ink, sign, x, y, size) {
  const frame = { fill: colour, class: "token-body", "stroke-width": Math.max(size / 14, 0.8) };
  const corners = config.outlines[shape];
  const body = corners
    ? draw("polygon", {
        ...frame,
        points: corners.map(([a, b]) => `${x + a * size},${y + b * size}`).join(" "),
      })
    : draw("circle", { ...frame, cx: x, cy: y, r: size });
  const group = draw("g", {}, body);
  if (sign) {
    const length = Array.from(sign).length;
    const height = size * (length < 2 ? 1.25 : length < 3 ? 1 : 0.72);
    group.append(
      draw(
        "text",
        {
          x,
          y: y + height * 0.36,
          "font-size": height,
          "text-anchor": "middle",
          "font-weight": 600,
          fill: ink,
        },
        sign,
      ),
    );
  }
  return group;
}

/** The sum of points by category; a question mark if some depend on what is not recorded (null). */
export function total(row) {
  return row.includes(null) ? "?" : row.reduce((sum, one) => sum + one, 0);
}
