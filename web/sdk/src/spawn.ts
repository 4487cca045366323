/** A worker as its creator sees it, in a browser or in Node. */
export interface WorkerLike {
  /** The first message has no transfer. */
  postMessage(message: unknown, transfer?: Transferable[]): void;
  terminate(): void;
  onmessage: (data: unknown) => void;
  onerror: (message: string) => void;
}

/** Starts another worker of the package. */
export type Spawn = () => WorkerLike;
