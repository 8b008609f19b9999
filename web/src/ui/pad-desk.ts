/** The sheet of the score pad that is being filled in: its log, and what Python counts. */

import { say } from "../texts";
import type { CheckAnswer, GameReport } from "./answers";
import type { App } from "./app";
import { emptyPad, padRequest, type Pad } from "./pad";
import { draft, type Store } from "./store";

/** How long typing must rest before the points are counted, in milliseconds. */
const REST = 120;

export class PadDesk {
  sheet: Pad | null = null;
  /** The log of the sheet. */
  text = "";
  report: GameReport | null = null;
  /** Whether anything was typed that the device keeps. */
  isKept = false;
  private timer = 0;

  constructor(
    private readonly app: App,
    private readonly store: Store,
  ) {}

  async load(): Promise<void> {
    this.sheet = await this.store.value<Pad>("pad");
    this.isKept = this.sheet !== null;
  }

  /** Take a sheet for a game; the present one if it is of this game. */
  choose(id = this.sheet?.game ?? ""): void {
    const games = this.app.games ?? [];
    const playable = games.filter(({ categories }) => categories.length);
    const game = games.find((one) => one.id === id) ?? playable[0] ?? games[0];
    if (game && this.sheet?.game !== game.id) {
      const before = this.sheet;
      const sheet = emptyPad(game);
      before?.players.slice(0, sheet.players.length).forEach(({ name }, seat) => {
        const player = sheet.players[seat];
        if (player) {
          player.name = name;
        }
      });
      this.sheet = sheet;
    }
    this.changed(false);
  }

  /** Add a player, or remove the last. */
  seat(step: 1 | -1): void {
    if (step > 0) {
      this.sheet?.players.push({ name: "", points: {} });
    } else {
      this.sheet?.players.pop();
    }
    this.changed();
  }

  /** Keep the sheet and count it again. */
  changed(isTyped = true): void {
    this.app.update();
    clearTimeout(this.timer);
    if (!this.sheet) {
      return;
    }
    this.isKept ||= isTyped;
    this.timer = window.setTimeout(() => void this.count(), REST);
  }

  private async count(): Promise<void> {
    const { sheet } = this;
    if (!sheet) {
      return;
    }
    if (this.isKept) {
      await this.store.set("pad", sheet);
    }
    const request = padRequest(sheet);
    const sent = JSON.stringify(request);
    const log = request && (await this.app.request<{ text: string }>(request, "pad"));
    const answer = log && (await this.app.request<CheckAnswer>({ kind: "check", text: log.text }, "pad-check"));
    if (this.sheet && sent === JSON.stringify(padRequest(this.sheet))) {
      this.text = log?.text ?? "";
      this.report = answer?.files[0]?.games[0] ?? null;
      this.app.update();
    }
  }

  /** Open the log of the sheet in the editor. */
  async open(): Promise<void> {
    if (this.text) {
      const name = [this.sheet?.event, this.sheet?.date].filter(Boolean).join(" ") || say("pad");
      await this.app.enter(draft(name, this.text));
    }
  }

  askToClear(): void {
    this.app.askFirst(say("pad-clear-sure"), say("pad-clear"), () => {
      const game = this.app.games?.find(({ id }) => id === this.sheet?.game);
      this.forget();
      this.sheet = game ? emptyPad(game) : null;
      this.changed();
    });
  }

  forget(): void {
    this.sheet = this.report = null;
    this.text = "";
  }
}
