/**
 * window.glim, in the page's own world. It only carries questions to the extension, which asks the person. Pages find it as
 * window.glim, or by the event glim:announce, which answers glim:request, so that several wallets can be there.
 */
(() => {
  // A sandboxed page is nobody's: see content.ts.
  if (window.origin === "null") return;

  type Waiting = { resolve: (v: unknown) => void; reject: (e: Error) => void };
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  let last = 0;

  class ProviderError extends Error {
    constructor(
      readonly code: number,
      message: string,
    ) {
      super(message);
      this.name = "GlimProviderError";
    }
  }

  const provider = Object.freeze({
    isGlim: true,
    version: 1,
    /** Asks the wallet; the promise is kept when the person has consented and it is done. Errors have a code. */
    request(question: { method: string; params?: unknown }): Promise<unknown> {
      const id = ++last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        try {
          const detail = JSON.stringify({ question: id, method: question?.method, params: question?.params });
          window.dispatchEvent(new CustomEvent("glim:ask", { detail }));
        } catch {
          waiting.delete(id);
          reject(new ProviderError(-32602, "params cannot be sent: amounts are decimal strings"));
        }
      });
    },
    /** Hears "disconnect": the person has taken the site's permission away. */
    on(event: string, listener: (value: unknown) => void): void {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
    },
    off(event: string, listener: (value: unknown) => void): void {
      listeners.get(event)?.delete(listener);
    },
  });

  window.addEventListener("glim:outcome", (e) => {
    const m = JSON.parse(String((e as CustomEvent).detail)) as {
      type: string;
      question?: number;
      outcome?: { result: unknown } | { error: { code: number; message: string } };
    };
    if (m.type === "disconnected") {
      for (const listener of listeners.get("disconnect") ?? []) listener(undefined);
      return;
    }
    const w = waiting.get(m.question ?? 0);
    waiting.delete(m.question ?? 0);
    if (w === undefined || m.outcome === undefined) return;
    if ("error" in m.outcome) w.reject(new ProviderError(m.outcome.error.code, m.outcome.error.message));
    else w.resolve(m.outcome.result);
  });

  const info = Object.freeze({ uuid: crypto.randomUUID(), name: "glim", rdns: "glim.wallet" });
  const announce = (): boolean => window.dispatchEvent(new CustomEvent("glim:announce", { detail: Object.freeze({ info, provider }) }));
  window.addEventListener("glim:request", announce);
  if (!("glim" in window)) Object.defineProperty(window, "glim", { value: provider, configurable: true });
  announce();
})();
