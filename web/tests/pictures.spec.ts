/**
 * The pictures of the page in `docs/pictures`. `npm run pictures` takes them again, after a change
 * of the page; otherwise this only tests that they can be taken.
 */

import { statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test, type Page } from "@playwright/test";
import { file, judged, paste, replay, SIZES, start, turnTo } from "./page";

const FOLDER = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));

interface Picture {
  size: keyof typeof SIZES;
  colorScheme?: "light" | "dark";
  show(page: Page): Promise<void>;
}

const PICTURES: Record<string, Picture> = {
  page: {
    size: "desktop",
    async show(page) {
      await paste(page, file("games/mistakes.agn"));
      await page.locator(".findings").getByRole("button", { name: "line 25" }).click();
      await page.getByLabel("Name").fill("Tuesday table");
    },
  },
  "page-replay": {
    size: "desktop",
    colorScheme: "dark",
    async show(page) {
      await paste(page, file("games/four-players.agn"));
      await page.getByLabel("Name").fill("Four players");
      await turnTo(page, "Replay");
      const frame = await replay(page);
      await page.locator(".cm-content").press("Control+End");
      await expect(frame.locator("#verdict")).toBeVisible();
      await frame.locator("#close-result").click();
    },
  },
  "page-phone": {
    size: "phone",
    async show(page) {
      await paste(page, file("games/tie.agn"));
      await page.getByLabel("Name").fill("Friday, three players");
      await turnTo(page, "Scores");
    },
  },
  pad: {
    size: "tablet",
    async show(page) {
      await page.goto("./#pad");
      await page.getByRole("button", { name: "Add a player" }).click();
      for (const [number, name] of ["Ann", "Bob", "Cora"].entries()) {
        await page.getByLabel(`Player ${number + 1}`).first().fill(name);
      }
      const cells = page.locator(".sheet tbody input");
      const points = [4, 4, 3, 0, 2, 7, 3, 1, 2, 6, 6, 3, 1, 1, 0, 1, 1, 0];
      for (const [number, value] of points.entries()) {
        await cells.nth(number).fill(String(value));
      }
      await expect(page.locator(".pad .proof")).toBeVisible();
      await page.locator(".sheet").evaluate((sheet) => window.scrollTo(0, sheet.getBoundingClientRect().top - 14));
    },
  },
};

for (const [name, { size, colorScheme, show }] of Object.entries(PICTURES)) {
  test(`the picture "${name}"`, async ({ browser, baseURL }) => {
    test.setTimeout(120_000);
    const options = { viewport: SIZES[size], colorScheme: colorScheme ?? ("light" as const), locale: "en-US", deviceScaleFactor: size === "phone" ? 2 : 1 };
    const context = await browser.newContext({ ...options, reducedMotion: "reduce", ...(baseURL ? { baseURL } : {}) });
    const page = await context.newPage();
    await start(page);
    await show(page);
    await page.waitForTimeout(1500);
    if (name.startsWith("page")) {
      await judged(page);
    }
    const picture = await page.screenshot({ type: "jpeg", quality: 86 });
    expect(picture.length).toBeGreaterThan(20_000);
    if (process.env["PICTURES"]) {
      writeFileSync(`${FOLDER}${name}.jpg`, picture);
    }
    expect(statSync(`${FOLDER}${name}.jpg`).size).toBeLessThan(350_000);
    await context.close();
  });
}
