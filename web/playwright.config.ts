import { defineConfig } from "@playwright/test";

// Browsers of the system: Playwright's own cannot be had everywhere.
export default defineConfig({
  testDir: "tests",
  timeout: 180_000,
  expect: { timeout: 60_000 }, // Python starts, and a machine may be busy
  workers: 1,
  reporter: "line",
  use: {
    baseURL: "http://localhost:4173/",
    launchOptions: { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] },
  },
  webServer: {
    command: "npx vite preview --port 4173 --strictPort",
    url: "http://localhost:4173/",
    reuseExistingServer: false,
  },
});
