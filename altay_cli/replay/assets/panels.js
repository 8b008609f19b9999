// Maps, the table and the players. Only what differs from what is shown already is drawn again.

import { drawBoard, onTap } from "./board.js";
import { find, make, say, total } from "./dom.js";
import { about, chip, isEmpty, shown, small } from "./things.js";

/** Everything that lies somewhere: draws itself as the game goes on. */
export class Panels {
  constructor(game) {
    this.game = game;
    this.drawn = new Map();
    this.rows = new Map();
    this.maps = [];
    this.#sort();
    this.#maps();
    this.#table();
    this.#players();
    this.marked = new Set();
  }

  /** Find out which addresses belong to which place of a map, in the order of the fields. */
  #sort() {
    const { addresses, fields } = this.game.data;
    this.atPlace = new Map();
    this.atRow = new Map();
    for (const [number, [field, seat, place]] of addresses.entries()) {
      const key = fields[field].part === "map" ? `${fields[field].board} ${place}` : `${field} ${seat}`;
      const there = fields[field].part === "map" ? this.atPlace : this.atRow;
      there.set(key, [...(there.get(key) ?? []), number]);
    }
    for (const list of this.atPlace.values()) {
      list.sort((a, b) => addresses[a][0] - addresses[b][0]);
    }
  }

  #maps() {
    const { boards, players } = this.game.data;
    find("maps").hidden = !boards.length;
    find("maps").parentElement.classList.toggle("mapless", !boards.length);
    find("maps").replaceChildren(
      ...boards.map((board, number) => {
        const map = find(`map-${board.map}`).content.cloneNode(true).firstElementChild;
        const things = new Map(board.places.map((thing) => [this.game.thing(thing).ref, thing]));
        this.maps.push({ svg: map, things, contents: {} });
        onTap(map, (ref) => {
          const texts = this.tokens(`${number} ${things.get(ref)}`).map(({ text }) => text);
          about(this.game, things.get(ref), [...new Set(texts)]);
        });
        const title = `map-title-${number}`;
        return make(
          "section",
          { class: "board", "aria-labelledby": title },
          make("h2", { id: title }, board.title),
          map,
          make(
            "ul",
            { class: "legend" },
            ...[...board.grounds, ...players].map((one) => make("li", {}, chip(this.game, one))),
          ),
        );
      }),
    );
  }

  #fields(part) {
    return this.game.data.fields
      .map((field, number) => ({ ...field, number }))
      .filter((field) => field.part === part);
  }

  #row(field, seat) {
    const content = make("dd");
    const title = field.cite ? `${say("see")}: ${field.cite}` : null;
    const row = make("div", { hidden: true }, make("dt", { title }, field.title), content);
    row.dataset.field = field.id;
    for (const address of this.atRow.get(`${field.number} ${seat}`) ?? []) {
      this.rows.set(address, { row, content });
    }
    return row;
  }

  #table() {
    const rows = this.#fields("table").map((field) => this.#row(field, null));
    find("table").replaceChildren(...rows);
    find("table-section").hidden = !rows.length;
  }

  #players() {
    this.scores = [];
    const fields = this.#fields("player");
    find("players").replaceChildren(
      ...this.game.data.players.map((number, seat) => {
        const player = this.game.thing(number);
        const total = make("span", { class: "total" });
        const parts = make("ul", { class: "parts" });
        const box = make(
          "section",
          { class: "player", "aria-labelledby": `player-${seat}` },
          make(
            "h3",
            { id: `player-${seat}` },
            ...[small(player)].filter(Boolean),
            make("span", { class: "name" }, player.name),
            total,
          ),
          parts,
          make("dl", {}, ...fields.map((field) => this.#row(field, seat))),
        );
        this.scores.push({ total, parts, box });
        return box;
      }),
    );
  }

  // ---------------------------------------------------------------- drawing

  /** Draw the present state, and mark what the last step has changed. */
  update() {
    const { game } = this;
    const places = new Set();
    for (let address = 0; address < game.cells.length; address += 1) {
      const value = game.value(address);
      if (this.drawn.has(address) && this.drawn.get(address) === value) {
        continue;
      }
      this.drawn.set(address, value);
      const row = this.rows.get(address);
      if (row) {
        row.row.hidden = value === undefined || isEmpty(value);
        row.content.replaceChildren(...(value === undefined ? [] : shown(game, value)));
      } else {
        const [field, , place] = game.data.addresses[address];
        places.add(`${game.data.fields[field].board} ${place}`);
      }
    }
    for (const key of places) {
      const [board, place] = key.split(" ").map(Number);
      const { ref } = game.thing(place);
      this.maps[board].contents[ref] = { tokens: this.tokens(key), owner: this.#owner(key) };
    }
    this.#score();
    this.#highlight();
  }

  /** The tokens at a place, of all its fields. */
  tokens(key) {
    return (this.atPlace.get(key) ?? []).flatMap((address) => {
      const value = this.game.value(address);
      return value === undefined ? [] : value.tokens;
    });
  }

  #owner(key) {
    const values = (this.atPlace.get(key) ?? []).map((address) => this.game.value(address));
    return values.find((value) => value?.holder !== undefined)?.holder ?? null;
  }

  #score() {
    const { game } = this;
    const points = game.points[game.now];
    if (points === this.scored) {
      return;
    }
    this.scored = points;
    for (const [seat, score] of this.scores.entries()) {
      const row = points[seat] ?? [];
      const count = total(row);
      score.total.textContent = row.length ? say(count === 1 ? "point" : "points", { count }) : "";
      score.parts.replaceChildren(
        ...row
          .map((number, category) => [number, game.data.categories[category]])
          .filter(([number]) => number !== 0)
          .map(([number, title]) => make("li", {}, `${title} ${number ?? "?"}`)),
      );
    }
  }

  /** Bring a player into view, where the players have a column that scrolls by itself. */
  #into(player) {
    const column = player?.closest(".players");
    if (!column || column.scrollHeight <= column.clientHeight) {
      return;
    }
    const [place, box] = [player.getBoundingClientRect(), column.getBoundingClientRect()];
    if (place.top < box.top || place.bottom > box.bottom) {
      column.scrollTop += place.top - box.top - 12;
    }
  }

  #arrow() {
    if (!this.game.step?.arrow) {
      return null;
    }
    const [from, to, label] = this.game.step.arrow;
    return { from: this.game.thing(from).ref, to: this.game.thing(to).ref, label };
  }

  #highlight() {
    const { game } = this;
    const marked = new Set();
    const places = this.maps.map(() => []);
    for (const { address } of game.changes()) {
      const [field, , place] = game.data.addresses[address];
      const row = this.rows.get(address);
      if (row) {
        marked.add(row.row);
      } else {
        places[game.data.fields[field].board].push(game.thing(place).ref);
      }
    }
    for (const [board, { svg, contents }] of this.maps.entries()) {
      const seats = game.data.players.map((number) => game.thing(number));
      drawBoard(svg, { seats, places: contents, changed: places[board], arrow: this.#arrow() });
    }
    for (const element of this.marked) {
      if (!marked.has(element)) {
        element.classList.remove("changed");
      }
    }
    for (const element of marked) {
      element.classList.add("changed");
    }
    this.marked = marked;
    this.#into([...marked].map((element) => element.closest(".player")).find(Boolean));
    const { active, ended } = game.course();
    for (const [seat, { box }] of this.scores.entries()) {
      box.classList.toggle("active", seat === active && !ended);
    }
  }
}
