/** Between a page and the background: passes on what is said, and joins again when the background has slept. */
import { Code, room, type Outcome, type SiteMessage, type SiteReply } from "./lib/site.js";

(() => {
  // A sandboxed page is nobody's: its address is a site's that does not answer for it.
  if (window.origin === "null") return;

  /** Tells this document from the one that follows it in the tab. */
  const page = crypto.randomUUID();
  const open = new Set<number>();
  let port: chrome.runtime.Port | null = null;

  const refused = (code: number, message: string): Outcome => ({ error: { code, message } });
  const gone = refused(Code.Disconnected, "the wallet is gone; load the page again");

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
      // The extension was removed or made anew: this page's questions end here.
      for (const question of open) hear({ type: "outcome", question, outcome: gone });
    }
  };

  // The background has slept and has an answer.
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
    // A page that floods costs nobody but itself.
    if (String((e as CustomEvent).detail).length > room.text) return hear({ type: "outcome", question, outcome: refused(Code.Invalid, "the question is too long") });
    if (open.size >= room.questions) return hear({ type: "outcome", question, outcome: refused(Code.Busy, "too many questions wait for an answer already") });
    open.add(question);
    try {
      join().postMessage({ type: "ask", page, question, method: m.method, params: m.params } satisfies SiteMessage);
    } catch {
      hear({ type: "outcome", question, outcome: gone });
    }
  });
})();
