/// <reference types="vite/client" />

declare module "*/replay/assets/main.js";
