/** The logs that the device keeps while they are written. */

import { say } from "../texts";
import type { App } from "./app";
import type { Draft, Store } from "./store";

/** How long typing must rest before a log is kept, in milliseconds. */
const REST = 400;

export class Drafts {
  /** All drafts, the one changed last first. */
  all: Draft[] = [];
  private timer = 0;

  constructor(
    private readonly app: App,
    private readonly store: Store,
  ) {}

  async load(): Promise<void> {
    this.all = await this.store.drafts();
  }

  /** Whether the device keeps anything. */
  get areKept(): boolean {
    return this.store.keeps;
  }

  /** The draft with this name and text, if there is one. */
  same(name: string, text: string): Draft | undefined {
    return this.all.find((kept) => kept.name === name && kept.text === text);
  }

  /** Put a draft first, and keep it. */
  async add(next: Draft): Promise<void> {
    this.all = [next, ...this.all.filter(({ id }) => id !== next.id)];
    await this.keep(next);
  }

  /** Keep the open log when typing rests. */
  keepSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.keepNow(), REST);
  }

  async keepNow(): Promise<void> {
    if (this.timer && this.app.open) {
      clearTimeout(this.timer);
      this.timer = 0;
      await this.keep(this.app.open);
    }
  }

  async keep(kept: Draft): Promise<void> {
    try {
      await this.store.keep(kept);
    } catch {
      this.app.complain(say("not-kept")); // such as a full disk
    }
  }

  async drop(id: string): Promise<void> {
    this.all = this.all.filter((kept) => kept.id !== id);
    if (this.app.open?.id === id) {
      this.app.open = null;
    }
    await this.store.drop(id);
    this.app.update();
  }

  /** Delete everything that the device keeps. */
  async clear(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = 0;
    await this.store.clear();
    this.all = [];
  }
}
