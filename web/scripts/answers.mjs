// Answer calls under node, with what the page runs: a line of JSON each on standard input and output.
// `node scripts/answers.mjs [FOLDER]`, where FOLDER is that of `manifest.json`.

import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { startPython } from "./python.mjs";

const folder = process.argv[2];
const start = async () => (await startPython(folder && resolve(folder))).pyimport("boot").answer;
const answer = await start().catch((error) => {
  console.error(String(error.message ?? error));
  process.exit(1);
});
for await (const line of createInterface({ input: process.stdin })) {
  let reply;
  try {
    reply = answer(line);
  } catch (error) {
    reply = JSON.stringify({ error: String(error.message ?? error) });
  }
  process.stdout.write(`${reply}\n`);
}
process.exit(0);
