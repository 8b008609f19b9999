// Answer calls under node, with what the page runs: a line of JSON each on standard input and output.
// `node scripts/answers.mjs [FOLDER]`, where FOLDER is that of `manifest.json`.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const folder = resolve(process.argv[2] ?? join(web, "dist/python"));
const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));

function packed(name) {
  const entry = manifest.files[name];
  return entry === undefined ? null : new Uint8Array(readFileSync(join(folder, entry.file)));
}

/** Start Python as the worker does; return the function that answers a call. */
async function start() {
  const scratch = mkdtempSync(join(tmpdir(), "altay-answers-"));
  const library = join(scratch, "python_stdlib.zip");
  writeFileSync(library, gunzipSync(packed("python_stdlib.zip")));
  const python = await loadPyodide({ indexURL: join(web, "node_modules/pyodide"), stdLibURL: library });
  rmSync(scratch, { recursive: true });
  globalThis.altayPart = packed;
  const source = (name) => readFileSync(join(web, "python", `${name}.py`), "utf8");
  const globals = python.toPy({ archive_source: source("archive"), boot_source: source("boot") });
  globals.set("core", new Uint8Array(gunzipSync(packed("core"))));
  python.runPython(source("start"), { globals });
  return python.pyimport("boot").answer;
}

const answer = await start().catch((error) => {
  console.error(String(error.message ?? error));
  process.exit(1);
});
for await (const line of createInterface({ input: process.stdin })) {
  let reply;
  try {
    reply = answer(line);
  } catch (error) {
    reply = JSON.stringify({ error: String(error.message ?? error) });
  }
  process.stdout.write(`${reply}\n`);
}
process.exit(0);
