/** The engine's connection to the worker that holds the spend keys. The engine defines the messages. */
export class Signer {
  private readonly asked: ((bytes: number) => void)[] = []; // pending requests for the worker's memory use
  private readonly waiting: { resolve: (answer: Uint8Array) => void; reject: (e: Error) => void }[] = [];
  private port: MessagePort | null = null;

  constructor(port: MessagePort) {
    this.join(port);
  }

  /** Uses port from now on. Keys that were lost with a worker are loaded again when wallets are opened again. */
  join(port: MessagePort): void {
    this.stop("the worker with the spend keys has ended");
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<Uint8Array | number>) => {
      if (typeof data === "number") this.asked.shift()?.(data);
      else this.waiting.shift()?.resolve(data);
    };
  }

  /** Sends a request; responses arrive in the order of the requests. */
  ask(request: Uint8Array): Promise<Uint8Array> {
    const port = this.port;
    if (port === null) return Promise.reject(new Error("there is no worker for spend keys"));
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      port.postMessage(request, [request.buffer as ArrayBuffer]);
    });
  }

  /** Returns the memory of the worker in bytes; 0 if there is no worker. */
  memory(): Promise<number> {
    const port = this.port;
    if (port === null) return Promise.resolve(0);
    return new Promise((resolve) => {
      this.asked.push(resolve);
      port.postMessage("memory");
    });
  }

  stop(why = "the signer was stopped"): void {
    this.port?.close();
    this.port = null;
    for (const asked of this.asked.splice(0)) asked(0);
    for (const w of this.waiting.splice(0)) w.reject(new Error(why));
  }
}
