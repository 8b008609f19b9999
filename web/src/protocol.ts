/**
 * What the page asks of Python, and what comes back.
 *
 * Python runs in a worker. `python/bridge.py` answers each request with one JSON document, made from
 * the same reports as the command line. Types of the reports are in `reports.ts`.
 */

/** A text of the user: a log, a variant, or a file beside one, by its name. */
export type Files = Record<string, string>;

/** What can be asked. `text` is the log; `files` holds the variants that it names. */
export type Request =
  /** The report of `altay check --format json`, and that of `altay score --explain --format json`. */
  | { kind: "check"; text: string; files?: Files }
  /** The data of the replay page, one document a game, as `altay replay` writes it. */
  | { kind: "replay"; text: string; files?: Files }
  /** What is legal at a place of the log: what `altay moves --format json` lists there. */
  | { kind: "complete"; text: string; line: number; column: number; files?: Files }
  /** Why a line is legal or not: what `altay explain FILE:LINE --format json` prints. */
  | { kind: "why"; text: string; line: number; files?: Files }
  /** The games that the page knows, with what a score pad needs: categories, seats, sample logs. */
  | { kind: "games" }
  /** The log of a score pad: a `result` alone. Answers `{text}`. */
  | { kind: "pad"; game: string; tags: Record<string, string>; points: PadColumn[] }
  /** The pieces of the text for colouring: `[start, end, name]`, offsets in UTF-16 code units. */
  | { kind: "tokens"; text: string }
  /** The report of `altay rules check --format json` on one variant file. */
  | { kind: "rules"; name: string; text: string; files?: Files };

export interface PadColumn {
  player: string;
  /** Points by category; a category that nobody wrote down is absent. */
  points: Record<string, number>;
}

/** A message to the worker. */
export interface Call {
  id: number;
  language: "en" | "de" | "ja";
  request: Request;
}

/** A message from the worker. */
export type Reply =
  | { id: number; ok: true; answer: unknown; milliseconds: number }
  | { id: number; ok: false; error: string; fatal: boolean }
  /** While Python is loaded: bytes so far, and all of them. */
  | { id: 0; progress: number; total: number }
  /** Python is ready; `snapshot` says whether it started from one. */
  | { id: 0; ready: true; snapshot: boolean };

/**
 * The engine as the page sees it. `engine.ts` implements it with a worker: it stops what takes too
 * long or is overtaken by ending the worker, and starts another.
 */
export interface Engine {
  /** Resolve to the answer; reject with an `EngineError`. A newer request of the same kind and
   * `stream` replaces one that waits or runs. */
  ask<T>(request: Request, options?: { stream?: string; seconds?: number }): Promise<T>;
  /** End what runs now, such as a long check of a variant. */
  stop(): void;
  language: "en" | "de" | "ja";
  onProgress: ((loaded: number, total: number) => void) | null;
  onReady: ((fromSnapshot: boolean) => void) | null;
}

/** Why there is no answer: overtaken by a newer request, too slow, or a fault of the interpreter. */
export class EngineError extends Error {
  constructor(
    readonly reason: "overtaken" | "stopped" | "slow" | "fatal" | "failed",
    message: string,
  ) {
    super(message);
  }
}
