/** Small drawings, 24 by 24, filled with the colour of the text. */

import { html, svg, type TemplateResult } from "lit-html";

const PATHS = {
  error: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm4.2 12.8-1.4 1.4L12 13.4l-2.8 2.8-1.4-1.4 2.8-2.8-2.8-2.8 1.4-1.4 2.8 2.8 2.8-2.8 1.4 1.4-2.8 2.8z",
  warning: "M12 2.5 23 21.5H1zM11 9v6h2V9zm0 8v2h2v-2z",
  note: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM11 7h2v2h-2zm0 4h2v6h-2z",
  legal: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1.4 14.4-4.2-4.2 1.5-1.5 2.7 2.7 5.6-5.6 1.5 1.5z",
  unknown: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM11 16h2v2h-2zm1-10a4 4 0 0 1 1.6 7.7c-.5.2-.6.5-.6 1.3h-2c0-1.6.5-2.5 1.7-3.1a2 2 0 1 0-2.7-1.9H7a4 4 0 0 1 4-4z",
  book: "M4 4h6a2 2 0 0 1 2 2 2 2 0 0 1 2-2h6v15h-6a2 2 0 0 0-2 1 2 2 0 0 0-2-1H4z",
  wand: "M14 3l2 4 4 2-4 2-2 4-2-4-4-2 4-2zM10.5 13.5l-6 6L3 21l1.5-1.5M3 19.5l6.5-6.5 1.5 1.5L4.5 21z",
  open: "M3 5h6l2 2h10v12H3zM5 10v7h14v-7z",
  folder: "M3 5h6l2 2h10v12H3z",
  new: "M6 2h8l4 4v16H6zm5 8v3H8v2h3v3h2v-3h3v-2h-3v-3z",
  pad: "M4 3h16v18H4zm2 2v3h5V5zm7 0v3h5V5zM6 10v3h5v-3zm7 0v3h5v-3zm-7 5v4h5v-4zm7 0v4h5v-4z",
  save: "M11 3h2v9l3.5-3.5L18 10l-6 6-6-6 1.5-1.5L11 12zM4 18h16v3H4z",
  link: "M10 6H7a6 6 0 0 0 0 12h3v-2.5H7a3.5 3.5 0 0 1 0-7h3zm4 0h3a6 6 0 0 1 0 12h-3v-2.5h3a3.5 3.5 0 0 0 0-7h-3zM8 11h8v2H8z",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  globe: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm6.9 6h-2.9a15 15 0 0 0-1.4-3.5A8 8 0 0 1 18.9 8zM12 4c.8 1.2 1.5 2.5 1.9 4h-3.8c.4-1.5 1.1-2.8 1.9-4zM4.3 14a8 8 0 0 1 0-4h3.4a16 16 0 0 0 0 4zm.8 2H8c.3 1.2.8 2.4 1.4 3.5A8 8 0 0 1 5.1 16zM8 8H5.1a8 8 0 0 1 4.3-3.5C8.8 5.6 8.3 6.8 8 8zm4 12c-.8-1.2-1.5-2.5-1.9-4h3.8c-.4 1.5-1.1 2.8-1.9 4zm2.3-6H9.7a14 14 0 0 1 0-4h4.6a14 14 0 0 1 0 4zm.3 5.5c.6-1.1 1.1-2.3 1.4-3.5h2.9a8 8 0 0 1-4.3 3.5zm1.8-5.5a16 16 0 0 0 0-4h3.4a8 8 0 0 1 0 4z",
  home: "M12 3l9 8h-2v10h-5v-6h-4v6H5V11H3z",
  trash: "M9 3h6l1 2h5v2H3V5h5zM5 9h14l-1 12H6z",
  stop: "M5 5h14v14H5z",
  print: "M6 3h12v5H6zM3 9h18v8h-3v4H6v-4H3zm5 6v4h8v-4z",
  lock: "M12 2a5 5 0 0 0-5 5v3H5v12h14V10h-2V7a5 5 0 0 0-5-5zm-3 8V7a3 3 0 0 1 6 0v3z",
  play: "M7 4v16l12-8z",
  list: "M4 5h2v2H4zm4 0h12v2H8zM4 11h2v2H4zm4 0h12v2H8zM4 17h2v2H4zm4 0h12v2H8z",
  log: "M6 2h12v20H6zm2.5 4v2h7V6zm0 4v2h7v-2zm0 4v2h5v-2z",
  crown: "M3 7l4.5 4L12 4l4.5 7L21 7l-2 12H5z",
  close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z",
  add: "M11 4h2v7h7v2h-7v7h-2v-7H4v-2h7z",
  again: "M12 4a8 8 0 0 1 7.4 5H22l-4 5-4-5h3.1A5.5 5.5 0 1 0 17.2 14.5l2 1.5A8 8 0 1 1 12 4z",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): TemplateResult {
  const path = svg`<path d=${PATHS[name]}></path>`;
  return html`<svg class="icon icon-${name}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${path}</svg>`;
}
