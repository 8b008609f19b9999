/** Check many logs one by one, and show them in a table. */

import type { Files } from "../protocol";
import type { CheckAnswer } from "./answers";
import type { App } from "./app";
import type { Collection, Row } from "./collection";
import { beside } from "./files";
import { basename } from "./link";
import { draft } from "./store";

export class Collecting {
  collection: Collection | null = null;

  constructor(private readonly app: App) {}

  /** Show logs, and check one after the other. */
  async collect(logs: Files, rules: Files): Promise<void> {
    const rows = Object.entries(logs).map(([path, text]) => ({ path, text, files: beside(path, rules), games: null }));
    const collection: Collection = { rows, rules, running: true };
    this.collection = collection;
    this.app.showCollection();
    for (const row of collection.rows) {
      const answer = await this.app.check<CheckAnswer>(row, "collection");
      if (this.collection !== collection || !collection.running) {
        break;
      }
      (row as Row).games = answer?.files[0]?.games ?? [];
      this.app.update();
    }
    collection.running = false;
    this.app.update();
  }

  stop(): void {
    if (this.collection) {
      this.collection.running = false;
      this.app.stop();
    }
  }

  openRow({ path, text, files }: Row): void {
    const name = basename(path);
    void this.app.enter(this.app.drafts.same(name, text) ?? draft(name, text, files));
  }
}
