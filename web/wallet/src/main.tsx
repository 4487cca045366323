import { render } from "preact";
import { Glim } from "glim";
import { Root } from "./root.js";
import { webPage } from "./lib/platform.js";
import { watchUpdates } from "./lib/updates.js";

/** Whether the page is built with a service worker, see vite.config.ts. */
declare const offline: boolean;

/** The browser's Trusted Types, if it has them. */
interface TrustedTypes {
  createPolicy(name: "default", policy: { createScriptURL(url: string): string | null }): unknown;
}

// The page's policy requires approval wherever text could become code or markup: only workers of this origin are
// allowed.
(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("default", {
  createScriptURL: (url) => (new URL(url, location.href).origin === location.origin ? url : null),
});

render(
  <Root
    start={(options, onFailed) => Glim.start({ ...options, onFailed })}
    platform={webPage(offline ? watchUpdates() : undefined)}
  />,
  document.getElementById("app") ?? document.body,
);
