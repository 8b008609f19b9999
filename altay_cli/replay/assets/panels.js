// The scoreboard, the cards and the table. Only what differs from what is shown is drawn again.

import { goneCard, inLine, layOut } from "./cards.js";
import { find, make, say, unseen } from "./dom.js";
import { total } from "./game.js";
import { Maps } from "./maps.js";
import { entries, isEmpty, picture, shown, small } from "./things.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").FieldOf} FieldOf
 * @typedef {import("./game.js").Value} Value
 * @typedef {FieldOf & { number: number }} Numbered a field and its number in the document
 * @typedef {"line" | "count" | "cards" | "low" | "row"} Way how a slot shows its value
 *
 * @typedef {object} Slot a place in the page that shows the value of an address
 * @property {number} address
 * @property {Way} way
 * @property {HTMLElement} root what is hidden if there is nothing, and marked if it has changed
 * @property {HTMLElement} content
 * @property {boolean} stale whether it shows an old value
 * @property {() => boolean} isSeen whether it must be drawn now
 *
 * @typedef {object} Score what is drawn of a player in the scoreboard
 * @property {HTMLElement} box
 * @property {HTMLElement} who
 * @property {HTMLElement} total
 * @property {HTMLElement} bar
 * @property {HTMLElement} parts
 */

/** Everything that lies somewhere: draws itself as the game goes on. */
export class Panels {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    /** Whose cards lie below the map. @type {number | null} */
    this.seat = null;
    /** Whose cards the reader wants to see. @type {number | null} */
    this.chosen = null;
    /** Whose button is pressed. @type {number | null} */
    this.pressed = null;
    /** @type {Map<number, Slot[]>} */
    this.slots = new Map();
    /** The value that was seen last at each address. @type {(Value | undefined)[]} */
    this.drawn = [];
    /** @type {Set<Slot>} */
    this.stale = new Set();
    /** Slots that show what has gone from them. @type {Set<Slot>} */
    this.touched = new Set();
    /** @type {Set<Element>} */
    this.marked = new Set();
    /** The points that are drawn. @type {import("./game.js").Points | null} */
    this.scored = null;
    /** @type {Map<string, number>} */
    this.addressOf = new Map();
    for (const [number, [field, seat]] of game.data.addresses.entries()) {
      this.addressOf.set(`${field} ${seat}`, number);
    }
    this.used = this.#used();
    this.hasMap = game.data.boards.length > 0;
    document.body.classList.toggle("mapless", !this.hasMap);
    this.maps = new Maps(game);
    this.#table();
    /** @type {Score[]} */
    this.scores = game.data.players.map((_, seat) => this.#player(seat));
    find("players").replaceChildren(...this.scores.map(({ box }) => box));
    this.#hands();
  }

  // ---------------------------------------------------------------- building

  /**
   * @param {FieldOf["part"]} part
   * @returns {Numbered[]}
   */
  #fields(part) {
    return this.game.data.fields
      .map((field, number) => ({ ...field, number }))
      .filter((field) => field.part === part);
  }

  /**
   * Add a slot for the value of a field; null where the game never has one.
   * @param {Numbered} field
   * @param {number | null} seat
   * @param {Way} way
   * @param {HTMLElement} root
   * @param {HTMLElement} content
   */
  #slot(field, seat, way, root, content, isSeen = () => true) {
    const address = this.addressOf.get(`${field.number} ${seat}`);
    root.hidden = true;
    root.dataset.field = field.id;
    if (address !== undefined) {
      const slot = { address, way, root, content, stale: true, isSeen };
      this.slots.set(address, [...(this.slots.get(address) ?? []), slot]);
      this.stale.add(slot);
    }
    return root;
  }

  /**
   * Whether a field of a player ever shows something in this game.
   * @param {Numbered} field
   * @param {number} seat
   */
  #isUsed(field, seat) {
    return this.used.has(this.addressOf.get(`${field.number} ${seat}`) ?? -1);
  }

  /** The addresses at which something lies at some moment. */
  #used() {
    const { opening, steps, values } = this.game.data;
    const found = new Set(opening.cells.filter(([, value]) => !isEmpty(values[value])).map(([address]) => address));
    for (const { cells = [] } of steps) {
      for (let i = 0; i < cells.length; i += 4) {
        if (!found.has(cells[i]) && !isEmpty(values[cells[i + 1]])) {
          found.add(cells[i]);
        }
      }
    }
    return found;
  }

  /** @param {Numbered} field */
  #title(field) {
    return field.cite ? `${field.title} – ${say("see")}: ${field.cite}` : field.title;
  }

  /**
   * A row: title and value.
   * @param {Numbered} field
   * @param {number | null} seat
   */
  #row(field, seat, isSeen = () => true) {
    const content = make("dd");
    const root = make("div", {}, make("dt", { title: this.#title(field) }, field.title), content);
    return this.#slot(field, seat, "row", root, content, isSeen);
  }

  /**
   * A part of the scoreboard's line.
   * @param {Numbered} field
   * @param {number} seat
   * @param {Way} way
   */
  #fact(field, seat, way) {
    const content = make("dd");
    const path = this.game.icon(field.icon);
    const title = make("dt", {}, ...(path ? [picture(path)] : []), make("span", {}, field.title));
    const root = make("div", { class: path ? "fact pictured" : "fact", title: this.#title(field) }, title, content);
    return this.#slot(field, seat, way, root, content);
  }

  /**
   * A panel of cards.
   * @param {Numbered} field
   * @param {number | null} seat
   */
  #cards(field, seat, isSeen = () => true) {
    const content = make("div", { class: "fan" });
    const heading = make("h3", { title: this.#title(field) });
    if (seat !== null && this.hasMap) {
      heading.append(make("span", { class: "whose" }, this.game.name(seat)), " · ");
    }
    heading.append(field.title);
    const way = seat === null ? "low" : "cards";
    const root = make("section", { class: seat === null ? "shared" : "panel own" }, heading, content);
    return this.#slot(field, seat, way, root, content, isSeen);
  }

  #table() {
    const fields = this.#fields("table");
    const cards = fields.filter(({ role }) => role === "cards");
    const rows = fields.filter(({ role }) => role !== "cards");
    find("display").replaceChildren(...cards.map((field) => this.#cards(field, null)));
    find("table").replaceChildren(...rows.map((field) => this.#row(field, null)));
  }

  /**
   * @param {number} seat
   * @returns {Score}
   */
  #player(seat) {
    const { game } = this;
    const player = game.thing(game.data.players[seat]);
    const fields = this.#fields("player");
    const line = fields
      .filter(({ role }) => role === "line" || role === "cards")
      .map((field) => this.#fact(field, seat, field.role === "cards" ? "count" : "line"));
    const others = this.hasMap
      ? fields.filter((field) => field.role !== "line" && field.role !== "cards" && this.#isUsed(field, seat))
      : [];
    const rest = make("details", { class: "rest", hidden: !others.length }, make("summary", {}, say("more")));
    rest.append(make("dl", {}, ...others.map((field) => this.#row(field, seat, () => rest.open))));
    rest.open = !fields.some(({ role }) => role === "line"); // nothing else shows them
    rest.addEventListener("toggle", () => this.#drawStale());
    const [sum, bar, parts] = [
      make("span", { class: "total" }),
      make("div", { class: "bar", "aria-hidden": "true" }),
      make("ul", { class: "parts hidden-text" }),
    ];
    const who = make(
      "button",
      { type: "button", class: "who", "data-seat": seat, "aria-pressed": "false" },
      small(game, player),
      make("span", { class: "name" }, player.name),
    );
    const box = make(
      "section",
      { class: line.length > 2 && game.data.players.length > 2 ? "player full" : "player", "aria-labelledby": `player-${seat}`, "data-player": seat },
      make("h3", { id: `player-${seat}` }, who, sum),
      bar,
      parts,
      make("dl", { class: "facts", hidden: !line.length }, ...line),
      rest,
    );
    this.#colour(box, seat);
    return { box, who, total: sum, bar, parts };
  }

  /**
   * Let an element have the colour of a player.
   * @param {HTMLElement} element
   * @param {number} seat
   */
  #colour(element, seat) {
    const { colour } = this.game.thing(this.game.data.players[seat]);
    element.style.setProperty("--seat", colour);
  }

  /** The cards of the players: below the map those of one; without a map those of all. */
  #hands() {
    const fields = this.#fields("player").filter(({ role }) =>
      this.hasMap ? role === "cards" : role !== "line",
    );
    this.hands = this.game.data.players.map((_, seat) => {
      const isSeen = () => !this.hasMap || seat === this.seat;
      const panels = fields.map((field) => this.#cards(field, seat, isSeen));
      const hand = make("section", { class: "hand", "aria-label": this.game.name(seat) });
      if (!this.hasMap) {
        hand.append(make("h2", {}, this.game.name(seat)));
      }
      hand.append(...panels);
      this.#colour(hand, seat);
      return hand;
    });
    find("mats").hidden = this.hasMap;
    find(this.hasMap ? "hands" : "mats").replaceChildren(...this.hands);
    find("hands").hidden = !this.hasMap || !fields.length;
  }

  // ---------------------------------------------------------------- drawing

  /** Draw the present state, and mark what the last step has changed. */
  update() {
    const { game } = this;
    const changes = game.changes();
    const different = [];
    for (const address of game.touched) {
      const value = game.value(address);
      if (this.drawn[address] !== value) {
        this.drawn[address] = value;
        different.push(address);
        this.#markStale(this.slots.get(address) ?? []);
      }
    }
    game.touched.clear();
    this.#unmark();
    for (const { address } of changes) {
      this.#markStale(this.slots.get(address) ?? []);
    }
    this.#focus();
    this.#drawStale(new Map(changes.map(({ address, before }) => [address, before])));
    this.maps.update(different, changes.map(({ address }) => address));
    this.#score();
    this.#highlight(changes);
    this.#shelves();
  }

  /** Clear away what the step before has shown to be gone or new. */
  #unmark() {
    for (const { root, content } of this.touched) {
      content.querySelectorAll(".gone").forEach((one) => one.remove());
      content.querySelectorAll(".fresh").forEach((one) => one.classList.remove("fresh"));
      root.hidden = !content.childElementCount;
    }
    this.touched.clear();
  }

  /** @param {Iterable<Slot>} slots */
  #markStale(slots) {
    for (const slot of slots) {
      this.stale.add(slot);
    }
  }

  /** Show the cards of the player that the reader chose, or else of the one who moved. */
  #focus() {
    const { game } = this;
    this.seat = this.chosen ?? game.viewer ?? game.mover ?? this.seat ?? 0;
    for (const [seat, hand] of (this.hands ?? []).entries()) {
      hand.classList.toggle("away", this.hasMap && seat !== this.seat);
    }
    if (this.chosen !== this.pressed) {
      this.pressed = this.chosen;
      for (const [seat, { who }] of this.scores.entries()) {
        who.setAttribute("aria-pressed", String(seat === this.chosen));
      }
    }
  }

  /**
   * Show the cards of a player from now on; those of the one who moves if these are shown already.
   * @param {number} seat
   */
  choose(seat) {
    this.chosen = this.chosen === seat ? null : seat;
    this.#focus();
    this.#drawStale();
    this.#shelves();
  }

  /** @param {Map<number, Value | undefined>} before what lay where the last step changed something */
  #drawStale(before = new Map()) {
    for (const slot of this.stale) {
      if (!slot.isSeen()) {
        continue;
      }
      this.stale.delete(slot);
      this.#draw(slot, before);
    }
  }

  /**
   * @param {Slot} slot
   * @param {Map<number, Value | undefined>} before
   */
  #draw(slot, before) {
    const { game } = this;
    const { root, content, way, address } = slot;
    const value = game.value(address);
    const old = before.get(address);
    if (value === undefined || (isEmpty(value) && !(old && way === "cards"))) {
      root.hidden = true;
      content.replaceChildren();
      return;
    }
    root.hidden = false;
    if (way === "row") {
      content.replaceChildren(...shown(game, value));
    } else if (way === "line" || way === "count") {
      content.replaceChildren(...inLine(game, value, way === "count"));
      root.classList.toggle("drawn", content.querySelector("img, .chip") !== null);
      root.classList.toggle("listed", content.querySelector(".named") !== null);
      root.classList.toggle("wide", (value.groups ?? []).some(([of]) => of !== null) && way === "line");
    } else {
      layOut(game, content, value, way === "low");
      if (before.has(address)) {
        this.#markDifferences(slot, old, value);
      }
    }
  }

  /**
   * Show what has gone from a panel of cards, and mark what is new.
   * @param {Slot} slot
   * @param {Value | undefined} old
   * @param {Value} value
   */
  #markDifferences(slot, old, value) {
    const [had, has] = [counted(old), counted(value)];
    for (const [thing, count] of had) {
      const gone = count - (has.get(thing) ?? 0);
      if (gone > 0 && slot.way === "cards") {
        slot.content.append(goneCard(this.game, thing, gone));
      }
    }
    for (const [thing, count] of has) {
      if (count > (had.get(thing) ?? 0)) {
        [...slot.content.querySelectorAll(`[data-card="${thing}"]:not(.gone)`)].at(-1)?.classList.add("fresh");
      }
    }
    this.touched.add(slot);
  }

  #score() {
    const { game } = this;
    const points = game.points[game.now];
    if (points === this.scored) {
      return;
    }
    this.scored = points;
    const sums = points.map((row) => row.reduce((/** @type {number} */ sum, one) => sum + Math.max(one ?? 0, 0), 0));
    const most = Math.max(...sums, 1);
    for (const [seat, score] of this.scores.entries()) {
      const row = points[seat] ?? [];
      const count = total(row);
      score.total.replaceChildren(
        ...(row.length ? [make("b", {}, String(count)), unseen(say(count === 1 ? "point" : "points", { count: "" }))] : []),
      );
      const titled = row
        .map((number, category) => ({ number, category, title: game.data.categories[category] }))
        .filter(({ number }) => number !== 0);
      score.parts.replaceChildren(...titled.map(({ number, title }) => make("li", {}, `${title} ${number ?? "?"}`)));
      score.bar.hidden = !row.length;
      score.bar.style.setProperty("width", `${(sums[seat] / most) * 100}%`);
      score.bar.replaceChildren(
        ...titled.map(({ number, category, title }) => {
          const part = make("i", { class: `c${category % 8}`, title: `${title} ${number ?? "?"}` });
          part.style.setProperty("flex-grow", String(Math.max(number ?? 0, 0)));
          return part;
        }),
      );
    }
  }

  /** @param {{ address: number }[]} changes */
  #highlight(changes) {
    const { game } = this;
    // Cards that are new or gone are marked one by one.
    const slots = changes.flatMap(({ address }) => this.slots.get(address) ?? []);
    const marked = new Set(slots.filter(({ way }) => way !== "cards" && way !== "low").map(({ root }) => root));
    for (const element of this.marked) {
      element.classList.remove("changed");
    }
    for (const element of marked) {
      element.classList.add("changed");
    }
    this.marked = marked;
    const { active, ended } = game.course();
    for (const [seat, { box }] of this.scores.entries()) {
      box.classList.toggle("active", seat === active && !ended);
    }
  }

  /** Hide the shelves on which nothing lies. */
  #shelves() {
    const isBare = (/** @type {HTMLElement} */ shelf) =>
      [...shelf.children].every((child) => /** @type {HTMLElement} */ (child).hidden);
    find("shared").hidden = isBare(find("display")) && isBare(find("table"));
    find("shelf").hidden = find("hands").hidden && find("shared").hidden;
    find("shelf").classList.toggle("few", find("hands").hidden && find("display").childElementCount === 0 && this.hasMap);
  }

  /**
   * The elements that show an address: cards first, then facts, a place of a map, the player.
   * @param {number} address
   * @returns {Element[]}
   */
  elements(address) {
    const slots = (this.slots.get(address) ?? []).filter((slot) => !slot.root.hidden && slot.isSeen());
    const place = this.maps.element(address);
    const seat = this.game.data.addresses[address][1];
    const player = seat === null ? [] : [this.scores[seat].box];
    return [...slots.map(({ root }) => root).reverse(), ...(place ? [place] : []), ...player];
  }
}

/**
 * How many of each thing a value has.
 * @param {Value | undefined} value
 * @returns {Map<number, number>}
 */
export function counted(value) {
  const found = new Map();
  for (const [of, items] of value?.groups ?? []) {
    if (Array.isArray(items)) {
      for (const [thing, count] of entries(items)) {
        found.set(thing, (found.get(thing) ?? 0) + count);
      }
    } else if (Array.isArray(of) && typeof items === "number" && of[0].length === 2) {
      found.set(of[0][0], (found.get(of[0][0]) ?? 0) + items);
    }
  }
  return found;
}
