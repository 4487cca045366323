import { render } from "preact";
import { Glim } from "glim";
import { Root } from "./root.js";
import type { Engine, StartEngine } from "./lib/engine.js";
import { webPage } from "./lib/platform.js";
import { watchLoading } from "./lib/revive.js";
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

const root = document.getElementById("app") ?? document.body;

/** Shows the app with an engine in workers of the page. */
function web(): void {
  // The service worker has loaded this script, so it was born before.
  const loading = watchLoading(navigator.serviceWorker, Date.now(), () => location.reload());

  /** Starts the engine, whose files are loaded last. */
  async function start(...[options, onFailed]: Parameters<StartEngine>): Promise<Engine> {
    try {
      const engine = await Glim.start({ ...options, onFailed });
      loading.end();
      return engine;
    } catch (e) {
      // If the page is loaded anew, the failure is not shown.
      if (await loading.failed()) await new Promise(() => undefined);
      throw e;
    }
  }

  render(<Root start={start} platform={webPage(offline ? watchUpdates() : undefined)} />, root);
}

if (document.querySelector('meta[name="glim-app"]')) void import("./desktop.js").then(({ desktop }) => desktop(root));
else web();
