/**
 * What the page reads of the answers of Python.
 *
 * The keys of the reports are those of docs/json.md. `sheet` and `cited` are texts for people in the
 * language of the page, which `python/sheet.py` adds: the page itself knows no word of a game.
 */

/** A range of a text: from 1, columns in code points, the end behind the last sign. */
export interface Span {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

export interface Fix extends Span {
  text: string;
  certain: boolean;
}

export interface Finding extends Span {
  rule: string;
  severity: "error" | "warning" | "note";
  message: string;
  round: number | null;
  player: string | null;
  /** The page of the rulebook in words; empty for findings of the program itself. */
  cited?: string;
  ruling: string | null;
  help: string[];
  fixes: Fix[];
  related?: (Span & { message: string })[];
}

export interface Category {
  id: string;
  title: string;
  cited: string;
}

/** Texts of `altay score --explain`. */
export interface Sheet {
  /** Who won, and what decided a tie. */
  verdict: string;
  /** What the numbers assume, if something is not recorded. */
  assumed: string;
  /** On which missing points ties hang. */
  ties: string[];
  /** What each player plays, as a heading. */
  plays: string;
  categories: Category[];
  /** The derivation of each player's points: levels 0 (total), 1 (category), 2 (reason). */
  players: { player: string; plays: string; lines: [level: number, text: string][] }[];
}

export type Points = Record<string, number | null>;

export interface GameReport {
  tags: Record<string, string | string[]>;
  verdict: "legal" | "illegal" | "not judged";
  recorded: "wholly" | "partly";
  ended: boolean;
  rounds: number;
  moves: number;
  findings: Finding[];
  scores: Record<string, Points>;
  rows: ({ player: string; rank: number | null; total: number | null } & Points)[];
  winners: string[];
  decided_by: string | null;
  outcomes?: { assumed: string[]; scores: Record<string, Points>; winners: string[] }[];
  outcomes_complete?: boolean;
  totals?: Record<string, [least: number, greatest: number]>;
  sheet?: Sheet | null;
}

/** `check`: one file, with its games. */
export interface CheckAnswer {
  files: { path: string; games: GameReport[] }[];
}

/** `replay`: what `replay/page.py` puts into a page. */
export interface ReplayAnswer {
  games: ReplayGame[];
  /** Drawings of maps, SVG, to which the games refer by number. */
  maps: string[];
  config: { words: Record<string, string>; [key: string]: unknown };
}

/** The parts of the data of a game that the page itself reads. */
export interface ReplayGame {
  title: string;
  pack: string;
  /** For each line of the log its segments: kind, moment or -1, ... */
  log: [line: number, ...segments: [kind: number, moment: number, ...rest: unknown[]][]][];
  steps: unknown[];
}

/** `complete`: what is legal at a place, as `altay moves --format json` lists it. */
export interface CompleteAnswer {
  moves: { statement: string; move: string; kind: string; title: string; player: string | null; draws: boolean }[];
  complete: boolean;
}

/** `tokens`: pieces for colouring, by UTF-16 offsets. */
export type TokensAnswer = [start: number, end: number, name: string][];

/** `games`: what the page offers. */
export interface GamesAnswer {
  games: GameInfo[];
}

export interface GameInfo {
  id: string;
  title: string;
  /** The number of players that the rules allow. */
  seats: { least: number; most: number };
  /** Categories of a score pad, with the points that the rules allow and why; empty if there are none. */
  categories: PadCategory[];
  samples: { name: string; title: string; text: string }[];
}

export interface PadCategory {
  id: string;
  title: string;
  least: number | null;
  most: number | null;
  values: number[] | null;
  because: string;
}

/** `why`: what `altay explain FILE:LINE --format json` prints. */
export interface WhyAnswer {
  line: number;
  /** What the line is, in words. */
  about: string;
  findings: Finding[];
  statements: WhyStatement[];
}

type Pair = [name: string, text: string];

export interface WhyStatement {
  text: string;
  about: string;
  verdict: "legal" | "illegal" | "undecided" | "not judged";
  /** Why it is not judged. */
  why: string | null;
  read_as: string | null;
  player: string | null;
  /** What the move is called in the rules, with its pages. */
  title: string | null;
  cited: string;
  meanings: Pair[];
  requirements: Requirement[];
  changes: Pair[];
  findings: Finding[];
  possible?: string[];
}

export interface Requirement {
  id: string;
  text: string;
  /** Null if it cannot be evaluated. */
  holds: boolean | null;
  values: Pair[];
  condition: string | null;
  cited: string;
  ruling: string | null;
}

/** `rules`: `altay rules check --format json` of one file. */
export interface RulesAnswer {
  files: {
    path: string;
    problems: (Span & { rule: string; severity: "error" | "warning" | "note"; by: string; message: string; file: string; help: string[] })[];
    played?: Record<string, unknown>;
    error?: string;
  }[];
}
