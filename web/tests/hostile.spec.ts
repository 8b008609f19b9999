/**
 * What the fuzzers keep, and texts of a megabyte, through the engine of the page: each is answered or
 * stopped, the page never waits for it, and nothing of it runs. Every eighth text; HOSTILE=all takes all.
 */

import { readdirSync, readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { enginePage, log } from "./engine";

const CORPUS = new URL("../../attack/fuzz/corpus/", import.meta.url);
const STEP = process.env["HOSTILE"] === "all" ? 1 : 8;
const SECONDS = 5;
const MEGABYTE = 1_000_000;

function corpus(target: string): [name: string, text: string][] {
  const names = readdirSync(new URL(`${target}/`, CORPUS)).sort();
  const some = names.filter((_, number) => number % STEP === 0);
  return some.map((name) => [`${target}/${name}`, readFileSync(new URL(`${target}/${name}`, CORPUS), "utf8")]);
}

const HEAD = 'variant: v\nextends: altay\ntitle: V\nversion: "1"\nchange:\n';

/** Variants of a megabyte. */
const VARIANTS: Record<string, string> = {
  "one line": HEAD + `  - {set: {path: ${"a".repeat(MEGABYTE)}, to: 1}}\n`,
  "open brackets": HEAD + "[".repeat(MEGABYTE),
  "many changes": HEAD + "  - {set: {path: title, to: x}}\n".repeat(MEGABYTE / 32),
  "many aliases": `a: &a [${"x, ".repeat(9)}]\nb: &b [${"*a, ".repeat(9)}]\nc: [${"*b, ".repeat(MEGABYTE / 4)}]\n`,
  "markup": HEAD + "  - {set: {path: title, to: \"<img src=x onerror='window.hacked=1'>\"}}\n",
};

async function answered(page: Page, name: string, request: object): Promise<void> {
  const found = await page.evaluate(
    async ({ request, seconds }) => {
      let longest = 0;
      let last = performance.now();
      const watch = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 10);
      const outcome = await window.engine.ask(request as never, { seconds }).then(
        () => "answered",
        (error: { reason: string; message: string }) => (error.reason === "failed" ? error.message : error.reason),
      );
      clearInterval(watch);
      return { outcome, longest, hacked: "hacked" in window };
    },
    { request, seconds: SECONDS },
  );
  expect.soft(["answered", "slow"], `${name}: ${found.outcome}`).toContain(found.outcome);
  expect.soft(found.longest, `${name}: milliseconds without an answer of the page`).toBeLessThan(1500);
  expect.soft(found.hacked, name).toBe(false);
}

test("what the fuzzers keep neither freezes the page nor runs", async ({ context }) => {
  test.setTimeout(STEP === 1 ? 3_600_000 : 240_000);
  const page = await enginePage(context, { snapshots: false });
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => void dialogs.push(dialog.message()));
  await page.evaluate((text) => window.engine.ask({ kind: "check", text }, { seconds: 100 }), log("games/tie.agn"));
  for (const [name, text] of corpus("agn")) {
    for (const whole of [text, `[Game "altay"]\n${text}`]) {
      await answered(page, `${name}, check`, { kind: "check", text: whole });
      await answered(page, `${name}, tokens`, { kind: "tokens", text: whole });
      await answered(page, `${name}, why`, { kind: "why", text: whole, line: 1 });
    }
    await answered(page, `${name}, replay`, { kind: "replay", text });
  }
  const variants = [
    ...corpus("variant"),
    ...corpus("cel").map(([name, text]) => [name, `${HEAD}  - {set: {path: winner, to: ${JSON.stringify(text)}}}\n`] as const),
    ...(STEP === 1 ? Object.entries(VARIANTS) : Object.entries(VARIANTS).slice(1, 3)),
  ];
  for (const [name, variant] of variants) {
    const text = `[Game "altay"]\n[Variant "v.yaml"]\nposition\n  Ann: faction Firefolk\n`;
    await answered(page, name, { kind: "check", text, files: { "v.yaml": variant } });
  }
  expect(dialogs).toEqual([]);
  const after = await page.evaluate((text) => window.engine.ask({ kind: "check", text }, { seconds: 100 }), log("games/tie.agn"));
  expect(after).toMatchObject({ files: [{ games: [{ verdict: "legal" }] }] });
});

test("links of a megabyte are refused with a message", async ({ page }) => {
  for (const link of ["A".repeat(MEGABYTE), "%00".repeat(MEGABYTE / 3)]) {
    await page.goto(`./#log=${link}`);
    await expect(page.getByRole("alert")).toBeVisible();
    await page.goto("about:blank");
  }
});
