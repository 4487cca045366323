/**
 * The provider, in the page's own JavaScript world. It only passes requests to the extension, which asks the user.
 * Pages find it through the event monero:announceProvider, which answers monero:requestProvider, so that several
 * wallets can coexist: see ../PROVIDER.md. window.glim and the events glim:announce and glim:request are older names.
 */

/** The mark as a data URI, from the build. */
declare const ICON: string;

(() => {
  // A sandboxed page has no origin of its own: see content.ts.
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

  const forget = (event: string, listener: (value: unknown) => void): void => {
    listeners.get(event)?.delete(listener);
  };

  const provider = Object.freeze({
    isGlim: true,
    version: 1,
    /**
     * Sends a request to the wallet. The promise resolves when the user has agreed and it is done. Errors have a code.
     */
    request(question: { method: string; params?: unknown }): Promise<unknown> {
      const id = ++last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        try {
          const detail = JSON.stringify({ question: id, method: question?.method, params: question?.params });
          window.dispatchEvent(new CustomEvent("glim:ask", { detail }));
        } catch {
          waiting.delete(id);
          reject(new ProviderError(-32602, "params cannot be serialised; amounts must be decimal strings"));
        }
      });
    },
    /** Listens for "disconnect": the user has disconnected the site. */
    on(event: string, listener: (value: unknown) => void): void {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
    },
    removeListener: forget,
    off: forget,
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

  const info = Object.freeze({ uuid: crypto.randomUUID(), name: "glim", icon: ICON, rdns: "glim.wallet" });
  const detail = Object.freeze({ info, provider });
  const announce = (): void => {
    for (const event of ["monero:announceProvider", "glim:announce"])
      window.dispatchEvent(new CustomEvent(event, { detail }));
  };
  for (const event of ["monero:requestProvider", "glim:request"]) window.addEventListener(event, announce);
  if (!("glim" in window)) Object.defineProperty(window, "glim", { value: provider, configurable: true });
  announce();
})();
