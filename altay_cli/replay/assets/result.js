// How the game ended: who won, by what, and how it was counted.

import { find, make, say } from "./dom.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Result} Result
 */

/** The panel that is shown at the end. */
export class Outcome {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.closed = false;
    const { result, verdict } = game.data;
    find("verdict").textContent = verdict;
    find("ranks").hidden = !game.data.categories.length;
    find("result").classList.toggle("brief-result", !game.data.categories.length);
    find("ranks").replaceChildren(...(result ? this.#ranks(result) : []));
    find("derivation").replaceChildren(...(result ? this.#derivation(result) : []));
  }

  /** Shown at the end, until the reader closes it; shown again when the end is reached anew. */
  update() {
    const over = this.game.now === this.game.count && Boolean(this.game.data.result);
    this.closed &&= over;
    find("result").hidden = !over || this.closed;
    document.body.classList.toggle("counted", over && !this.closed);
  }

  close() {
    this.closed = true;
    this.update();
  }

  /** @param {Result} result */
  #ranks({ ranks, winners }) {
    const { game } = this;
    const { categories } = game.data;
    const points = game.points[game.count];
    const head = make(
      "tr",
      {},
      make("th", { scope: "col" }, say("rank")),
      make("th", { scope: "col" }, say("player")),
      ...categories.map((title) => make("th", { scope: "col" }, title)),
      make("th", { scope: "col" }, say("total")),
    );
    const rows = ranks.map(([seat, rank, sum]) =>
      make(
        "tr",
        { class: winners.includes(seat) ? "winner" : null },
        make("td", {}, rank === null ? "" : String(rank)),
        make("th", { scope: "row" }, game.name(seat)),
        ...categories.map((_, category) => make("td", {}, String(points[seat]?.[category] ?? "?"))),
        make("td", { class: "sum" }, String(sum ?? "?")),
      ),
    );
    return [make("thead", {}, head), make("tbody", {}, ...rows)];
  }

  /**
   * What decided between equals, and how all points were counted.
   * @param {Result} result
   */
  #derivation({ lines, decided, ranks }) {
    const best = ranks[0]?.[2];
    const equal = new Set(ranks.filter(([, , sum]) => sum === best).map(([seat]) => seat));
    const decisive = lines
      .filter(([seat]) => decided && equal.has(seat))
      .map(([seat, derived]) => ({ seat, part: category(derived, decided) }));
    return [
      ...decisive.map(({ seat, part }) =>
        make("section", { class: "decisive" }, make("h3", {}, this.game.name(seat)), listed(part)),
      ),
      ...lines.map(([seat, derived]) => {
        const title = say("counted", { player: this.game.name(seat) });
        return make("details", {}, make("summary", {}, title), listed(derived));
      }),
    ];
  }
}

/** @typedef {[level: number, text: string]} Line */

/**
 * The lines of one category.
 * @param {Line[]} lines
 * @param {string} title
 */
function category(lines, title) {
  const start = lines.findIndex(([level, text]) => level === 1 && text.startsWith(`${title}:`));
  const length = lines.slice(start + 1).findIndex(([level]) => level < 2);
  return start < 0 ? [] : lines.slice(start, length < 0 ? undefined : start + 1 + length);
}

/** @param {Line[]} lines */
function listed(lines) {
  return make("ul", {}, ...lines.map(([level, text]) => make("li", { class: `level-${level}` }, text)));
}
