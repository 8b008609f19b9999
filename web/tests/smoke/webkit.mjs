// `npm run test:webkit`: a visit in WebKit, driven by WebDriver: `WebKitWebDriver` of the package
// webkit2gtk-driver, which starts its MiniBrowser. It needs a display; without one, Xvfb is started.

import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { program, smoke } from "./smoke.mjs";

const driverPath = program("WEBKIT_DRIVER", "/usr/bin/WebKitWebDriver");
const children = [];

function run(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "ignore", "pipe"], ...options });
  children.push(child);
  return child;
}

/** Return the display to use: that of the user, or a new one that Xvfb chooses. */
async function display() {
  if (process.env.DISPLAY) return process.env.DISPLAY;
  const xvfb = run(program("XVFB", "/usr/bin/Xvfb"), ["-displayfd", "3", "-screen", "0", "1440x900x24", "-nolisten", "tcp"]);
  return new Promise((found, failed) => {
    xvfb.stdio[3].once("data", (number) => found(`:${String(number).trim()}`));
    xvfb.once("exit", () => failed(new Error("Xvfb did not start")));
  });
}

function freePort() {
  return new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

async function start() {
  const port = await freePort();
  run(driverPath, [`--port=${port}`], { env: { ...process.env, DISPLAY: await display(), LANG: "C.UTF-8" } });
  const call = async (path, body, method = "POST") => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === "POST" ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };
  for (let tries = 0; ; tries += 1) {
    try {
      await call("/status", null, "GET");
      break;
    } catch (error) {
      if (tries === 50) throw error;
      await new Promise((go) => setTimeout(go, 100));
    }
  }
  const { sessionId } = await call("/session", { capabilities: { alwaysMatch: {} } });
  const session = `/session/${sessionId}`;
  return {
    open: (url) => call(`${session}/url`, { url }),
    reload: () => call(`${session}/refresh`),
    run: (script) => call(`${session}/execute/sync`, { script, args: [] }),
    close: () => call(session, null, "DELETE"),
  };
}

try {
  await smoke("WebKit", start);
} finally {
  for (const child of children) child.kill();
}
process.exit(0);
