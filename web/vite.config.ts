import { defineConfig } from "vite";

// Addresses are relative: the folder works wherever a host puts it.
export default defineConfig({
  appType: "mpa",
  base: "./",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: ["index.html", "replay.html"] },
  },
});
