// The log: its statements by turns, with the findings at their places.

import { find, make, say } from "./dom.js";
import { Names, small } from "./things.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Piece} Piece
 * @typedef {import("./game.js").Segment} Segment
 * @typedef {import("./game.js").FindingOf} FindingOf
 *
 * @typedef {object} Veiled a part whose text depends on who reads it
 * @property {HTMLElement} part
 * @property {string} text
 * @property {string} veil
 * @property {number[]} knowers
 */

const STATEMENT = 1;
const COMMENT = 2;
const BRIEF = 14;
/** The verb of a statement, behind the name of its player if there is one. */
const VERB = /^(\s*)([\p{L}\p{N}_-]+(?::\s*[\p{L}_-]+)?)(.*)$/su;
const SIGNS = { error: "✖", warning: "▲", note: "●" };

/** The list of the log's statements. */
export class Log {
  /**
   * @param {Game} game
   * @param {(moment: number) => void} go
   * @param {string} prefix what links to moments of this game begin with
   */
  constructor(game, go, prefix) {
    this.game = game;
    this.go = go;
    this.prefix = prefix;
    this.names = new Names(game);
    /** @type {Veiled[]} */
    this.veiled = [];
    /** @type {Map<number, HTMLAnchorElement>} */
    this.links = new Map();
    /** The pieces of each step's statement, with who knows them. @type {Map<number, { piece: Piece, knowers: number[] }[]>} */
    this.pieces = new Map();
    /** @type {(FindingOf & { entry: HTMLElement })[]} */
    this.findings = [];
    /** Whether all statements are so short that two of them have room beside each other. */
    this.brief = game.data.log.every(([, ...segments]) =>
      segments.every(([, moment, , ...pieces]) => moment < 0 || pieces.join("").length <= BRIEF),
    );
    /** Whether turns have headings; else the log is grouped by rounds. */
    this.headed = game.steps.filter(({ heading }) => heading).length > 1;
    this.box = find("log");
    this.list = make("ol", { class: "entries" });
    this.turn = make("section", { class: "turn" }, this.list);
    const turns = [this.turn];
    /** @type {Map<number, HTMLElement>} */
    const lines = new Map();
    for (const [line, ...segments] of game.data.log) {
      this.entry = /** @type {HTMLElement | null} */ (null);
      for (const [index, segment] of segments.entries()) {
        this.#segment(segment, segments[index + 1], turns);
      }
      const last = this.entry ?? this.list.lastElementChild ?? this.turn;
      lines.set(line, /** @type {HTMLElement} */ (last));
    }
    this.#place(lines);
    this.box.replaceChildren(...turns);
    this.at = -1;
    /** @type {number | undefined} */
    this.marked = undefined;
    /** What is brought into view. @type {Element | null} */
    this.goal = null;
    /** How many of the steps are shown to have been made. */
    this.passed = 0;
    /** Tells whether the statement of the present moment can be seen, without a layout of its own. */
    this.observer = new IntersectionObserver((entries) => this.#seen(entries), { root: this.box });
    this.#count();
    this.reveal();
  }

  // ---------------------------------------------------------------- building

  /**
   * @param {Segment} segment
   * @param {Segment | undefined} next
   * @param {HTMLElement[]} turns
   */
  #segment([kind, moment, knowers, ...pieces], next, turns) {
    if (kind === STATEMENT && moment >= 0) {
      this.#statement(moment, knowers, pieces, turns);
      return;
    }
    const text = pieces.map((piece) => (Array.isArray(piece) ? piece[0] : piece)).join("");
    if (kind !== STATEMENT && /^[\s;]*$/.test(text)) {
      return;
    }
    if (kind === COMMENT && this.entry) {
      this.entry.append(" ", make("span", { class: "comment" }, text));
      return;
    }
    if (kind === STATEMENT && turns.length > 1 && this.list.querySelector(".line, .comment")) {
      this.#open(turns); // what is written behind the last move
    }
    const name = kind === COMMENT ? "comment" : kind === STATEMENT ? "statement" : "other";
    const parts = pieces.flatMap((piece) => this.#piece(piece, knowers));
    const entry = make("li", { class: kind === STATEMENT ? "entry" : "entry aside" }, make("span", { class: name }, ...parts));
    this.list.append(entry);
    this.entry = kind === COMMENT ? null : entry;
  }

  /**
   * @param {number} moment
   * @param {number[]} knowers
   * @param {Piece[]} pieces
   * @param {HTMLElement[]} turns
   */
  #statement(moment, knowers, pieces, turns) {
    const number = moment + 1;
    const step = this.game.steps[moment];
    const known = this.pieces.get(number) ?? [];
    const goesOn = this.links.get(number);
    this.pieces.set(number, [...known, ...(known.length ? [{ piece: " ", knowers: [] }] : []), ...pieces.map((piece) => ({ piece, knowers }))]);
    if (goesOn) {
      goesOn.append(" ", this.#statementParts(pieces, knowers));
      return;
    }
    const link = make("a", { class: "line", "data-step": number });
    link.href = `${this.prefix}${encodeURIComponent(this.game.slugs[number])}`;
    this.links.set(number, link);
    if (this.#beginsTurn(moment)) {
      this.#begin(moment, turns);
    }
    if (step.heading) {
      link.append(...(this.headed ? this.#heading(moment) : [make("small", {}, say("round", { round: step.round }))]));
      this.turn.prepend(make("h3", {}, link));
      this.entry = null;
      return;
    }
    if (!this.headed && step.player !== undefined) {
      const player = small(this.game, this.game.thing(this.game.data.players[step.player]));
      player?.classList.add("of-player");
      link.append(...(player ? [player] : []), make("span", { class: "hidden-text" }, `${this.game.name(step.player)}: `));
    }
    link.append(this.#statementParts(pieces, knowers));
    this.entry = make("li", { class: "entry" }, link);
    this.list.append(this.entry);
  }

  /**
   * Whether the log has a new part from a step on: a turn with a heading, or else a round.
   * @param {number} moment
   */
  #beginsTurn(moment) {
    const { game } = this;
    return this.headed
      ? Boolean(game.steps[moment].heading)
      : moment === 0 || this.#round(moment) !== this.#round(moment - 1);
  }

  /**
   * The round in which a step is made.
   * @param {number} moment
   */
  #round(moment) {
    return this.game.round(moment) || this.game.round(moment + 1);
  }

  /**
   * @param {number} moment
   * @param {HTMLElement[]} turns
   */
  #begin(moment, turns) {
    const { game } = this;
    this.#open(turns);
    this.list.classList.toggle("brief", this.brief);
    const { active, heading } = game.steps[moment];
    const round = this.#round(moment);
    if (this.headed && active !== null) {
      this.turn.style.setProperty("--seat", game.thing(game.data.players[active]).colour);
    } else if (round && !heading) {
      this.turn.prepend(make("h3", {}, make("small", {}, say("round", { round }))));
    }
  }

  /** @param {HTMLElement[]} turns */
  #open(turns) {
    this.list = make("ol", { class: "entries" });
    this.turn = make("section", { class: "turn" }, this.list);
    turns.push(this.turn);
  }

  /** @param {number} moment */
  #heading(moment) {
    const { game } = this;
    const { player, active, round } = game.steps[moment];
    const seat = player ?? active;
    return [
      make("span", { class: "name" }, seat === null ? "" : game.name(seat)),
      " ",
      ...(round ? [make("small", {}, say("round", { round }))] : []),
    ];
  }

  /**
   * A statement: its verb, the rest, and in small print what came of it.
   * @param {Piece[]} pieces
   * @param {number[]} knowers
   */
  #statementParts(pieces, knowers) {
    const parts = document.createDocumentFragment();
    let end = /** @type {ParentNode} */ (parts);
    for (const [index, piece] of pieces.entries()) {
      if (Array.isArray(piece) || end !== parts) {
        end.append(...this.#piece(piece, knowers));
        continue;
      }
      const [plain, ...rest] = piece.split("=>");
      const verb = index ? null : VERB.exec(plain);
      if (verb) {
        parts.append(verb[1], make("b", {}, verb[2]), ...this.names.drawn(verb[3]));
      } else {
        parts.append(...this.names.drawn(plain));
      }
      if (rest.length) {
        const outcome = make("span", { class: "outcome" }, "=>", ...this.names.drawn(rest.join("=>")));
        parts.append(outcome);
        end = outcome;
      }
    }
    return parts;
  }

  /**
   * @param {Piece} piece
   * @param {number[]} knowers
   * @returns {(Node | string)[]}
   */
  #piece(piece, knowers) {
    if (!Array.isArray(piece)) {
      return this.names.drawn(piece);
    }
    const [text, veil] = piece;
    const part = make("span", { class: "private" });
    this.veiled.push({ part, text, veil, knowers });
    return [part];
  }

  /**
   * Put the findings behind the statements of their lines.
   * @param {Map<number, HTMLElement>} lines
   */
  #place(lines) {
    for (const finding of [...this.game.data.findings].reverse()) {
      const entry = this.#finding(finding);
      const near = lines.get(finding.line);
      if (near?.tagName === "LI") {
        near.after(entry);
      } else {
        (near?.querySelector("ol") ?? this.list).prepend(entry);
      }
      this.findings.unshift({ ...finding, entry });
    }
  }

  /** @param {FindingOf} finding */
  #finding({ severity, rule, line, message, gist, cite, help = [] }) {
    const told = make("span", { class: "message" }, message ?? gist);
    if (message !== undefined) {
      this.veiled.push({ part: told, text: message, veil: gist, knowers: [] });
    }
    const more = help.map((text) => make("span", { class: "more private-only" }, text));
    return make(
      "li",
      { class: `finding ${severity}`, tabindex: -1, title: say("line", { line }) },
      make("strong", {}, `${SIGNS[severity]} ${say(severity)}: `),
      told,
      " ",
      make("code", {}, rule),
      ...more,
      ...(cite ? [make("span", { class: "more" }, `${say("see")}: ${cite}`)] : []),
    );
  }

  #count() {
    const counts = /** @type {const} */ (["error", "warning", "note"])
      .map((severity) => ({ severity, count: this.findings.filter((one) => one.severity === severity).length }))
      .filter(({ count }) => count)
      .map(({ severity, count }) => `${SIGNS[severity]} ${say(severity)}: ${count}`);
    find("found").textContent = `${say("findings")}: ${counts.join(", ") || say("none")}`;
    find("finder").hidden = !this.findings.length;
  }

  // ---------------------------------------------------------------- showing

  /** Show of each statement what the viewer knows. */
  reveal() {
    const { viewer } = this.game;
    const partial = viewer !== null;
    this.box.classList.toggle("partial", partial);
    for (const { part, text, veil, knowers } of this.veiled) {
      part.replaceChildren(...this.names.drawn(partial && !knowers.includes(viewer) ? veil : text));
    }
  }

  /**
   * The text of a step's statement, as the viewer knows it.
   * @param {number} step
   */
  text(step) {
    const { viewer } = this.game;
    return (this.pieces.get(step) ?? [])
      .map(({ piece, knowers }) =>
        Array.isArray(piece) ? piece[viewer !== null && !knowers.includes(viewer) ? 1 : 0] : piece,
      )
      .join("")
      .trim();
  }

  /** Mark the statement of the present moment, and bring it into view within the log. */
  update() {
    const { now } = this.game;
    const last = this.links.get(this.marked ?? -1);
    last?.classList.remove("current");
    last?.removeAttribute("aria-current");
    this.marked = now;
    const link = this.links.get(now);
    link?.classList.add("current");
    link?.setAttribute("aria-current", "step");
    for (; this.passed < now; this.passed += 1) {
      this.links.get(this.passed + 1)?.classList.add("past");
    }
    for (; this.passed > now; this.passed -= 1) {
      this.links.get(this.passed)?.classList.remove("past");
    }
    this.#into(link ?? (now ? null : this.box.firstElementChild));
  }

  /**
   * Bring an element into view, if it is not.
   * @param {Element | null} element
   */
  #into(element) {
    if (element) {
      this.observer.disconnect();
      this.goal = element;
      this.observer.observe(element);
    }
  }

  /**
   * Bring the goal into view, once: from then on whoever scrolls the log is not called back.
   * @param {IntersectionObserverEntry[]} entries
   */
  #seen(entries) {
    const entry = entries.at(-1);
    if (entry && entry.target === this.goal) {
      this.observer.disconnect();
      if (entry.intersectionRatio < 1) {
        this.goal.scrollIntoView({ block: "center" });
      }
    }
  }

  /**
   * Go to the finding behind (1) or before (-1) the one that was gone to last.
   * @param {number} direction
   */
  jump(direction) {
    const { findings } = this;
    if (!findings.length) {
      return;
    }
    this.at = (this.at + direction + findings.length + (this.at < 0 && direction < 0 ? 1 : 0)) % findings.length;
    const { step, entry } = findings[this.at];
    this.go(step + 1);
    this.#into(entry);
    entry.focus({ preventScroll: true });
  }

  /**
   * The findings at a moment.
   * @param {number} moment
   */
  found(moment) {
    return this.findings.filter(({ step }) => step + 1 === moment);
  }
}
