/** What the tests of the engine share: a bare page with the policy of the page, and the engine in it. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { build, type Rollup } from "vite";
import type { createEngine } from "../src/engine";

export const web = resolve(import.meta.dirname, "..");

const POLICY = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'";
const PAGE = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${POLICY}">`;

declare global {
  interface Window {
    engine: ReturnType<typeof createEngine>;
    fromSnapshot: boolean[];
    createEngine: typeof createEngine;
  }
}

let script: Promise<string> | null = null;

/** The engine as one script. */
function engineScript(): Promise<string> {
  script ??= build({
    root: web,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: { write: false, target: "es2022", lib: { entry: "src/engine.ts", formats: ["es"], fileName: "engine" } },
  }).then((built) => ([built].flat()[0] as Rollup.RollupOutput).output[0].code);
  return script;
}

/** Open a bare page with an engine; `base` is the folder of its files. */
export async function enginePage(context: BrowserContext, options: { base?: string; snapshots?: boolean } = {}): Promise<Page> {
  const body = await engineScript();
  const page = await context.newPage();
  await page.route("**/bare.html", (route) => route.fulfill({ contentType: "text/html", body: PAGE }));
  await page.route("**/engine.js", (route) => route.fulfill({ contentType: "text/javascript", body }));
  await page.goto("./bare.html");
  await page.evaluate(async ({ base, snapshots }) => {
    const address = "/engine.js";
    const engine = (await import(address)) as { createEngine: typeof createEngine };
    window.createEngine = engine.createEngine;
    window.fromSnapshot = [];
    const folder = new URL(base ?? "python/", location.href).href;
    window.engine = engine.createEngine(snapshots === undefined ? { base: folder } : { base: folder, snapshots });
    window.engine.onReady = (fromSnapshot) => window.fromSnapshot.push(fromSnapshot);
  }, options);
  if (options.base === undefined || options.base === "fake/") {
    await page.waitForFunction(() => window.fromSnapshot.length > 0, null, { timeout: 100_000 });
  }
  return page;
}

export function log(path: string): string {
  return readFileSync(resolve(web, "..", path), "utf8");
}
