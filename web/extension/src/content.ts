/** Between a page and the background: passes on what is said, and joins again when the background has slept. */
import type { SiteMessage, SiteReply } from "./lib/site.js";

(() => {
  const open = new Set<number>();
  let port: chrome.runtime.Port | null = null;

  const hear = (reply: SiteReply): void => {
    if (reply.type === "outcome") open.delete(reply.question);
    window.dispatchEvent(new CustomEvent("glim:outcome", { detail: JSON.stringify(reply) }));
  };

  const join = (): chrome.runtime.Port => {
    if (port !== null) return port;
    port = chrome.runtime.connect({ name: "site" });
    port.onMessage.addListener(hear);
    port.onDisconnect.addListener(() => {
      port = null;
      if (open.size === 0) return;
      try {
        join().postMessage({ type: "again", questions: [...open] } satisfies SiteMessage);
      } catch {
        // The extension was removed or made anew: this page's questions end here.
        for (const question of open) hear({ type: "outcome", question, outcome: { error: { code: 4900, message: "the wallet is gone; load the page again" } } });
      }
    });
    return port;
  };

  window.addEventListener("glim:ask", (e) => {
    let m: { question: number; method: unknown; params: unknown };
    try {
      m = JSON.parse(String((e as CustomEvent).detail)) as typeof m;
    } catch {
      return;
    }
    if (!Number.isSafeInteger(m.question)) return;
    open.add(m.question);
    try {
      join().postMessage({ type: "ask", question: m.question, method: m.method, params: m.params } satisfies SiteMessage);
    } catch {
      hear({ type: "outcome", question: m.question, outcome: { error: { code: 4900, message: "the wallet is gone; load the page again" } } });
    }
  });
})();
