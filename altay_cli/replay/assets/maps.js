// The maps of a game, which `board.js` draws: what lies at their places now.

import { drawBoard, onTap } from "./board.js";
import { find, make } from "./dom.js";
import { about } from "./things.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").BoardOf} BoardOf
 * @typedef {import("./board.js").Contents} Contents
 * @typedef {import("./board.js").Token} Token
 * @typedef {{ svg: SVGSVGElement, contents: Record<string, Contents> }} DrawnMap
 */

/** All maps of a game. */
export class Maps {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    /** The addresses of each place by board and thing, in the order of the fields. @type {Map<string, number[]>} */
    this.addresses = new Map();
    this.seats = game.data.players.map((number) => {
      const { colour, ink } = game.thing(number);
      return { colour: colour ?? "#000000", ink: ink ?? "#ffffff" };
    });
    this.#sort();
    find("maps").hidden = !game.data.boards.length;
    const sections = game.data.boards.map((board, number) => this.#build(board, number));
    find("maps").replaceChildren(...sections.map(({ section }) => section));
    /** @type {DrawnMap[]} */
    this.maps = sections.map(({ svg }) => ({ svg, contents: {} }));
  }

  /**
   * The place that an address belongs to: its board and thing; null if it belongs to none.
   * @param {number} address
   */
  #place(address) {
    const { addresses, fields } = this.game.data;
    const [field, , place] = addresses[address];
    const { board } = fields[field];
    return board === null || place === null ? null : { board, place, key: `${board} ${place}` };
  }

  #sort() {
    const { addresses } = this.game.data;
    for (const number of addresses.keys()) {
      const place = this.#place(number);
      if (place) {
        this.addresses.set(place.key, [...(this.addresses.get(place.key) ?? []), number]);
      }
    }
    for (const list of this.addresses.values()) {
      list.sort((a, b) => addresses[a][0] - addresses[b][0]);
    }
  }

  /**
   * @param {BoardOf} board
   * @param {number} number
   */
  #build(board, number) {
    const template = find(`map-${board.map}`, HTMLTemplateElement);
    const made = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const svg = /** @type {SVGSVGElement} */ (made.firstElementChild);
    const things = new Map(board.places.map((thing) => [this.game.thing(thing).ref, thing]));
    onTap(svg, (ref) => {
      const thing = things.get(ref);
      if (thing !== undefined) {
        const texts = this.#tokens(`${number} ${thing}`).map(({ text }) => text);
        about(this.game, thing, [...new Set(texts)]);
      }
    });
    const kind = svg.classList.contains("land") ? "board land" : "board";
    return { section: make("section", { class: kind, "aria-label": board.title }, svg), svg };
  }

  /**
   * The values that are seen at a place, of all its fields.
   * @param {string} key
   */
  #values(key) {
    return (this.addresses.get(key) ?? []).map((address) => this.game.value(address));
  }

  /**
   * @param {string} key
   * @returns {Token[]}
   */
  #tokens(key) {
    return this.#values(key).flatMap((value) => value?.tokens ?? []);
  }

  /**
   * Draw what differs, and mark the places that the last move changed.
   * @param {number[]} different addresses whose values differ from what is drawn
   * @param {number[]} changed addresses that the last move changed
   */
  update(different, changed) {
    const { game } = this;
    for (const { board, place, key } of this.#places(different)) {
      const owner = this.#values(key).find((value) => value?.holder !== undefined)?.holder ?? null;
      this.maps[board].contents[game.thing(place).ref] = { tokens: this.#tokens(key), owner };
    }
    const marked = this.#places(changed);
    const arrow = this.#arrow();
    for (const [number, { svg, contents }] of this.maps.entries()) {
      const refs = marked.filter(({ board }) => board === number).map(({ place }) => game.thing(place).ref);
      drawBoard(svg, { seats: this.seats, places: contents, changed: refs, arrow });
    }
  }

  /** @param {number[]} addresses */
  #places(addresses) {
    return addresses.map((address) => this.#place(address)).filter((place) => place !== null);
  }

  #arrow() {
    const { step } = this.game;
    if (!step?.arrow) {
      return null;
    }
    const [from, to, label] = step.arrow;
    return { from: this.game.thing(from).ref, to: this.game.thing(to).ref, label };
  }

  /**
   * The element of the place that an address belongs to.
   * @param {number} address
   */
  element(address) {
    const place = this.#place(address);
    const ref = place && CSS.escape(this.game.thing(place.place).ref);
    return place ? this.maps[place.board].svg.querySelector(`[data-ref="${ref}"]`) : null;
  }
}
