/** Passes messages between a page and the background, and reconnects after the background was stopped. */
import { Code, room, type Outcome, type SiteMessage, type SiteReply } from "./lib/site.js";

(() => {
  // A sandboxed page has no origin of its own, so its requests cannot be attributed to a site.
  if (window.origin === "null") return;

  /** Identifies this document, so that it is not confused with the next one in the tab. */
  const page = crypto.randomUUID();
  const open = new Set<number>();
  let port: chrome.runtime.Port | null = null;

  const refused = (code: number, message: string): Outcome => ({ error: { code, message } });
  const gone = refused(Code.Disconnected, "the wallet was removed or updated; reload the page");

  const hear = (reply: SiteReply): void => {
    if (reply.type === "outcome") open.delete(reply.question);
    window.dispatchEvent(new CustomEvent("glim:outcome", { detail: JSON.stringify(reply) }));
  };

  const join = (): chrome.runtime.Port => {
    if (port !== null) return port;
    port = chrome.runtime.connect({ name: "site" });
    port.onMessage.addListener(hear);
    const mine = port;
    port.onDisconnect.addListener(() => {
      if (port === mine) again();
    });
    return port;
  };

  const again = (): void => {
    port = null;
    if (open.size === 0) return;
    try {
      join().postMessage({ type: "again", page, questions: [...open] } satisfies SiteMessage);
    } catch {
      // The extension was removed or reloaded: pending requests of this page fail.
      for (const question of open) hear({ type: "outcome", question, outcome: gone });
    }
  };

  // The background was stopped and now has an outcome.
  chrome.runtime.onMessage.addListener((message: { type?: string }) => {
    if (message.type === "again") again();
  });

  window.addEventListener("glim:ask", (e) => {
    let m: { question: number; method: unknown; params: unknown };
    try {
      m = JSON.parse(String((e as CustomEvent).detail)) as typeof m;
      if (typeof m !== "object" || m === null) return;
    } catch {
      return;
    }
    const { question } = m;
    if (!Number.isSafeInteger(question) || open.has(question)) return;
    // Limits what a page that floods the extension can cost.
    if (String((e as CustomEvent).detail).length > room.text)
      return hear({ type: "outcome", question, outcome: refused(Code.Invalid, "the request is too long") });
    if (open.size >= room.questions)
      return hear({
        type: "outcome",
        question,
        outcome: refused(Code.Busy, "too many requests are waiting for an answer"),
      });
    open.add(question);
    try {
      join().postMessage({ type: "ask", page, question, method: m.method, params: m.params } satisfies SiteMessage);
    } catch {
      hear({ type: "outcome", question, outcome: gone });
    }
  });
})();
