// After `vite build`: write the service worker with the list of all files, and check their sizes.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(web, "dist");
const MOST = { unpacked: 28_000_000, packed: 10_000_000 };

const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== "service-worker.js")
  .map((entry) => relative(dist, join(entry.parentPath ?? entry.path, entry.name)).split(sep).join("/"))
  .sort();

const digest = createHash("sha256");
const sizes = { unpacked: 0, packed: 0 };
for (const file of files) {
  const data = readFileSync(join(dist, file));
  digest.update(`${file}\0${data.length}\0`).update(data);
  if (!file.startsWith("python/")) {
    sizes.unpacked += data.length;
    sizes.packed += gzipSync(data).length;
  }
}
const manifest = JSON.parse(readFileSync(join(dist, "python/manifest.json"), "utf8"));
for (const { size, packed } of Object.values(manifest.files)) {
  sizes.unpacked += size;
  sizes.packed += packed;
}
const script = readFileSync(join(web, "scripts/service-worker.js"), "utf8")
  .replace("__BUILD__", digest.digest("hex").slice(0, 16))
  .replace("__FILES__", JSON.stringify(files));
writeFileSync(join(dist, "service-worker.js"), script);
for (const [kind, most] of Object.entries(MOST)) {
  console.log(`dist, ${kind}: ${(sizes[kind] / 1e6).toFixed(1)} MB of at most ${most / 1e6}`);
  if (sizes[kind] > most) process.exitCode = 1;
}
