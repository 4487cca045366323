import { defineConfig, type Plugin } from "vite";
import { licences } from "./licences.mjs";

// What the built page may do. Code comes from its own origin only; wasm may be compiled, text may not be run. Nodes are the user's
// choice, so the page may connect anywhere. frame-ancestors has no effect in a meta element: hosts send it as a header.
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

export default defineConfig({
  base: "./",
  plugins: [contentSecurityPolicy(), passOnLicences()],
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  worker: { format: "es" },
});
