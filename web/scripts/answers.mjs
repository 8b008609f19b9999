// Answer calls under node, with what the page runs: a line of JSON each on standard input and output.
// `node scripts/answers.mjs [FOLDER]`, where FOLDER is that of `manifest.json`.

import { readFileSync } from "node:fs";
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
  return entry === undefined ? null : readFileSync(join(folder, entry.file));
}

const python = await loadPyodide({ indexURL: join(web, "node_modules/pyodide") });
python.FS.writeFile("/lib/python314.zip", gunzipSync(packed("python_stdlib.zip")));
globalThis.altayPart = packed;
const source = (name) => readFileSync(join(web, "python", `${name}.py`), "utf8");
const globals = python.toPy({ archive_source: source("archive"), boot_source: source("boot") });
globals.set("core", gunzipSync(packed("core")));
python.runPython(source("start"), { globals });
const { answer } = python.pyimport("boot");
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
