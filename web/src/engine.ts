/**
 * The engine: asks the worker one thing after another, and ends it when it takes too long.
 *
 * Python cannot be interrupted without shared memory, which needs special headers. So what must stop
 * is stopped by ending the worker; another starts, from a snapshot where there is one.
 */

import { unpacked } from "./gzip";
import { type Call, type Engine, EngineError, type Reply, type Request } from "./protocol";
import type { Kept, Manifest, Start } from "./worker";

/** Seconds that a request may take. */
const SECONDS = 10;
const RULES_SECONDS = 120;
/** With a variant, which has to be compiled first. */
const VARIANT_SECONDS = 60;
const VARIANT = /^\s*\[\s*variant\b/im;
/** Seconds that a request may still run when a newer one waits for the same. */
const OVERTAKEN_SECONDS = 1;
const SNAPSHOTS = "altay-snapshot";

interface Waiting {
  request: Request;
  key: string;
  seconds: number;
  resolve(answer: unknown): void;
  reject(error: EngineError): void;
}

interface Running extends Waiting {
  id: number;
  limit: ReturnType<typeof setTimeout>;
  overtaken: ReturnType<typeof setTimeout> | null;
}

/** Keeps one snapshot, made on this device, for one build; every failure means that there is none. */
class Snapshots {
  constructor(private readonly name: string) {}

  async read(): Promise<ArrayBuffer | null> {
    try {
      const found = await (await caches.open(SNAPSHOTS)).match(this.name);
      return found === undefined ? null : await found.arrayBuffer();
    } catch {
      return null;
    }
  }

  async write(snapshot: ArrayBuffer): Promise<void> {
    try {
      const cache = await caches.open(SNAPSHOTS);
      for (const old of await cache.keys()) await cache.delete(old);
      await cache.put(this.name, new Response(snapshot));
    } catch {
      await this.forget();
    }
  }

  async forget(): Promise<void> {
    try {
      await caches.delete(SNAPSHOTS);
    } catch {
      // There is none.
    }
  }
}

export interface EngineOptions {
  /** The folder of the files that the build made; beside the page by default. */
  base?: string;
  /** Whether to start from a snapshot, and to make one. */
  snapshots?: boolean;
}

class WorkerEngine implements Engine {
  language: Engine["language"] = "en";
  onProgress: Engine["onProgress"] = null;
  onReady: Engine["onReady"] = null;

  private readonly base: string;
  private readonly waiting: Waiting[] = [];
  private running: Running | null = null;
  private worker: Worker | null = null;
  private ready = false;
  private lastId = 0;
  private build: Promise<[Manifest, string]> | null = null;
  private snapshots: Snapshots | null = null;
  private failedStarts = 0;

  constructor(private readonly options: EngineOptions) {
    this.base = options.base ?? new URL("python/", document.baseURI).href;
    void this.start();
  }

  ask<T>(request: Request, options: { stream?: string; seconds?: number } = {}): Promise<T> {
    const key = `${request.kind} ${options.stream ?? ""}`;
    const seconds = options.seconds ?? secondsFor(request);
    return new Promise<T>((resolve, reject) => {
      this.overtake(key);
      this.waiting.push({ request, key, seconds, resolve: resolve as (answer: unknown) => void, reject });
      this.next();
    });
  }

  stop(): void {
    if (this.running !== null) this.end(new EngineError("stopped", "stopped"));
  }

  /** Give up what waits or runs for the same purpose as a newer request. */
  private overtake(key: string): void {
    const error = new EngineError("overtaken", "a newer request replaces this one");
    const old = this.waiting.findIndex((waiting) => waiting.key === key);
    if (old >= 0) this.waiting.splice(old, 1)[0]?.reject(error);
    const running = this.running;
    if (running?.key === key && running.overtaken === null) {
      running.reject(error);
      running.overtaken = setTimeout(() => this.end(error), OVERTAKEN_SECONDS * 1000);
    }
  }

  /** Send the next request, if the worker is free. */
  private next(): void {
    if (!this.ready || this.running !== null || this.worker === null) return;
    const waiting = this.waiting.shift();
    if (waiting === undefined) return;
    const id = ++this.lastId;
    const slow = new EngineError("slow", `stopped after ${waiting.seconds} seconds`);
    const limit = setTimeout(() => this.end(slow), waiting.seconds * 1000);
    this.running = { ...waiting, id, limit, overtaken: null };
    const call: Call = { id, language: this.language, request: waiting.request };
    this.worker.postMessage(call);
  }

  /** Take the running request away from the worker. */
  private finish(): Running | null {
    const running = this.running;
    this.running = null;
    if (running !== null) {
      clearTimeout(running.limit);
      if (running.overtaken !== null) clearTimeout(running.overtaken);
    }
    return running;
  }

  /** End the worker and what runs in it, and start another. */
  private end(error: EngineError): void {
    this.worker?.terminate();
    this.worker = null;
    this.finish()?.reject(error);
    void this.start();
  }

  private async start(): Promise<void> {
    this.ready = false;
    try {
      this.build ??= this.fetchBuild();
      const [manifest, script] = await this.build;
      const kept = this.options.snapshots !== false && this.failedStarts === 0;
      const snapshot = kept ? ((await this.snapshots?.read()) ?? null) : null;
      if (this.worker !== null) return;
      const worker = new Worker(script, { type: "module" });
      this.worker = worker;
      worker.onmessage = (event: MessageEvent<Reply | Kept>) => {
        if (worker === this.worker) this.receive(event.data);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        if (worker === this.worker) this.fail(event.message);
      };
      const makeSnapshot = kept && snapshot === null && this.snapshots !== null;
      const message: Start = { base: this.base, manifest, snapshot, makeSnapshot };
      worker.postMessage(message, snapshot === null ? [] : [snapshot]);
    } catch (error) {
      this.build = null;
      this.fail(String((error as Error).message ?? error));
    }
  }

  /** Fetch the manifest, and the worker's script as the address of a blob. */
  private async fetchBuild(): Promise<[Manifest, string]> {
    const answer = await fetch(`${this.base}manifest.json`);
    if (!answer.ok) throw new Error(`manifest.json: ${answer.status}`);
    const manifest = (await answer.json()) as Manifest;
    const entry = manifest.files["worker.js"];
    const packed = await fetch(this.base + (entry?.file ?? "worker.js"));
    if (!packed.ok || packed.body === null) throw new Error(`${entry?.file}: ${packed.status}`);
    const script = await new Response((await unpacked(packed.body)) as BodyInit).blob();
    const files = Object.values(manifest.files).map((each) => each.file.slice(-15, -3));
    if ("caches" in globalThis) this.snapshots = new Snapshots(`${this.base}snapshot-${files.join("")}`);
    return [manifest, URL.createObjectURL(new Blob([script], { type: "text/javascript" }))];
  }

  private receive(message: Reply | Kept): void {
    if ("snapshot" in message && message.snapshot instanceof ArrayBuffer) {
      void this.snapshots?.write(message.snapshot);
    } else if ("progress" in message) {
      this.onProgress?.(message.progress, message.total);
    } else if ("ready" in message) {
      this.ready = true;
      this.failedStarts = 0;
      this.onReady?.(message.snapshot);
      this.next();
    } else if ("ok" in message) {
      this.settle(message);
    }
  }

  private settle(reply: Extract<Reply, { ok: boolean }>): void {
    if (!reply.ok && reply.fatal) {
      this.fail(reply.error);
      return;
    }
    if (reply.id !== this.running?.id) return;
    const running = this.finish();
    if (reply.ok) running?.resolve(JSON.parse(reply.answer as string));
    else running?.reject(new EngineError("failed", reply.error));
    this.next();
  }

  /** The interpreter cannot go on: name what it was given, and start another. */
  private fail(reason: string): void {
    const request = this.running?.request;
    if (this.running === null) {
      this.failedStarts += 1;
      void this.snapshots?.forget();
    }
    if (this.failedStarts > 1) {
      // It does not start at all.
      this.worker?.terminate();
      this.worker = null;
      const error = new EngineError("fatal", reason);
      for (const waiting of this.waiting.splice(0)) waiting.reject(error);
      this.failedStarts = 0;
      return;
    }
    this.end(new EngineError("fatal", request === undefined ? reason : `${reason} (${named(request)})`));
  }
}

function secondsFor(request: Request): number {
  if (request.kind === "rules") return RULES_SECONDS;
  return "text" in request && VARIANT.test(request.text) ? VARIANT_SECONDS : SECONDS;
}

/** Name a request and its text for a report: its kind, its length, and how it begins. */
function named(request: Request): string {
  const text = "text" in request ? request.text : "";
  return `${request.kind}: ${text.length} characters, ${JSON.stringify(text.slice(0, 80))}`;
}

/** Start Python; requests wait until it is ready. */
export function createEngine(options: EngineOptions = {}): Engine {
  return new WorkerEngine(options);
}
