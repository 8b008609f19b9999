/** Keep all files on the device, by the service worker. */

/** Resolve to whether the page opens without a network from now on. */
export async function keepOffline(): Promise<boolean> {
  if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return false;
  try {
    await navigator.serviceWorker.register(new URL("service-worker.js", document.baseURI));
    await navigator.serviceWorker.ready;
    return true;
  } catch {
    return false; // no secure address, or no room
  }
}
