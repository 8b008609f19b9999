// A visit of the page, in any browser: check a log with a mistake, make the fix, look at the scores,
// open the page again without a network. Browsers that Playwright cannot drive have `firefox.mjs` and
// `webkit.mjs`.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { preview } from "vite";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const SECONDS = 120;

/** A game that a tie-break decides for Clara, with a slip that has one fix. */
const LEGAL = readFileSync(resolve(web, "../games/tie.agn"), "utf8");
const LOG = LEGAL.replace(/^ {2}buy /m, "  bux ");

/**
 * What a driver of a browser offers.
 * @typedef {object} Browser
 * @property {(address: string) => Promise<void>} open
 * @property {() => Promise<void>} reload
 * @property {(script: string) => Promise<unknown>} run  runs the body of a function in the page
 * @property {() => Promise<void>} close
 */

/** Return the path of a program of the system, or end with a text that says which is missing. */
export function program(variable, ...paths) {
  const found = [process.env[variable], ...paths].find((path) => path && existsSync(path));
  if (!found) {
    console.error(`There is no ${paths[0]}; install it, or name another with ${variable}.`);
    process.exit(2);
  }
  return found;
}

/** Wait until a condition holds in the page; its result is returned. */
async function until(browser, what, script) {
  const end = Date.now() + SECONDS * 1000;
  for (;;) {
    const found = await browser.run(script);
    if (found) return found;
    if (Date.now() > end) {
      const seen = await browser.run("return document.body.innerText.slice(0, 1500)");
      throw new Error(`waited ${SECONDS} s in vain: ${what}\n${seen}`);
    }
    await new Promise((go) => setTimeout(go, 200));
  }
}

const READY = `return document.body.dataset.ready === "yes"`;
const JUDGED = `return document.querySelector(".verdict .badge") && !document.querySelector(".verdict .checking")
  && document.querySelector(".verdict .badge").textContent.trim()`;
const click = (selector) => `
  const found = document.querySelector(${JSON.stringify(selector)});
  found?.click();
  return found !== null`;

/** Visit the page by a driver; `start` returns it. */
export async function smoke(name, start) {
  assert.notEqual(LOG, LEGAL);
  const server = await preview({ root: web, logLevel: "error", preview: { port: 0 } });
  const address = server.resolvedUrls.local[0];
  let browser = null;
  let isServed = true;
  const closeServer = () => {
    isServed = false;
    server.httpServer.closeAllConnections();
    return new Promise((done) => server.httpServer.close(done));
  };
  try {
    browser = await start();
    await browser.open(address);
    await until(browser, "Python starts", READY);
    await browser.run(`
      const box = document.querySelector("#paste");
      box.value = ${JSON.stringify(LOG)};
      box.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true }));`);
    assert.equal(await until(browser, "the log is checked", JUDGED), "illegal");
    const finding = await browser.run(`return document.querySelector(".findings .finding").innerText`);
    assert.match(finding, /buy Stonecutter/);
    assert.ok(await browser.run(click(".findings .fix")), "a fix is offered");
    await until(browser, "the fix makes the log legal", JUDGED.replace(".trim()", `.trim() === "legal"`));
    assert.ok(await browser.run(click("#tab-scores")));
    const verdict = await until(browser, "scores", `return document.querySelector(".verdict-line")?.innerText`);
    assert.match(verdict, /Clara/);
    await until(browser, "all files are kept", `return /offline/i.test(document.querySelector(".state.ready").innerText)`);
    // What is typed is kept when typing rests.
    await new Promise((go) => setTimeout(go, 1000));
    await closeServer();
    await browser.reload();
    await until(browser, "Python starts without a network", READY);
    assert.equal(await until(browser, "the log is checked without a network", JUDGED), "legal");
    console.log(`${name}: a log was checked, fixed and scored, and again without a network`);
  } finally {
    await browser?.close();
    if (isServed) await closeServer();
  }
}
