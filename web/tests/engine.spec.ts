/** The engine: Python in a worker, what stops it, snapshots, and what it never does. */

import { gzipSync } from "node:zlib";
import { expect, test, type BrowserContext } from "@playwright/test";
import { enginePage, log } from "./engine";

const TIE = log("games/tie.agn");

/** A worker that does what the text of a request says, in place of Python. */
const FAKE = `
let calls = 0;
onmessage = ({ data: { id, request } }) => {
  if (id === undefined) return postMessage({ id: 0, ready: true, snapshot: false });
  calls += 1;
  if (request.text === "forever") for (;;);
  if (request.text === "a while") for (const end = Date.now() + 300; Date.now() < end;);
  if (request.text === "fatal") return postMessage({ id, ok: false, fatal: true, error: "unreachable" });
  if (request.text === "wrong") return postMessage({ id, ok: false, fatal: false, error: "ValueError" });
  postMessage({ id, ok: true, answer: JSON.stringify([request.text, calls]), milliseconds: 0 });
};`;

async function withFakeWorker(context: BrowserContext) {
  await context.route("**/fake/manifest.json", (route) =>
    route.fulfill({ json: { files: { "worker.js": { file: "worker.gz" } } } }),
  );
  await context.route("**/fake/worker.gz", (route) => route.fulfill({ body: gzipSync(FAKE) }));
  return enginePage(context, { base: "fake/" });
}

const ask = `async (text, options) => {
  const began = performance.now();
  try {
    return { answer: await window.engine.ask({ kind: "check", text }, options) };
  } catch (error) {
    return { reason: error.reason, message: error.message, seconds: (performance.now() - began) / 1000 };
  }
}`;

test("a request that takes too long ends the worker, and the next is answered", async ({ context }) => {
  const page = await withFakeWorker(context);
  const [slow, next] = (await page.evaluate(`(async () => {
    const ask = ${ask};
    return [await ask("forever", { seconds: 1 }), await ask("next")];
  })()`)) as [{ reason: string }, { answer: unknown }];
  expect(slow.reason).toBe("slow");
  expect(next.answer).toEqual(["next", 1]);
});

test("a newer request replaces one that waits, and ends one that runs for more than a second", async ({ context }) => {
  const page = await withFakeWorker(context);
  const [first, second, third] = (await page.evaluate(`(async () => {
    const ask = ${ask};
    const first = ask("forever");
    await new Promise((resolve) => setTimeout(resolve, 300));
    const began = performance.now();
    const second = ask("waits");
    const third = ask("newest").then((found) => ({ ...found, seconds: (performance.now() - began) / 1000 }));
    return Promise.all([first, second, third]);
  })()`)) as { reason: string; answer: unknown; seconds: number }[];
  expect([first?.reason, second?.reason]).toEqual(["overtaken", "overtaken"]);
  expect(third?.answer).toEqual(["newest", 1]);
  expect(third?.seconds).toBeGreaterThan(0.9);
});

test("what is overtaken but soon done keeps its worker", async ({ context }) => {
  const page = await withFakeWorker(context);
  const [first, second] = (await page.evaluate(`(async () => {
    const ask = ${ask};
    const first = ask("a while");
    await new Promise((resolve) => setTimeout(resolve, 100));
    return Promise.all([first, ask("next")]);
  })()`)) as { reason: string; answer: unknown }[];
  expect(first?.reason).toBe("overtaken");
  expect(second?.answer).toEqual(["next", 2]);
});

test("requests for different purposes wait for each other", async ({ context }) => {
  const page = await withFakeWorker(context);
  const answers = await page.evaluate(`Promise.all(["a", "b", "c"].map((stream) =>
    window.engine.ask({ kind: "check", text: stream }, { stream })))`);
  expect(answers).toEqual([["a", 1], ["b", 2], ["c", 3]]);
});

test("a fatal error names the input, and the next request is answered", async ({ context }) => {
  const page = await withFakeWorker(context);
  const [fatal, next] = (await page.evaluate(`(async () => {
    const ask = ${ask};
    return [await ask("fatal"), await ask("next")];
  })()`)) as [{ reason: string; message: string }, { answer: unknown }];
  expect(fatal.reason).toBe("fatal");
  expect(fatal.message).toContain("unreachable");
  expect(fatal.message).toContain('check: 5 characters, "fatal"');
  expect(next.answer).toEqual(["next", 1]);
});

test("an error of one request is only its own", async ({ context }) => {
  const page = await withFakeWorker(context);
  const [wrong, next] = (await page.evaluate(`(async () => {
    const ask = ${ask};
    return [await ask("wrong"), await ask("next")];
  })()`)) as [{ reason: string }, { answer: unknown }];
  expect(wrong.reason).toBe("failed");
  expect(next.answer).toEqual(["next", 2]);
});

test("a button stops what runs", async ({ context }) => {
  const page = await withFakeWorker(context);
  const stopped = (await page.evaluate(`(async () => {
    const ask = ${ask};
    const running = ask("forever");
    setTimeout(() => window.engine.stop(), 200);
    return running;
  })()`)) as { reason: string; seconds: number };
  expect(stopped.reason).toBe("stopped");
  expect(stopped.seconds).toBeLessThan(5);
});

test("files that are not there are a fatal error, not a wait", async ({ context }) => {
  const page = await enginePage(context, { base: "nowhere/" });
  const found = (await page.evaluate(`(${ask})("x")`)) as { reason: string; message: string };
  expect(found.reason).toBe("fatal");
  expect(found.message).toContain("manifest.json: 404");
});

test("a check is answered; a later start from a snapshot gives the same, and asks no other origin", async ({ context, baseURL }) => {
  const requests: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  const answers: unknown[] = [];
  for (const round of [0, 1]) {
    const page = await enginePage(context);
    answers.push(
      await page.evaluate(
        async (text) => {
          const check = await window.engine.ask({ kind: "check", text }, { seconds: 100 });
          const replay = await window.engine.ask({ kind: "replay", text }, { seconds: 100 });
          return { check, replay };
        },
        TIE,
      ),
    );
    expect(await page.evaluate(() => window.fromSnapshot)).toEqual([round === 1]);
    if (round === 0) {
      await expect
        .poll(() => page.evaluate(async () => (await (await caches.open("altay-snapshot")).keys()).length), { timeout: 60_000 })
        .toBe(1);
    }
    await page.close();
  }
  expect(answers[1]).toEqual(answers[0]);
  const [game] = (answers[0] as { check: { files: { games: { verdict: string; winners: string[] }[] }[] } }).check.files[0]!.games;
  expect([game?.verdict, game?.winners]).toEqual(["legal", ["Clara"]]);
  const origins = new Set(requests.map((address) => new URL(address.replace(/^blob:/, "")).origin));
  expect([...origins]).toEqual([new URL(baseURL!).origin]);
});

test("a snapshot that cannot be used is replaced by an ordinary start", async ({ context }) => {
  const before = await enginePage(context);
  await before.evaluate((text) => window.engine.ask({ kind: "check", text }, { seconds: 100 }), TIE);
  await expect
    .poll(() => before.evaluate(async () => (await (await caches.open("altay-snapshot")).keys()).length), { timeout: 60_000 })
    .toBe(1);
  await before.evaluate(async () => {
    const cache = await caches.open("altay-snapshot");
    for (const key of await cache.keys()) await cache.put(key, new Response(new Uint8Array(1000)));
  });
  await before.close();
  const page = await enginePage(context);
  const answer = await page.evaluate((text) => window.engine.ask({ kind: "check", text }, { seconds: 100 }), TIE);
  expect(await page.evaluate(() => window.fromSnapshot)).toEqual([false]);
  expect(answer).toMatchObject({ files: [{ games: [{ verdict: "legal" }] }] });
});

const HOSTILE: Record<string, string> = {
  "one line of 5 MB": `[Game "altay"]\n${"buy ".repeat(1_250_000)}`,
  "5 MB of lines": `[Game "altay"]\nsetup\n${"Ann: hand 2 Hunter\n".repeat(260_000)}`,
  "5 MB of open brackets": `[Game "altay"]\n${"[".repeat(5_000_000)}`,
  "5 MB of quotes": `[Game "altay"]\nturn 1 Ann\n${'"“'.repeat(2_500_000)}`,
  "100,000 tags": Array.from({ length: 100_000 }, (_, n) => `[T${n} "x"]`).join("\n"),
  markup: `[Game "altay"]\n[Event "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"]\nturn 1 <script>window.hacked=1</script>\n`,
  "no text": "\0\u0001\ud800\uffff".repeat(1000),
};

test("hostile logs neither freeze the page nor run anything", async ({ context }) => {
  const page = await enginePage(context, { snapshots: false });
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => void dialogs.push(dialog.message()));
  await page.evaluate((text) => window.engine.ask({ kind: "check", text }, { seconds: 100 }), TIE);
  for (const [name, text] of Object.entries(HOSTILE)) {
    const found = await page.evaluate(async (text) => {
      let longest = 0;
      let last = performance.now();
      const watch = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 10);
      const outcome = await window.engine.ask({ kind: "check", text }).then(
        () => "answered",
        (error: { reason: string }) => error.reason,
      );
      clearInterval(watch);
      return { outcome, longest, hacked: "hacked" in window };
    }, text);
    expect.soft(["answered", "slow"], name).toContain(found.outcome);
    expect.soft(found.longest, `${name}: milliseconds without an answer of the page`).toBeLessThan(1500);
    expect.soft(found.hacked, name).toBe(false);
  }
  const after = await page.evaluate((text) => window.engine.ask({ kind: "check", text }, { seconds: 100 }), TIE);
  expect(after).toMatchObject({ files: [{ games: [{ verdict: "legal" }] }] });
  expect(dialogs).toEqual([]);
});

test("after one visit the page opens, and checks, without a network", async ({ context, page }) => {
  await page.goto("./");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.close();
  await context.setOffline(true);
  const offline = await context.newPage();
  await offline.goto("./");
  await expect(offline.locator("body")).toHaveAttribute("data-ready", "yes", { timeout: 100_000 });
  await offline.locator(".samples button").first().click();
  await expect(offline.locator(".verdict")).toBeVisible({ timeout: 100_000 });
});
