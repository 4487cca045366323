/** What is used of the service worker. */
export type Controlled = Pick<ServiceWorkerContainer, "controller">;

/** Time between two questions, in milliseconds. */
const often = 1000;

/**
 * Watches while the app loads, because its files come through the service worker, which ends when the process that it
 * shares with another tab crashes. What it was loading is then lost, and waits forever. The browser starts another one
 * for the next question: if that one was born after this page began to load, the page is loaded anew.
 *
 * Returns a function that ends the watch. begun is the time at which loading began, in milliseconds since 1970.
 */
export function watchLoading(container: Controlled | undefined, begun: number, reload: () => void): () => void {
  // One that takes over later has loaded nothing for this page.
  const worker = container?.controller;
  if (!worker) return () => undefined;
  const ask = (): void => {
    if (container.controller !== worker) {
      end();
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: born }: MessageEvent<unknown>) => {
      port1.close();
      if (over || typeof born !== "number" || born <= begun) return;
      end();
      reload();
    };
    worker.postMessage("born", [port2]);
  };
  let over = false;
  const timer = setInterval(ask, often);
  const end = (): void => {
    over = true;
    clearInterval(timer);
  };
  return end;
}
