// `npm run test:firefox`: a visit in Firefox, driven by WebDriver BiDi. FIREFOX=PATH names another.

import puppeteer from "puppeteer-core";
import { program, smoke } from "./smoke.mjs";

const executablePath = program("FIREFOX", "/usr/bin/firefox-esr", "/usr/bin/firefox");

await smoke("Firefox", async () => {
  const browser = await puppeteer.launch({ browser: "firefox", protocol: "webDriverBiDi", executablePath, headless: true });
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  page.on("pageerror", (error) => console.error(`Firefox: ${error}`));
  return {
    open: async (address) => void (await page.goto(address)),
    reload: async () => void (await page.reload()),
    run: (script) => page.evaluate(`(() => { ${script} })()`),
    close: () => browser.close(),
  };
});
process.exit(0);
