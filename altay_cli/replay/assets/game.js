// A game that is played back: the state at any moment, by the differences from move to move.

const NONE = -1;

/** Unpack the data of a game: base64, deflated JSON. */
export async function unpack(element) {
  const bytes = Uint8Array.from(atob(element.textContent.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/**
 * One game. `now` is how many moments have passed: 0 is the state when the game has been laid out,
 * `count` that behind the last one. `viewer` is the seat of the player whose knowledge is shown,
 * null for everything.
 */
export class Game {
  constructor(data) {
    this.data = data;
    this.steps = data.steps;
    this.count = data.steps.length;
    this.now = 0;
    this.viewer = data.viewer;
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
    this.bySlug = new Map(this.slugs.map((slug, number) => [slug, number]).reverse());
  }

  /** Whether a turn begins with a step: with its heading, or by itself behind the turn before. */
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

  /** The step that led to the present state; undefined at the beginning. */
  get step() {
    return this.steps[this.now - 1];
  }

  name(seat) {
    return seat === null || seat === undefined ? "" : this.thing(this.data.players[seat]).name;
  }

  thing(number) {
    return this.data.things[number];
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

  /** Go to a moment. */
  seek(moment) {
    const goal = Math.min(Math.max(Math.round(moment) || 0, 0), this.count);
    while (this.now < goal) {
      const changes = this.steps[this.now].cells ?? [];
      for (let i = 0; i < changes.length; i += 4) {
        this.cells[changes[i]] = changes[i + 1];
      }
      this.now += 1;
    }
    while (this.now > goal) {
      this.now -= 1;
      const changes = this.steps[this.now].cells ?? [];
      for (let i = 0; i < changes.length; i += 4) {
        this.cells[changes[i]] = this.before[this.now][i / 4];
      }
    }
  }

  /** What the viewer sees in place of a value. */
  seen(value) {
    if (value === NONE || this.viewer === null) {
      return value;
    }
    const { owner, hidden } = this.data.values[value];
    return owner === undefined || owner === this.viewer ? value : hidden;
  }

  /** The value that is seen at an address now; undefined where nothing is shown. */
  value(address) {
    const value = this.seen(this.cells[address]);
    return value === NONE ? undefined : this.data.values[value];
  }

  /** What the last step has changed, as far as it is seen: addresses, and what is told of each. */
  changes() {
    const found = [];
    const changes = this.step?.cells ?? [];
    for (let i = 0; i < changes.length; i += 4) {
      const [address, after, told, others] = changes.slice(i, i + 4);
      const before = this.before[this.now - 1][i / 4];
      if (this.seen(before) === this.seen(after)) {
        continue;
      }
      const open = this.seen(before) === before && this.seen(after) === after;
      found.push({ address, told: open ? told : others });
    }
    return found;
  }

  /** The moment before or behind the present one in a sorted list of moments. */
  beside(moments, direction) {
    if (direction > 0) {
      return moments.find((moment) => moment > this.now) ?? this.count;
    }
    return moments.findLast((moment) => moment < this.now) ?? 0;
  }

  /** The last moment of every round: the moments, and the rounds. */
  roundEnds() {
    const ends = new Map();
    for (const [number, step] of this.steps.entries()) {
      ends.set(step.round, number + 1);
    }
    return ends;
  }
}
