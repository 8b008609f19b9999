// The points of all players over the game, above the slider; and a table of totals by rounds.

import { find, make, say, vector } from "./dom.js";
import { total } from "./game.js";

/** @typedef {import("./game.js").Game} Game */

const WIDTH = 1000;
const HEIGHT = 60;
const EDGE = 4;

/** The course of the points; the slider lies over it. */
export class Chart {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    const counts = game.data.categories.length > 0;
    find("numbers").hidden = !counts;
    find("curves").replaceChildren(this.#picture(counts));
    find("swatches").replaceChildren(
      ...game.data.categories.map((title, number) =>
        make("li", {}, make("span", { class: `swatch c${number % 8}` }), title),
      ),
    );
    this.#table();
  }

  /** @param {boolean} counts whether the players have points */
  #picture(counts) {
    const { game } = this;
    const across = (/** @type {number} */ moment) => (moment / Math.max(game.count, 1)) * WIDTH;
    const svg = vector("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
      focusable: "false",
    });
    const rounds = game.rounds.filter((moment) => moment > 1);
    const lines = rounds.map((moment) => `M${across(moment).toFixed(1)} 0V${HEIGHT}`);
    svg.append(vector("path", { class: "rounds", d: lines.join("") }));
    if (counts) {
      const sums = game.points.map((rows) => rows.map((row) => total(row)));
      const most = Math.max(1, ...sums.flat().map((sum) => (sum === "?" ? 0 : sum)));
      for (const [seat, thing] of game.data.players.entries()) {
        const curve = vector("path", { class: "curve", d: this.#curve(sums.map((row) => row[seat]), most, across) });
        curve.style.setProperty("--seat", game.thing(thing).colour);
        svg.append(curve);
      }
    }
    return svg;
  }

  /**
   * The path of a player's points: level, but for where they change.
   * @param {(number | "?" | undefined)[]} sums
   * @param {number} most
   * @param {(moment: number) => number} across
   */
  #curve(sums, most, across) {
    const up = (/** @type {number} */ sum) => HEIGHT - EDGE - (sum / most) * (HEIGHT - 2 * EDGE);
    let last = typeof sums[0] === "number" ? sums[0] : 0;
    let path = `M0 ${up(last).toFixed(1)}`;
    for (const [moment, sum] of sums.entries()) {
      if (typeof sum === "number" && sum !== last) {
        path += `H${across(moment).toFixed(1)}V${up(sum).toFixed(1)}`;
        last = sum;
      }
    }
    return `${path}H${WIDTH}`;
  }

  #table() {
    const { game } = this;
    const rounds = [...game.roundEnds().entries()].sort(([a], [b]) => a - b);
    const head = make(
      "tr",
      {},
      make("th", { scope: "col" }, say("rounds")),
      ...game.data.players.map((_, seat) => make("th", { scope: "col" }, game.name(seat))),
    );
    const body = rounds.map(([round, end]) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, String(round)),
        ...game.points[end].map((row) => make("td", {}, String(total(row)))),
      ),
    );
    find("totals").replaceChildren(make("thead", {}, head), make("tbody", {}, ...body));
  }

  /** Let what is still to come be pale. */
  update() {
    const { now, count } = this.game;
    const passed = count ? (now / count) * 100 : 0;
    find("future").style.setProperty("transform", `translateX(${passed}%)`);
  }
}
