import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { licences } from "./licences.mjs";
import { mark } from "./mark.mjs";
import { farewell, serviceWorker } from "./offline.mjs";

// The policy of the built page. Code comes only from its own origin; WebAssembly may be compiled, but text may not be
// run. The user chooses the node, so the page may connect anywhere. frame-ancestors has no effect in a meta element:
// hosts must send it as a header.
export const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self' https: http:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types default",
].join("; ");

function contentSecurityPolicy(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: () => [
      { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: policy }, injectTo: "head-prepend" },
    ],
  };
}

function passOnLicences(): Plugin {
  return {
    name: "pass-on-licences",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: licences(import.meta.dirname) });
    },
  };
}

/** The icons that browsers want in order to install the page, and its manifest. */
function icons(): Plugin {
  const files = [
    { name: "icon-180.png", size: 180, whole: true },
    { name: "icon-192.png", size: 192, whole: false },
    { name: "icon-512.png", size: 512, whole: false },
    { name: "icon-maskable-512.png", size: 512, whole: true },
  ];
  const manifest = {
    name: "glim",
    description: "A Monero wallet whose keys never leave this browser.",
    id: "./",
    start_url: "./",
    scope: "./",
    display: "standalone",
    background_color: "#f4f4f0",
    theme_color: "#f4f4f0",
    icons: [
      { src: "mark.svg", sizes: "any", type: "image/svg+xml" },
      ...files.slice(1).map(({ name, size, whole }) => ({
        src: name,
        sizes: `${size}x${size}`,
        type: "image/png",
        ...(whole && { purpose: "maskable" }),
      })),
    ],
  };
  return {
    name: "icons",
    apply: "build",
    generateBundle() {
      for (const { name, size, whole } of files)
        this.emitFile({ type: "asset", fileName: name, source: mark(size, whole) });
      this.emitFile({ type: "asset", fileName: "manifest.webmanifest", source: `${JSON.stringify(manifest)}\n` });
    },
    transformIndexHtml: () => [
      { tag: "link", attrs: { rel: "manifest", href: "./manifest.webmanifest" }, injectTo: "head" },
      { tag: "link", attrs: { rel: "apple-touch-icon", href: "./icon-180.png" }, injectTo: "head" },
    ],
  };
}

/** Whether the page has a service worker. "off" builds one that removes itself, see README.md. */
const offline = process.env.GLIM_SERVICE_WORKER !== "off";

/** Writes the service worker, once all files are written. */
function workOffline(): Plugin {
  let folder = "";
  return {
    name: "work-offline",
    apply: "build",
    configResolved: (config) => {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: "post",
      handler: () => {
        const urgent = process.env.GLIM_SERVICE_WORKER === "urgent";
        writeFileSync(resolve(folder, "sw.js"), offline ? serviceWorker(folder, { urgent }) : farewell());
      },
    },
  };
}

export default defineConfig(({ command }) => ({
  base: "./",
  plugins: [contentSecurityPolicy(), passOnLicences(), icons(), workOffline()],
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  worker: { format: "es" },
  define: { offline: JSON.stringify(offline && command === "build") },
}));
