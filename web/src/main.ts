/** Start the page. */

import "./styles/page.css";
import { createEngine } from "./engine";
import { keepOffline } from "./offline";
import { preferred, say, speak } from "./texts";
import { App } from "./ui/app";
import { Store } from "./ui/store";

async function main(): Promise<void> {
  speak(preferred());
  const root = document.getElementById("app");
  if (root === null) {
    throw new Error(say("failed", { reason: "#app" }));
  }
  const app = new App(root, createEngine(), await Store.open());
  root.replaceChildren();
  await app.start();
  app.offline(await keepOffline());
}

void main();
