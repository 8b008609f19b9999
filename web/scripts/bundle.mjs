// Make what the worker loads, in `public/python`: Pyodide, the program and its rules, compiled in
// that same Pyodide, each as `.gz` under a name with its digest, and `manifest.json`, which lists them.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { loadPyodide, version } from "pyodide";
import { build } from "vite";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const pyodide = join(web, "node_modules/pyodide");
const packages = join(web, "node_modules/.python");
const out = join(web, "public/python");
const scratch = join(web, "node_modules/.bundle");

/** Install the packages of `requirements.txt`, unless they are there. */
function install() {
  const wanted = readFileSync(join(web, "python/requirements.txt"), "utf8");
  const stamp = join(packages, "requirements.txt");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  rmSync(packages, { recursive: true, force: true });
  const pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--disable-pip-version-check"];
  execFileSync(
    process.env.PYTHON ?? "python3",
    [...pip, "--target", packages, "-r", join(web, "python/requirements.txt")],
    { stdio: "inherit" },
  );
  writeFileSync(stamp, wanted);
}

/** Start Pyodide with the repository, the packages and `scratch`, and import `python/build.py`. */
async function builder() {
  // Code keeps its lines, but no columns: those are an eighth of all that is packed.
  const env = { PYTHONNODEBUGRANGES: "1" };
  const python = await loadPyodide({ indexURL: pyodide, env });
  const { FS } = python;
  const mounts = {
    "/program": resolve(web, ".."),
    "/packages": packages,
    "/own": join(web, "python"),
    "/out": scratch,
    "/pyodide": pyodide,
  };
  for (const [place, root] of Object.entries(mounts)) {
    FS.mkdirTree(place);
    FS.mount(FS.filesystems.NODEFS, { root }, place);
  }
  python.runPython("import sys; sys.path.insert(0, '/own'); sys.dont_write_bytecode = True");
  return python.pyimport("build");
}

/** Return the worker as one script. */
async function worker() {
  const built = await build({
    root: web,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    plugins: [
      {
        // Vite would take the files of Pyodide into the script.
        name: "no-assets",
        transform: (code, id) =>
          id.includes("pyodide.asm.mjs") ? code.replaceAll("import.meta.url", "self.location.href") : null,
      },
    ],
    build: {
      write: false,
      target: "es2022",
      lib: { entry: join(web, "src/worker.ts"), formats: ["es"], fileName: "worker" },
      // A library in one file is not packed tightly by itself.
      rollupOptions: { external: [/^node:/, "ws"], output: { minify: true } },
    },
  });
  return Buffer.from([built].flat()[0].output[0].code);
}

/** Return a digest of all that the archives are made of. */
function digestOfSources() {
  const digest = createHash("sha256").update(version);
  const folders = ["altay_cli", "games", "grammar", "languages", "rules", "schemas", "web/python"];
  for (const folder of folders) {
    const top = resolve(web, "..", folder);
    for (const name of readdirSync(top, { recursive: true }).sort()) {
      if (name === "start.py" || name === "boot.py") continue; // parts of the worker
      if (/\.(agn|json|lark|mo|py|svg|txt|xml|yaml)$/.test(name) && !name.includes("__pycache__")) {
        digest.update(`${folder}/${name}\0`).update(readFileSync(join(top, name)));
      }
    }
  }
  return digest.digest("hex");
}

/** Make the archives, unless they are there and nothing that they are made of has changed. */
async function compile() {
  const stamp = join(scratch, "stamp.json");
  const sources = digestOfSources();
  if (existsSync(stamp)) {
    const made = JSON.parse(readFileSync(stamp, "utf8"));
    if (made.sources === sources) return made.rules;
  }
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  const folders = ["/program", "/packages", "/own", "/out"];
  const rules = (await builder()).compile_rules(...folders).toJs();
  (await builder()).write_archives(...folders, "/pyodide/python_stdlib.zip");
  writeFileSync(stamp, JSON.stringify({ sources, rules }));
  return rules;
}

/** Write a file as `.gz`; return its entry in the manifest. */
function pack(name, data) {
  const packed = gzipSync(data, { level: 9 });
  const digest = createHash("sha256").update(data).digest("hex").slice(0, 12);
  const file = `${name}-${digest}.gz`;
  writeFileSync(join(out, file), packed);
  return { file, packed: packed.length, size: data.length };
}

install();
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const rules = await compile();
const { info } = JSON.parse(readFileSync(join(pyodide, "pyodide-lock.json"), "utf8"));
const manifest = { pyodide: version, info, rules, files: {} };
for (const name of readdirSync(scratch).sort()) {
  if (name !== "stamp.json") manifest.files[name] = pack(name, readFileSync(join(scratch, name)));
}
manifest.files["worker.js"] = pack("worker.js", await worker());
manifest.files["pyodide.asm.wasm"] = pack("pyodide.asm.wasm", readFileSync(join(pyodide, "pyodide.asm.wasm")));
writeFileSync(join(out, "manifest.json"), JSON.stringify(manifest, null, 1) + "\n");
const total = { packed: 0, size: 0 };
for (const { packed, size } of Object.values(manifest.files)) {
  total.packed += packed;
  total.size += size;
}
const [packed, size] = [total.packed, total.size].map((bytes) => (bytes / 1e6).toFixed(1));
console.log(`public/python: ${size} MB, packed ${packed} MB`);
process.exit(0);
