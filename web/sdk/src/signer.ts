/** The engine's way to the worker that has the spend keys. What that is asked and answers belongs to the engine. */
export class Signer {
  private readonly waiting: { resolve: (answer: Uint8Array) => void; reject: (e: Error) => void }[] = [];
  private port: MessagePort | null = null;

  constructor(port: MessagePort) {
    this.join(port);
  }

  /** Asks at port from now on. Keys that are lost with a worker come back when wallets are opened again. */
  join(port: MessagePort): void {
    this.stop("the worker with the spend keys has ended");
    this.port = port;
    port.onmessage = (e: MessageEvent<Uint8Array>) => this.waiting.shift()?.resolve(e.data);
  }

  /** Asks; answers come in the order of questions. */
  ask(request: Uint8Array): Promise<Uint8Array> {
    const port = this.port;
    if (port === null) return Promise.reject(new Error("there is no worker for spend keys"));
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      port.postMessage(request, [request.buffer as ArrayBuffer]);
    });
  }

  stop(why = "the signer was stopped"): void {
    this.port?.close();
    this.port = null;
    for (const w of this.waiting.splice(0)) w.reject(new Error(why));
  }
}
