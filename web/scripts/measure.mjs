// Measure the engine in Chromium against a bare start of Pyodide, in one run: `npm run measure`, after
// a build. Prints medians in milliseconds, and what they are of a bare start.

import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { build } from "vite";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const ROUNDS = Number(process.argv[2] ?? 3);
const LINES = 400;
const AIMS = { "first verdict": 1.6, "first verdict from a snapshot": 0.5, "keystroke to its findings": 0.15 };

const built = await build({
  root: web,
  configFile: false,
  logLevel: "error",
  publicDir: false,
  build: { write: false, target: "es2022", lib: { entry: "src/engine.ts", formats: ["es"], fileName: "engine" } },
});
const pages = {
  "/bare.html": ["text/html", "<!doctype html>"],
  "/engine.js": ["text/javascript", [built].flat()[0].output[0].code],
  "/bare.js": [
    "text/javascript",
    `import { loadPyodide } from "/pyodide/pyodide.mjs";
     const python = await loadPyodide({ indexURL: "/pyodide/" });
     postMessage(python.runPython("1 + 1"));`,
  ],
};
const KINDS = { ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const page = pages[pathname];
  if (page !== undefined) return response.setHeader("Content-Type", page[0]).end(page[1]);
  const file = pathname.startsWith("/pyodide/")
    ? join(web, "node_modules", pathname)
    : join(web, "dist", pathname);
  try {
    statSync(file);
  } catch {
    return response.writeHead(404).end();
  }
  response.setHeader("Content-Type", KINDS[extname(file)] ?? "application/octet-stream");
  return createReadStream(file).pipe(response);
});
await new Promise((done) => server.listen(0, done));
const address = `http://localhost:${server.address().port}/bare.html`;

const log = readFileSync(join(web, "../games/four-players.agn"), "utf8").split("\n").slice(0, LINES).join("\n");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const times = { "bare start": [] };
for (const name of Object.keys(AIMS)) times[name] = [];

const bare = () =>
  new Promise((done) => {
    const began = performance.now();
    const worker = new Worker("/bare.js", { type: "module" });
    worker.onmessage = () => {
      worker.terminate();
      done(performance.now() - began);
    };
  });

/** Time the first verdict, then that of a text with one more letter. */
const engine = async ({ log, waits }) => {
  const began = performance.now();
  const { createEngine } = await import("/engine.js");
  const engine = createEngine({ base: new URL("/python/", location.href).href });
  let fromSnapshot = null;
  engine.onReady = (found) => (fromSnapshot = found);
  await engine.ask({ kind: "check", text: log }, { seconds: 100 });
  const first = performance.now() - began;
  if (waits) {
    const kept = async () => (await (await caches.open("altay-snapshot")).keys()).length > 0;
    for (let tries = 0; tries < 300 && !(await kept()); tries += 1) await new Promise((go) => setTimeout(go, 100));
  }
  const strokes = [];
  for (const letter of "abc") {
    const pressed = performance.now();
    await engine.ask({ kind: "check", text: `${log}\n# ${letter}` }, { seconds: 100 });
    strokes.push(performance.now() - pressed);
  }
  return { first, fromSnapshot, stroke: strokes.sort((a, b) => a - b)[1] };
};

for (let round = 0; round < ROUNDS; round += 1) {
  const context = await browser.newContext();
  const open = async () => {
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };
  const order = round % 2 ? ["engine", "bare"] : ["bare", "engine"];
  for (const what of order) {
    const page = await open();
    if (what === "bare") times["bare start"].push(await page.evaluate(bare));
    else times["first verdict"].push((await page.evaluate(engine, { log, waits: true })).first);
    await page.close();
  }
  const page = await open();
  const again = await page.evaluate(engine, { log, waits: false });
  if (again.fromSnapshot) times["first verdict from a snapshot"].push(again.first);
  times["keystroke to its findings"].push(again.stroke);
  await context.close();
}
await browser.close();
server.close();
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
const start = median(times["bare start"]);
for (const [name, found] of Object.entries(times)) {
  const aim = AIMS[name] === undefined ? "" : ` (aim ${AIMS[name]})`;
  console.log(`${name}: ${median(found).toFixed(0)} ms, ${(median(found) / start).toFixed(2)} x${aim}`);
}
