// Keeps all files of one build, so that the page opens without a network. `finish.mjs` fills in the
// list. An update waits until no page of the old build is open, as it would mix two builds.

const BUILD = "__BUILD__";
const FILES = __FILES__;
const PREFIX = "altay-files-";

self.addEventListener("install", (event) => {
  const files = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(PREFIX + BUILD).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== PREFIX + BUILD);
      await Promise.all(old.map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

async function answer(request) {
  const cache = await caches.open(PREFIX + BUILD);
  const address = new URL(request.url);
  const isFolder = address.pathname.endsWith("/");
  const kept = await cache.match(isFolder ? "index.html" : request, { ignoreSearch: true, ignoreVary: true });
  return kept ?? fetch(request);
}

self.addEventListener("fetch", (event) => {
  const isOurs = event.request.url.startsWith(self.registration.scope);
  if (event.request.method === "GET" && isOurs) event.respondWith(answer(event.request));
});
