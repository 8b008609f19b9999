/** The page by hand: open, fix, complete, explain, score, keep, send. */

import { deflateSync } from "node:zlib";
import { zipSync, strToU8 } from "fflate";
import { expect, test, type Page } from "@playwright/test";
import { editor, file, isFine, isTappable, judged, LANGUAGES, paste, ready, replay, SIZES, SLIPS, start, text, turnTo } from "./page";

const TIE = file("games/tie.agn");
const MISTAKES = file("games/mistakes.agn");

/** Whether what Ann completed is worth 3 points more is not recorded; with them she wins. */
const OPEN = `[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: completed Writing, Commerce, Colossus
  Ann: settlements F2
  Bob: settlements F6, W6, H6, M5
`;

/** Everything that the page asked for, and every error in its console. */
function watched(page: Page): { requests: string[]; errors: string[] } {
  const seen = { requests: [] as string[], errors: [] as string[] };
  page.on("request", (request) => seen.requests.push(request.url()));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  return seen;
}

test("it says in two sentences what it is, and offers samples", async ({ page }) => {
  const seen = watched(page);
  await start(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A referee for recorded board games");
  await expect(page.locator(".samples button").first()).toBeVisible();
  await page.locator(".samples button", { hasText: "Mistakes" }).first().click();
  await judged(page);
  await expect(page.locator(".verdict")).toContainText("illegal");
  expect(seen.errors).toEqual([]);
  const origin = new URL(page.url()).origin;
  expect(seen.requests.filter((url) => !url.startsWith(origin) && !/^(blob|data):/.test(url))).toEqual([]);
});

test.describe("findings", () => {
  test("stand in the list with rule, page, what is legal, and related places", async ({ page }) => {
    await start(page);
    await paste(page, MISTAKES);
    const first = page.locator(".findings .finding").first();
    await expect(first).toContainText("bought-twice");
    await expect(first).toContainText("English rulebook, page 11");
    await expect(first).toContainText("possible here: Lumberjack, Miner, Stonecutter");
    await first.getByRole("button", { name: "line 24" }).click();
    await expect(page.locator(".cm-activeLine")).toContainText("buy Farmer");
  });

  test("stand between the lines of the log", async ({ page }) => {
    await start(page);
    await paste(page, MISTAKES);
    await page.locator(".findings").getByRole("button", { name: "line 25" }).click();
    await expect(page.locator(".between").first()).toContainText("a second Farmer in one turn");
    await expect(page.locator(".cm-lint-marker-error").first()).toBeVisible();
  });

  test("each fix has a button, in the list and between the lines, that makes it", async ({ page }) => {
    await start(page);
    await paste(page, SLIPS);
    const fixes = page.locator(".findings .finding .fix");
    const count = await fixes.count();
    expect(count).toBeGreaterThan(2);
    for (let number = 0; number < count; number += 1) {
      await page.goto("./#");
      await ready(page);
      await paste(page, SLIPS);
      await expect(fixes).toHaveCount(count);
      const wanted = /“(.*)”/.exec((await fixes.nth(number).textContent()) ?? "")?.[1] ?? "?";
      await fixes.nth(number).click();
      await expect(editor(page)).toContainText(wanted);
      await judged(page);
      await expect(page.locator(".findings .finding .fix", { hasText: wanted })).toHaveCount(0);
      expect(await text(page)).not.toEqual(SLIPS);
    }
    await page.goto("./#");
    await paste(page, SLIPS);
    await page.locator(".between .fix").first().click();
    await expect(editor(page)).toContainText("play 2 Hunter");
    await expect(editor(page)).not.toContainText("Hunterr");
  });

  test("all certain fixes are made by one button, and undone by one key", async ({ page }) => {
    await start(page);
    await paste(page, SLIPS);
    await page.locator(".all-fixes button").click();
    await expect(editor(page)).not.toContainText("Hunterr");
    await expect(editor(page)).toContainText("buy Farmer; buy Farmer");
    await editor(page).press("Control+z");
    await expect(editor(page)).toContainText("Hunterr");
  });
});

test("typing and fixing work by the keyboard alone", async ({ page }) => {
  await start(page);
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
  for (let presses = 0; (await focused()) !== "New log"; presses += 1) {
    expect(presses, "tabs to the button").toBeLessThan(20);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await expect(editor(page)).toBeFocused();
  await page.keyboard.insertText(SLIPS);
  await judged(page);
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("F8");
  await page.keyboard.press("Alt+Enter");
  await expect(editor(page)).not.toContainText("Hunterr");
  // What is legal at the end of the log.
  await page.keyboard.press("Control+End");
  await page.keyboard.type("  pl");
  await page.keyboard.press("Control+Space");
  await expect(page.locator(".cm-tooltip-autocomplete li").first()).toContainText("play");
  const offered = await page.locator(".cm-tooltip-autocomplete li[aria-selected] .cm-completionLabel").textContent();
  await page.waitForTimeout(120);
  await page.keyboard.press("Enter");
  await expect(page.locator(".cm-line").last()).toContainText(offered ?? "?");
  // Tab leaves the editor, and arrows go from tab to tab.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(editor(page)).not.toBeFocused();
  await page.getByRole("tab", { name: "Findings" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Scores" })).toBeFocused();
  await expect(page.locator("#panel")).toContainText("Total");
});

test("the text is coloured by the terminals of the grammar", async ({ page }) => {
  await start(page);
  await paste(page, SLIPS);
  await expect(page.locator(".t-turn").first()).toHaveText("turn");
  await expect(page.locator(".t-section").first()).toHaveText("position");
});

test("scores are derived, and a tie-break is proved", async ({ page }) => {
  await start(page);
  await paste(page, TIE);
  await turnTo(page, "Scores");
  await expect(page.locator(".verdict-line")).toHaveText("Winner: Clara; the tie is decided by action cards.");
  await expect(page.locator(".points .sum")).toContainText("16");
  const proof = page.locator(".proof");
  await expect(proof.locator("tbody tr")).toHaveText([/Total.*18.*18.*equal/s, /4.*4.*equal/s, /0.*0.*equal/s, /2.*4.*decides/s]);
  await expect(proof).toContainText("City(2)");
  await page.getByText("How Clara’s points were counted").click();
  await expect(page.locator(".derivation details[open]")).toContainText("M1 with a victory point marker");
});

test("open outcomes are a table", async ({ page }) => {
  await start(page);
  await paste(page, OPEN);
  await turnTo(page, "Scores");
  const rows = page.locator(".outcomes tbody tr");
  await expect(rows.nth(0)).toContainText(/none that is completed.*3.*5.*Bob/s);
  await expect(rows.nth(1)).toContainText(/Colossus.*6.*5.*Ann/s);
});

test("the replay follows the cursor, and the cursor the replay", async ({ page }) => {
  await start(page);
  await paste(page, MISTAKES);
  await turnTo(page, "Replay");
  const frame = await replay(page);
  await expect(frame.locator("#place")).toHaveText(/^0 of/);
  await page.locator(".cm-line", { hasText: "play 2 Hunter" }).click();
  await expect(frame.locator("#place")).toHaveText(/^2 of/);
  await expect(frame.locator("#status")).toContainText("2 Hunter");
});

test("any line says why it is legal or not", async ({ page }) => {
  await start(page);
  await paste(page, MISTAKES);
  await page.locator(".findings .finding").first().getByRole("button", { name: "Why?" }).click();
  await expect(page.locator(".requirements .fails")).toContainText("only one copy of a type can be bought in a turn");
  await expect(page.locator(".requirements .fails")).toContainText("page 11");
  await page.locator(".cm-line", { hasText: "buy Farmer" }).first().click();
  await expect(page.locator(".why .badge.legal")).toBeVisible();
});

test.describe("a link", () => {
  test("brings the log to another device", async ({ page, context, browser, baseURL }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await start(page);
    await paste(page, SLIPS);
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect(page.getByRole("status")).toContainText("in the clipboard");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toContain("#log=");
    const other = await (await browser.newContext({ ...(baseURL ? { baseURL } : {}) })).newPage();
    await other.goto(link);
    await ready(other);
    await judged(other);
    expect(await text(other)).toBe(SLIPS);
    await other.context().close();
  });

  const json = (value: unknown): string => deflateSync(Buffer.from(JSON.stringify(value))).subarray(2, -4).toString("base64url");
  const raw = (bytes: Buffer): string => deflateSync(bytes, { level: 9 }).subarray(2, -4).toString("base64url");
  const HOSTILE: Record<string, [link: string, message: RegExp]> = {
    "of garbage": ["%%%not a log%%%", /no log that can be read/],
    "of other bytes": [Buffer.alloc(3000, 7).toString("base64url"), /no log that can be read/],
    "cut off": [json({ n: "a", t: SLIPS.repeat(20) }).slice(0, 60), /no log that can be read/],
    "of other data": [json({ n: 1, t: ["x"], f: 7 }), /no log that can be read/],
    "of a megabyte": ["A".repeat(1024 * 1024), /too long/],
    "that unpacks to 100 MB": [raw(Buffer.alloc(100 * 1024 * 1024)), /more than 2 MB/],
  };
  for (const [name, [link, message]] of Object.entries(HOSTILE)) {
    test(`${name} is refused, and says so`, async ({ page }) => {
      await start(page, `./#log=${link}`);
      await expect(page.getByRole("alert")).toContainText(message);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    });
  }

  test("with markup in it shows markup as text", async ({ page }) => {
    const evil = `<img src=x onerror="document.title='owned'">`;
    await start(page, `./#log=${json({ n: evil, t: `[Game "altay"]\n[Event "${evil.replaceAll('"', "'")}"]\nsetup\n  ${evil}\n`, f: {} })}`);
    await expect(page.locator(".cm-content")).toContainText("<img");
    await page.waitForTimeout(500);
    expect(await page.title()).not.toContain("owned");
    await expect(page.locator("main img, .findings img")).toHaveCount(0);
  });
});

test.describe("what is typed", () => {
  test("is kept on the device, until it is deleted", async ({ page }) => {
    await start(page);
    await paste(page, SLIPS);
    await page.getByLabel("Name").fill("Friday");
    await page.getByLabel("Name").press("Enter");
    await editor(page).press("Control+End");
    await page.keyboard.type("# a note");
    await text(page);
    await page.goto("about:blank");
    await start(page);
    await page.getByRole("link", { name: /Friday/ }).click();
    await expect(editor(page)).toContainText("# a note");
    await page.getByRole("link", { name: "Start page" }).click();
    await page.getByRole("button", { name: "Delete everything kept here" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("status")).toContainText("deleted");
    await page.reload();
    await ready(page);
    await expect(page.locator(".drafts")).toContainText("kept here until you delete it");
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  test("can be saved as a file, and the page says when", async ({ page }) => {
    await start(page);
    await paste(page, SLIPS);
    await expect(page.locator(".kept")).toContainText("not saved as a file");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as a file" }).click()]);
    expect(download.suggestedFilename()).toMatch(/\.agn$/);
    await expect(page.locator(".kept")).toContainText(/Saved as a file .*\d{4}/);
    await editor(page).press("Control+End");
    await page.keyboard.type("#");
    await expect(page.locator(".kept")).toContainText("Changed since");
  });
});

test.describe("files", () => {
  const open = (page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]) =>
    page.locator("input[type=file]:not([webkitdirectory])").setInputFiles(files);
  const asFile = (name: string, content: string | Uint8Array) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });

  test("in an archive become a table of verdicts and winners", async ({ page }) => {
    await start(page);
    const archive = zipSync({ "club/tie.agn": strToU8(TIE), "club/mistakes.agn": strToU8(MISTAKES), "club/readme.md": strToU8("no log") });
    await open(page, [asFile("club.zip", archive)]);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 logs");
    await expect(page.getByRole("row", { name: /tie\.agn/ })).toContainText(/legal.*Clara/s, { timeout: 60_000 });
    await expect(page.getByRole("row", { name: /mistakes\.agn/ })).toContainText(/illegal/, { timeout: 60_000 });
    await page.getByRole("button", { name: "club/mistakes.agn" }).click();
    await judged(page);
    await expect(editor(page)).toContainText("Tuesday table");
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 logs");
  });

  test("that are no archive or too large say so", async ({ page }) => {
    await start(page);
    await open(page, [asFile("broken.zip", "no archive")]);
    await expect(page.getByRole("alert")).toContainText("broken.zip is no .zip");
    await open(page, [asFile("bomb.zip", zipSync({ "a.agn": [new Uint8Array(80 * 1024 * 1024), { level: 9 }] }))]);
    await expect(page.getByRole("alert")).toContainText("too large", { timeout: 60_000 });
  });

  test("beside a log are used by it", async ({ page }) => {
    await start(page);
    const log = `[Game "altay"]\n[Variant "six.yaml"]\n` + SLIPS.split("\n").slice(1).join("\n");
    await open(page, [asFile("friday.agn", log), asFile("six.yaml", file("rules/altay/variants/six-card-hand.yaml"))]);
    await judged(page);
    await expect(page.locator(".beside")).toContainText("six.yaml");
    await expect(page.locator(".verdict")).not.toContainText("not judged");
  });

  test("of rules are checked, and the check can be stopped", async ({ page }) => {
    test.setTimeout(240_000);
    await start(page);
    await open(page, [asFile("broken.yaml", "variant: broken\nchanges: 7\n")]);
    await expect(page.locator(".findings .finding.error").first()).toBeVisible({ timeout: 60_000 });
    await page.goto("./#");
    const same = 'variant: same\nextends: nim\ntitle: The same\nversion: "1.0"\nchange: []\n';
    await open(page, [asFile("same.yaml", same)]);
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(page.getByRole("button", { name: "Check again" })).toBeVisible();
    await page.getByRole("button", { name: "Check again" }).click();
    await expect(page.locator(".panel h2")).toHaveText("Check of the rules", { timeout: 200_000 });
  });
});

test("the score pad adds up, ranks and breaks ties", async ({ page }) => {
  await start(page);
  await page.getByRole("link", { name: "Score pad" }).click();
  const cells = page.locator(".sheet tbody input");
  await expect(cells.first()).toBeVisible();
  await page.getByLabel("Player 1").first().fill("Ann");
  await page.getByLabel("Player 2").first().fill("Bob");
  await page.getByRole("button", { name: "Add a player" }).click();
  await page.getByLabel("Player 3").first().fill("Cora");
  const points = [[4, 4, 1], [0, 2, 3], [3, 1, 2], [5, 5, 1], [1, 1, 0], [2, 2, 1]];
  for (const [row, values] of points.entries()) {
    for (const [column, value] of values.entries()) {
      await cells.nth(row * 3 + column).fill(String(value));
    }
  }
  await expect(page.locator(".sheet .sum td")).toHaveText(["15", "15", "8"]);
  await expect(page.locator(".sheet .rank td")).toHaveText(["2", "1", "3"]);
  await expect(page.locator(".pad .verdict-line")).toContainText("Bob");
  await expect(page.locator(".pad .proof tbody tr").last()).toContainText(/0.*2.*decides/s);
  await page.reload();
  await ready(page);
  await expect(page.locator(".sheet .sum td")).toHaveText(["15", "15", "8"]);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".top")).toBeHidden();
  await expect(page.locator(".sheet")).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "Open as a log" }).click();
  await judged(page);
  expect(await text(page)).toContain("result");
});

/** Each size in light and dark, in turn in each language; `npm run test:all` takes every language. */
const TAKES_ALL = process.env["PAGE_TESTS"] === "all";

for (const [sizeNumber, [size, viewport]] of Object.entries(SIZES).entries()) {
  test.describe(size, () => {
    test.use({ viewport });

    for (const [languageNumber, [code, locale]] of Object.entries(LANGUAGES).entries()) {
      for (const [schemeNumber, colorScheme] of (["light", "dark"] as const).entries()) {
        if (!TAKES_ALL && (sizeNumber + schemeNumber) % Object.keys(LANGUAGES).length !== languageNumber) {
          continue;
        }
        test(`in ${code}, ${colorScheme}, nothing is cut off and axe finds nothing`, async ({ browser, baseURL }) => {
          test.setTimeout(120_000);
          const context = await browser.newContext({ viewport, locale, colorScheme, hasTouch: size === "phone", ...(baseURL ? { baseURL } : {}) });
          const page = await context.newPage();
          await start(page);
          await expect(page.locator("html")).toHaveAttribute("lang", code);
          const see = async (): Promise<void> => {
            await isFine(page);
            if (size === "phone") {
              await isTappable(page);
            }
          };
          await see();
          await paste(page, MISTAKES);
          await see();
          const tabs = (await page.locator(".bottom").isVisible()) ? page.locator(".bottom button") : page.getByRole("tab");
          for (let number = 0; number < (await tabs.count()); number += 1) {
            await tabs.nth(number).click();
            await page.waitForTimeout(400);
            await see();
            if (await page.locator(".replay").isVisible()) {
              await replay(page);
              await isFine(page.frames()[1] ?? page);
            }
          }
          await page.goto("./#pad");
          await expect(page.locator(".sheet")).toBeVisible();
          await see();
          await page.goto("./#");
          await expect(page.locator(".drafts li")).not.toHaveCount(0);
          await see();
          await context.close();
        });
      }
    }
  });
}

test("language and colours can be chosen, and are remembered", async ({ page }) => {
  await start(page);
  await page.getByLabel("Language").selectOption("de");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Schiedsrichter für aufgezeichnete Brettspiele");
  await page.getByLabel("Farben").selectOption("dark");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await paper()).toBe("rgb(23, 22, 19)");
  await page.reload();
  await ready(page);
  expect(await paper()).toBe("rgb(23, 22, 19)");
  await paste(page, MISTAKES);
  await expect(page.locator(".verdict")).toContainText("regelwidrig");
  await expect(page.locator(".findings")).toContainText("Siehe");
});
