/** What the tests of the page share: logs, opening them, and looking at the page as axe does. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Frame, type Locator, type Page } from "@playwright/test";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

export const SIZES = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
} as const;

export const LANGUAGES = { en: "en-US", de: "de-DE", ja: "ja-JP" } as const;

/** A file of the repository. */
export function file(path: string): string {
  return readFileSync(repository + path, "utf8");
}

/** Slips of several kinds, with fixes that are certain and guesses. */
export const SLIPS = `[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 2 Hunter, Warrior, Village
  Bob: hand 2 Hunter
  Ann: settlements 2 F2
turn 1 Ann
  play 2 Hunterr
  buy Farmer, Farmer
  end => 2 Warrior, Village, Shaman, Hunter
turn 1 Bob
  pley Hunter
`;

/** Open the page and wait until Python is ready. */
export async function start(page: Page, address = "./"): Promise<void> {
  await page.goto(address);
  await ready(page);
}

export async function ready(page: Page): Promise<void> {
  await expect(page.locator("body")).toHaveAttribute("data-ready", "yes");
}

/** The editor of the log. */
export function editor(page: Page): Locator {
  return page.locator(".cm-content");
}

/** The text of the log, as the page keeps it. */
export async function text(page: Page): Promise<string> {
  await page.waitForTimeout(600); // it is kept when typing rests
  return page.evaluate(async () => {
    const id = location.hash.slice("#draft=".length);
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open("altay");
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const kept = await new Promise<{ text: string }>((resolve, reject) => {
      const request = database.transaction("drafts").objectStore("drafts").get(id);
      request.onsuccess = () => resolve(request.result as { text: string });
      request.onerror = () => reject(request.error);
    });
    database.close();
    return kept.text;
  });
}

/** Paste a log on the start page, and wait for its verdict. */
export async function paste(page: Page, log: string): Promise<void> {
  await page.locator("#paste").evaluate((box: HTMLTextAreaElement, value) => {
    box.value = value;
    box.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true }));
  }, log);
  await judged(page);
}

/** Wait until the present text has been checked. */
export async function judged(page: Page): Promise<void> {
  await expect(page.locator(".verdict .badge")).toBeVisible();
  await expect(page.locator(".verdict .checking")).toHaveCount(0);
}

/** Turn to a tab: beside the editor, or on a phone at the bottom. */
export async function turnTo(page: Page, name: string): Promise<void> {
  const bottom = page.locator(".bottom");
  if (await bottom.isVisible()) {
    await bottom.getByRole("button", { name }).click();
  } else {
    await page.getByRole("tab", { name }).click();
  }
}

/** The frame of the replay, once it has been drawn. */
export async function replay(page: Page) {
  await expect(page.locator(".replay iframe:not(.coming)")).toBeVisible({ timeout: 60_000 });
  return page.frameLocator(".replay iframe:not(.coming)");
}

/** What the page shows has no violation of WCAG 2.2 that axe finds, and nothing is cut off. */
export async function isFine(page: Page | Frame): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wide, "the page is wider than the window").toBeLessThanOrEqual(0);
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const tester = (window as unknown as { axe: { run(of: Document, options: object): Promise<Results> } }).axe;
    type Results = { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] };
    const results = await tester.run(document, { runOnly: tags, iframes: false });
    return results.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`).join("\n")}`,
    );
  });
  expect(found).toEqual([]);
}

/** Everything that can be tapped is 44 pixels high and wide, except words within a sentence. */
export async function isTappable(page: Page): Promise<void> {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, a[href], select, summary, label.button, label.iconic, input:not(.hidden-text)")]
      .filter((element) => !element.closest(".cm-editor .cm-tooltip, .cm-panels, label.iconic > select") && element.parentElement?.tagName !== "LABEL")
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
      .map(({ element, box }) => `${element.outerHTML.slice(0, 120)} ${Math.round(box.width)} x ${Math.round(box.height)}`),
  );
  expect(small).toEqual([]);
}
