// Points by category over the rounds: a picture for each player, and a table of totals.

import { draw, find, make, say, total } from "./dom.js";

const WIDTH = 300;
const HEIGHT = 120;
const BASE = 100;

/** The pictures of all players' points. */
export class Chart {
  constructor(game) {
    this.game = game;
    document.querySelector(".charts").hidden = !game.data.categories.length;
    this.ends = game.roundEnds();
    const rounds = [...this.ends.entries()].sort(([a], [b]) => a - b);
    const sum = (row) => row.reduce((total, one) => total + Math.max(one, 0), 0);
    const most = Math.max(...rounds.flatMap(([, end]) => game.points[end].map(sum)), 1);
    this.bars = new Map(rounds.map(([round]) => [round, []]));
    find("legend").replaceChildren(
      ...game.data.categories.map((title, number) =>
        make("li", {}, make("span", { class: `swatch c${number % 8}` }), title),
      ),
    );
    find("charts").replaceChildren(
      ...game.data.players.map((thing, seat) => this.#picture(rounds, seat, most)),
    );
    this.#table(rounds);
  }

  #picture(rounds, seat, most) {
    const { game } = this;
    const name = game.name(seat);
    const step = (WIDTH - 28) / Math.max(rounds.length, 1);
    const svg = draw("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": `${say("chart")}: ${name}`,
    });
    for (const level of new Set([0, Math.ceil(most / 2), most])) {
      const y = BASE - (level / most) * (BASE - 10);
      svg.append(draw("line", { class: "grid", x1: 24, x2: WIDTH, y1: y, y2: y }));
      svg.append(draw("text", { class: "tick", x: 20, y: y + 4, "text-anchor": "end" }, String(level)));
    }
    for (const [index, [round, end]] of rounds.entries()) {
      const points = game.points[end][seat] ?? [];
      const x = 26 + index * step;
      const told = { player: name, round, points: total(points) };
      const bar = draw("g", { class: "bar" }, draw("title", {}, say("chart-row", told)));
      bar.append(draw("rect", { class: "back", x, y: 8, width: step, height: BASE - 8 }));
      let y = BASE;
      for (const [category, number] of points.entries()) {
        if (number > 0) {
          const height = (number / most) * (BASE - 10);
          y -= height;
          bar.append(draw("rect", { class: `c${category % 8}`, x: x + step * 0.1, y, width: step * 0.8, height }));
        }
      }
      this.bars.get(round).push(bar);
      svg.append(bar);
      if (index % Math.ceil(rounds.length / 10) === 0) {
        svg.append(draw("text", { class: "tick", x: x + step / 2, y: HEIGHT - 6, "text-anchor": "middle" }, String(round)));
      }
    }
    return make("figure", {}, make("figcaption", {}, name), svg);
  }

  #table(rounds) {
    const { game } = this;
    const head = make(
      "tr",
      {},
      make("th", { scope: "col" }, say("rounds")),
      ...game.data.players.map((thing, seat) => make("th", { scope: "col" }, game.name(seat))),
    );
    const body = rounds.map(([round, end]) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, String(round)),
        ...game.points[end].map((row) =>
          make("td", {}, String(total(row))),
        ),
      ),
    );
    find("totals").replaceChildren(make("thead", {}, head), make("tbody", {}, ...body));
  }

  /** Mark the present round. */
  update() {
    const round = this.game.round();
    for (const bar of this.bars.get(this.marked) ?? []) {
      bar.classList.remove("current");
    }
    this.marked = round;
    for (const bar of this.bars.get(round) ?? []) {
      bar.classList.add("current");
    }
  }
}
