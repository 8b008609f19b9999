// Start Python under node, with what the page runs.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

export const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** Start Python as the worker does; `folder` is that of `manifest.json`. */
export async function startPython(folder = join(web, "dist/python")) {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const packed = (name) => {
    const entry = manifest.files[name];
    return entry === undefined ? null : new Uint8Array(readFileSync(join(folder, entry.file)));
  };
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
  return python;
}
