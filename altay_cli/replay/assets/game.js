// A game that is played back: the state at any moment, by the differences from move to move.

const NONE = -1;

/**
 * Things are named by their numbers in the document, players by their seats.
 *
 * @typedef {[flat: number[], unknown: number, ordered: number, more?: number | null]} Heap
 *   things and counts in turn; how many more are unknown; whether the order matters; how many more
 *   there may be (null: any number)
 * @typedef {Heap | number | string | boolean} Content
 * @typedef {[of: Content | null, items: Content, splay: string | null]} Group
 *
 * @typedef {object} Value what a field shows somewhere
 * @property {Group[]} [groups] of players and the table
 * @property {import("./board.js").Token[]} [tokens] of places on a map
 * @property {number} [holder] the seat of the player to whom this place belongs
 * @property {number[]} [seen] the only players who may see it
 * @property {number} [hidden] the value that all others see
 *
 * @typedef {[icon: string | null, text: string, gives: Content | null, amount: number | null, uses: Content | null]} Part
 *
 * @typedef {object} Thing
 * @property {string} ref its kind and id
 * @property {string} name
 * @property {string} kind
 * @property {string | null} colour
 * @property {string | null} ink
 * @property {string} shape
 * @property {string} sign
 * @property {string} cite
 * @property {[title: string, value: Content][]} lines
 * @property {string} [icon] the name of an icon
 * @property {number} [badge] the thing at the corner of its token
 * @property {number} [card] 1 if it is a card with a face
 * @property {Content | null} [cost]
 * @property {Content | null} [corner]
 * @property {Part[]} [parts] the effects on its face
 *
 * @typedef {object} FieldOf
 * @property {"table" | "player" | "map"} part
 * @property {number | null} board
 * @property {string} id
 * @property {string} title
 * @property {string} cite
 * @property {string} [role] "line": in the scoreboard; "cards": drawn as cards
 * @property {string} [icon] the name of an icon
 *
 * @typedef {object} Course
 * @property {number | null} active
 * @property {[seat: number | null, title: number][]} [due]
 * @property {number} [ended]
 *
 * @typedef {(number | null)[][]} Points by seat and category; null if they are not recorded
 *
 * @typedef {Course & {
 *   round: number, heading?: number, player?: number, cells?: number[], points?: Points,
 *   tells?: number[], arrow?: [from: number, to: number, label: string],
 * }} Step cells: address, new value, what is told of the change, and what is told to others
 *
 * @typedef {object} FindingOf
 * @property {number} step
 * @property {number} line
 * @property {"error" | "warning" | "note"} severity
 * @property {string} rule
 * @property {string} gist
 * @property {string} cite
 * @property {string} [message]
 * @property {string[]} [help]
 *
 * @typedef {string | [text: string, veil: string]} Piece
 * @typedef {[kind: number, moment: number, knowers: number[], ...pieces: Piece[]]} Segment
 *
 * @typedef {object} BoardOf
 * @property {string} id
 * @property {string} title
 * @property {number} map
 * @property {number[]} places
 *
 * @typedef {object} Result how a game ended
 * @property {number[]} winners
 * @property {string} decided the title of the category that broke a tie, or ""
 * @property {[seat: number, rank: number | null, total: number | null][]} ranks
 * @property {[seat: number, lines: [level: number, text: string][]][]} lines
 *
 * @typedef {object} GameDocument
 * @property {string} title
 * @property {string} pack
 * @property {number[]} players
 * @property {number | null} viewer
 * @property {string[]} categories
 * @property {string} verdict
 * @property {Result | null} result
 * @property {FieldOf[]} fields
 * @property {BoardOf[]} boards
 * @property {Record<string, string>} [icons] paths by name, around the origin
 * @property {Course & { cells: [address: number, value: number][], points: Points, round: number }} opening
 * @property {Step[]} steps
 * @property {FindingOf[]} findings
 * @property {[line: number, ...segments: Segment[]][]} log
 * @property {boolean} cut
 * @property {Thing[]} things
 * @property {Value[]} values
 * @property {[field: number, seat: number | null, place: number | null][]} addresses
 * @property {string[]} texts
 */

/**
 * Unpack the data of a game: base64, deflated JSON.
 * @param {HTMLElement} element
 * @returns {Promise<GameDocument>}
 */
export async function unpack(element) {
  const text = (element.textContent ?? "").trim();
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/**
 * The sum of points by category; a question mark if some depend on what is not recorded.
 * @param {(number | null)[]} row
 * @returns {number | "?"}
 */
export function total(row) {
  let sum = 0;
  for (const points of row) {
    if (points === null) {
      return "?";
    }
    sum += points;
  }
  return sum;
}

/**
 * One game. `now` is how many moments have passed: 0 is the state when the game has been laid out,
 * `count` that behind the last one. `viewer` is the seat of the player whose knowledge is shown,
 * null for everything.
 */
export class Game {
  /** @param {GameDocument} data */
  constructor(data) {
    this.data = data;
    this.steps = data.steps;
    this.count = data.steps.length;
    this.now = 0;
    this.viewer = data.viewer;
    /** The addresses whose values may differ from what is drawn. @type {Set<number>} */
    this.touched = new Set(data.addresses.keys());
    this.cells = new Int32Array(data.addresses.length).fill(NONE);
    for (const [address, value] of data.opening.cells) {
      this.cells[address] = value;
    }
    this.before = this.#befores();
    this.points = [data.opening.points];
    this.turns = [0];
    this.rounds = [0];
    for (const [number, step] of this.steps.entries()) {
      this.points.push(step.points ?? this.points[number]);
      if (this.begins(number)) {
        this.turns.push(number + 1);
        if (step.round !== this.round(this.rounds.at(-1)) || this.rounds.length === 1) {
          this.rounds.push(number + 1);
        }
      }
    }
    this.slugs = this.#slugs();
    this.bySlug = new Map(
      this.slugs.map((slug, number) => /** @type {[string, number]} */ ([slug, number])).reverse(),
    );
  }

  /**
   * Whether a turn begins with a step: with its heading, or by itself behind the turn before.
   * @param {number} number
   */
  begins(number) {
    const step = this.steps[number];
    if (step.heading || step.active === null || step.ended) {
      return Boolean(step.heading);
    }
    const { active, round } = this.steps[number - 1] ?? this.data.opening;
    return step.active !== active || step.round !== round;
  }

  /** What each changed cell held before each step. */
  #befores() {
    const cells = Int32Array.from(this.cells);
    return this.steps.map(({ cells: changes = [] }) => {
      const old = [];
      for (let i = 0; i < changes.length; i += 4) {
        old.push(cells[changes[i]]);
        cells[changes[i]] = changes[i + 1];
      }
      return old;
    });
  }

  /** The names of moments for links: `turn-7-Bob`, `turn-7-Bob-2` for its second move. */
  #slugs() {
    const slugs = ["start"];
    const turns = new Map();
    let turn = "start";
    let moves = 0;
    for (const [number, step] of this.steps.entries()) {
      if (this.begins(number)) {
        turn = `turn-${step.round}-${this.name(step.active ?? step.player)}`;
        const again = (turns.get(turn) ?? 0) + 1;
        turns.set(turn, again);
        turn += again > 1 ? `~${again}` : ""; // a player may have several turns in a round
        moves = 0;
        slugs.push(turn);
      } else {
        moves += 1;
        slugs.push(`${turn}-${moves}`);
      }
    }
    return slugs;
  }

  /** The step that led to the present state; undefined at the beginning. @returns {Step | undefined} */
  get step() {
    return this.steps[this.now - 1];
  }

  /** @param {number | null | undefined} seat */
  name(seat) {
    return seat === null || seat === undefined ? "" : this.thing(this.data.players[seat]).name;
  }

  /** @param {number} number */
  thing(number) {
    return this.data.things[number];
  }

  /**
   * The path of an icon; empty if there is none of this name.
   * @param {string | null | undefined} name
   */
  icon(name) {
    return (name && this.data.icons?.[name]) || "";
  }

  /** The round at a moment. */
  round(moment = this.now) {
    return moment ? this.steps[moment - 1].round : this.data.opening.round;
  }

  /** Whose turn it is, what is due, whether the game is over. */
  course() {
    const { active, due = [], ended = 0 } = this.step ?? this.data.opening;
    return { active, due, ended };
  }

  /** Whose move led to the present state, or whose turn it is. @returns {number | null} */
  get mover() {
    return this.step?.player ?? this.course().active;
  }

  /**
   * Go to a moment.
   * @param {number} moment
   */
  seek(moment) {
    const goal = Math.min(Math.max(Math.round(moment) || 0, 0), this.count);
    while (this.now < goal) {
      const changes = this.steps[this.now].cells ?? [];
      for (let i = 0; i < changes.length; i += 4) {
        this.cells[changes[i]] = changes[i + 1];
        this.touched.add(changes[i]);
      }
      this.now += 1;
    }
    while (this.now > goal) {
      this.now -= 1;
      const changes = this.steps[this.now].cells ?? [];
      for (let i = 0; i < changes.length; i += 4) {
        this.cells[changes[i]] = this.before[this.now][i / 4];
        this.touched.add(changes[i]);
      }
    }
  }

  /**
   * Show what a player knows, or everything.
   * @param {number | null} viewer
   */
  look(viewer) {
    this.viewer = viewer;
    this.touched = new Set(this.data.addresses.keys());
  }

  /**
   * What the viewer sees in place of a value.
   * @param {number} value
   */
  seen(value) {
    if (value === NONE || this.viewer === null) {
      return value;
    }
    const { seen, hidden } = this.data.values[value];
    return seen === undefined || seen.includes(this.viewer) ? value : (hidden ?? NONE);
  }

  /**
   * The value that is seen at an address now; undefined where nothing is shown.
   * @param {number} address
   * @returns {Value | undefined}
   */
  value(address) {
    return this.data.values[this.seen(this.cells[address])];
  }

  /**
   * What the last step has changed, as far as it is seen: addresses, the values seen before, and
   * the numbers of the texts that tell of it.
   * @returns {{ address: number, before: Value | undefined, told: number }[]}
   */
  changes() {
    const found = [];
    const changes = this.step?.cells ?? [];
    for (let i = 0; i < changes.length; i += 4) {
      const [address, after, told, others] = changes.slice(i, i + 4);
      const before = this.before[this.now - 1][i / 4];
      const [seenBefore, seenAfter] = [this.seen(before), this.seen(after)];
      if (seenBefore === seenAfter) {
        continue;
      }
      const open = seenBefore === before && seenAfter === after;
      found.push({ address, before: this.data.values[seenBefore], told: open ? told : others });
    }
    return found;
  }

  /**
   * The moment before or behind the present one in a sorted list of moments.
   * @param {number[]} moments
   * @param {number} direction
   */
  beside(moments, direction) {
    if (direction > 0) {
      return moments.find((moment) => moment > this.now) ?? this.count;
    }
    return moments.findLast((moment) => moment < this.now) ?? 0;
  }

  /** The last moment of every round. @returns {Map<number, number>} */
  roundEnds() {
    const ends = new Map();
    for (const [number, step] of this.steps.entries()) {
      ends.set(step.round, number + 1);
    }
    return ends;
  }
}
