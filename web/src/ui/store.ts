/** What the page keeps on this device: logs that are being written, and the score pad. */

import type { Files } from "../protocol";

export interface Draft {
  id: string;
  name: string;
  text: string;
  /** Variants that lay beside the log. */
  files: Files;
  kind: "log" | "rules";
  /** When it was changed, and when it was saved as a file: milliseconds, 0 for never. */
  changed: number;
  saved: number;
}

const NAME = "altay";

/** An open database, or null where the browser keeps nothing. */
export class Store {
  private constructor(private readonly database: IDBDatabase | null) {}

  /** Open the database of the page. */
  static async open(): Promise<Store> {
    try {
      return new Store(await opened());
    } catch {
      return new Store(null); // private windows may forbid it
    }
  }

  /** Whether anything is kept. */
  get keeps(): boolean {
    return this.database !== null;
  }

  /** All drafts, the one changed last first. */
  async drafts(): Promise<Draft[]> {
    const all = (await this.run<Draft[]>("drafts", "readonly", (store) => store.getAll())) ?? [];
    return all.sort((a, b) => b.changed - a.changed);
  }

  async keep(draft: Draft): Promise<void> {
    await this.run("drafts", "readwrite", (store) => store.put(draft));
  }

  async drop(id: string): Promise<void> {
    await this.run("drafts", "readwrite", (store) => store.delete(id));
  }

  /** The value of a key, such as the score pad. */
  async value<T>(key: string): Promise<T | null> {
    return (await this.run<T>("values", "readonly", (store) => store.get(key))) ?? null;
  }

  async set(key: string, value: unknown): Promise<void> {
    await this.run("values", "readwrite", (store) => store.put(value, key));
  }

  /** Delete everything that the page keeps, with the choices of the reader. */
  async clear(): Promise<void> {
    await this.run("drafts", "readwrite", (store) => store.clear());
    await this.run("values", "readwrite", (store) => store.clear());
    try {
      for (const key of Object.keys(localStorage).filter((name) => name.startsWith("altay "))) {
        localStorage.removeItem(key);
      }
    } catch {
      // Storage may be forbidden; then nothing is in it.
    }
  }

  private run<T>(
    name: "drafts" | "values",
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest,
  ): Promise<T | undefined> {
    const { database } = this;
    if (database === null) {
      return Promise.resolve(undefined);
    }
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode);
      const request = act(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result as T);
      transaction.onerror = transaction.onabort = () => reject(transaction.error ?? request.error);
    });
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("drafts", { keyPath: "id" });
      request.result.createObjectStore("values");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = request.onblocked = () => reject(request.error);
  });
}

/** Return a new draft that is not kept yet. */
export function draft(name: string, text: string, files: Files = {}, kind: Draft["kind"] = "log"): Draft {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36).padStart(2, "0")).join("");
  return { id, name, text, files, kind, changed: Date.now(), saved: 0 };
}

/** A choice of the reader that the browser remembers if it may. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`altay ${name}`, value);
  } catch {
    // A convenience only.
  }
}

/** What the reader chose before. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`altay ${name}`);
  } catch {
    return null;
  }
}
