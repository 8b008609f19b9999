/**
 * The worker: Python with the program, and nothing else.
 *
 * It is started from a blob, and loads only files of the build. Python asks for further ones by
 * name while it runs, so those are fetched synchronously.
 */

/// <reference lib="webworker" />

import { loadPyodide, type PyodideAPI } from "pyodide";
// @ts-expect-error Pyodide ships no types for its own module.
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import archiveSource from "../python/archive.py?raw";
import bootSource from "../python/boot.py?raw";
import startSource from "../python/start.py?raw";
import { unpacked } from "./gzip";
import type { Call, Reply } from "./protocol";

/** What the build wrote: the file of each part, and its sizes. */
export interface Manifest {
  pyodide: string;
  /** What Pyodide says of itself in its lock file. */
  info: Record<string, string>;
  rules: Record<string, string>;
  files: Record<string, { file: string; packed: number; size: number }>;
}

/** The first message to the worker. */
export interface Start {
  /** Where the files are; ends in a slash. */
  base: string;
  manifest: Manifest;
  /** What an earlier worker kept, to start from. */
  snapshot: ArrayBuffer | null;
  /** Whether to make such a snapshot once the first answer is given. */
  makeSnapshot: boolean;
}

/** What the worker sends besides replies: a snapshot for later starts. */
export interface Kept {
  snapshot: ArrayBuffer;
}

/** What is loaded before the first request. */
const FIRST = ["pyodide.asm.wasm", "python_stdlib.zip", "core"];
const PAGE = 65_536;

const scope = self as unknown as DedicatedWorkerGlobalScope;
const send = (message: Reply | Kept, transfer: Transferable[] = []): void => scope.postMessage(message, transfer);

let start: Start;
let loaded = 0;

/** Fetch a file of the build, with progress; it is unpacked as it comes. */
async function stream(name: string): Promise<ReadableStream<Uint8Array>> {
  const entry = start.manifest.files[name];
  if (entry === undefined) throw new Error(`there is no file ${name}`);
  const response = await fetch(start.base + entry.file);
  if (!response.ok || response.body === null) throw new Error(`${entry.file}: ${response.status}`);
  const total = FIRST.reduce((sum, each) => sum + (start.manifest.files[each]?.packed ?? 0), 0);
  return unpacked(response.body, (bytes) => {
    loaded = Math.min(loaded + bytes, total);
    send({ id: 0, progress: loaded, total });
  });
}

async function bytes(name: string): Promise<Uint8Array> {
  return new Uint8Array(await new Response((await stream(name)) as BodyInit).arrayBuffer());
}

/** Fetch a packed file while Python waits; null if the build has none of that name. */
function packedNow(name: string): Uint8Array | null {
  const entry = start.manifest.files[name];
  if (entry === undefined) return null;
  const request = new XMLHttpRequest();
  request.open("GET", start.base + entry.file, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${entry.file}: ${request.status}`);
  return new Uint8Array(request.response as ArrayBuffer);
}

/** Let memory have the size of a snapshot before it is restored. */
function growMemoryTo(size: number): void {
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (source, imports) => {
    const made = await instantiate(source, imports);
    const memory = made.instance.exports["memory"] as WebAssembly.Memory;
    const missing = size - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    return made;
  };
}

async function load(snapshot: Uint8Array | null): Promise<PyodideAPI> {
  const [wasm, library] = [stream("pyodide.asm.wasm"), bytes("python_stdlib.zip")];
  wasm.catch(() => null);
  library.catch(() => null);
  // Pyodide asks for two files; both are here already.
  const network = scope.fetch;
  scope.fetch = (async (input: RequestInfo | URL) => {
    if (String(input).endsWith("pyodide.asm.wasm")) {
      return new Response((await wasm) as BodyInit, { headers: { "Content-Type": "application/wasm" } });
    }
    return new Response((await library) as BodyInit);
  }) as typeof fetch;
  const streaming = WebAssembly.instantiateStreaming;
  if (snapshot !== null) growMemoryTo(snapshot.byteLength);
  try {
    return await loadPyodide({
      indexURL: start.base,
      stdLibURL: `${start.base}python_stdlib.zip`,
      createPyodideModule,
      lockFileContents: { info: start.manifest.info, packages: {} } as never,
      env: { PYTHONDONTWRITEBYTECODE: "1" },
      ...(snapshot === null ? { _makeSnapshot: start.makeSnapshot } : { _loadSnapshot: snapshot }),
    } as Parameters<typeof loadPyodide>[0]);
  } finally {
    scope.fetch = network;
    WebAssembly.instantiateStreaming = streaming;
  }
}

async function begin(): Promise<PyodideAPI> {
  const own = bytes("core");
  own.catch(() => null);
  const python = await load(null);
  const names = { archive_source: archiveSource, boot_source: bootSource, core: await own };
  const globals = python.toPy({});
  for (const [name, value] of Object.entries(names)) globals.set(name, value);
  python.runPython(startSource, { globals });
  globals.delete("core");
  globals.destroy();
  return python;
}

async function resume(snapshot: ArrayBuffer): Promise<PyodideAPI> {
  const python = await load(new Uint8Array(snapshot));
  const seed = python.toPy(scope.crypto.getRandomValues(new Uint8Array(32)));
  python.pyimport("boot").resume(seed.tobytes());
  seed.destroy();
  return python;
}

let python: PyodideAPI;
let answered = false;

function answer(call: Call): void {
  const began = performance.now();
  try {
    const boot = python.pyimport("boot");
    const text = boot.answer(JSON.stringify(call)) as string;
    boot.destroy();
    send({ id: call.id, ok: true, answer: text, milliseconds: performance.now() - began });
  } catch (error) {
    // An error of Python is one of this request; any other ended the interpreter.
    const fatal = (error as { type?: string }).type === undefined;
    send({ id: call.id, ok: false, error: String((error as Error).message ?? error), fatal });
    return;
  }
  if (answered || !start.makeSnapshot || call.request.kind !== "check") return;
  answered = true;
  setTimeout(keep, 0);
}

/** Send a snapshot of Python as it is now, without the empty end of its memory. */
function keep(): void {
  try {
    const made = (python as unknown as { makeMemorySnapshot(): Uint8Array }).makeMemorySnapshot();
    send({ snapshot: made.buffer as ArrayBuffer }, [made.buffer as ArrayBuffer]);
  } catch (error) {
    console.warn("no snapshot:", error);
  }
}

async function run(message: Start): Promise<void> {
  start = message;
  (scope as unknown as { altayPart: typeof packedNow }).altayPart = packedNow;
  let fromSnapshot = start.snapshot !== null;
  try {
    python = start.snapshot === null ? await begin() : await resume(start.snapshot);
  } catch (error) {
    if (!fromSnapshot) throw error;
    console.warn("the snapshot cannot be used:", error);
    fromSnapshot = false;
    python = await begin();
  }
  start.snapshot = null;
  scope.onmessage = (event: MessageEvent<Call>) => answer(event.data);
  send({ id: 0, ready: true, snapshot: fromSnapshot });
}

scope.onmessage = (event: MessageEvent<Start>) => {
  run(event.data).catch((error: unknown) => {
    send({ id: 0, ok: false, error: String((error as Error).message ?? error), fatal: true });
  });
};
