/** What is used of the service worker. */
export type Controlled = Pick<ServiceWorkerContainer, "controller">;

/** Time between two questions, in milliseconds. */
const often = 1000;
/** Questions without an answer after which the service worker is not waited for any longer. */
const enough = 10;

/** A watch over a page that loads. */
export interface Watch {
  /** Ends the watch, because the page has loaded. */
  end(): void;
  /**
   * Ends the watch, because something failed to load. Returns whether that is because the service worker ended, in
   * which case the page is loaded anew.
   */
  failed(): Promise<boolean>;
}

/**
 * Watches while the app loads, because its files come through the service worker, which ends when the process that it
 * shares with another tab crashes. What it was loading is then lost, and fails or waits forever. The browser starts
 * another one for the next question: if that one was born after this page began to load, the page is loaded anew.
 *
 * begun is the time at which loading began, in milliseconds since 1970.
 */
export function watchLoading(container: Controlled | undefined, begun: number, reload: () => void): Watch {
  // One that takes over later has loaded nothing for this page.
  const worker = container?.controller;
  if (!worker) return { end: () => undefined, failed: () => Promise.resolve(false) };
  let over = false;
  let told: ((reloads: boolean) => void) | undefined;
  const stop = (reloads: boolean): void => {
    over = true;
    clearInterval(timer);
    told?.(reloads);
  };
  const ask = (same?: () => void): void => {
    if (over) return;
    if (container.controller !== worker) {
      stop(false);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: born }: MessageEvent<unknown>) => {
      port1.close();
      if (over || typeof born !== "number") return;
      if (born <= begun) {
        same?.();
        return;
      }
      stop(true);
      reload();
    };
    worker.postMessage("born", [port2]);
  };
  let timer = setInterval(() => ask(), often);
  return {
    end: () => stop(false),
    failed: () =>
      new Promise((resolve) => {
        if (over) {
          resolve(false);
          return;
        }
        told = resolve;
        clearInterval(timer);
        let asked = 0;
        const again = (): void => {
          if (asked++ === enough) stop(false);
          else ask(() => stop(false));
        };
        timer = setInterval(again, often);
        again();
      }),
  };
}
