import type { ChainStore } from "./host.js";
import { named } from "./store.js";

/** How long to wait for a page that is being closed or reloaded to release the chain, in milliseconds. */
const patience = 10_000;

/**
 * Stores the chain of an embedded daemon in IndexedDB: each commit is one transaction with strict durability. A Web
 * Lock keeps a second worker from writing to the same chain; it is released with the worker, however that ends.
 */
export class DatabaseChain implements ChainStore {
  private constructor(private readonly db: IDBDatabase) {}

  /** Opens or creates a chain. It fails with ChainInUseError while another page has it open. */
  static async open(name: string): Promise<DatabaseChain> {
    await lock(`glim-chain:${name}`);
    const request = indexedDB.open(`glim-chain:${name}`, 1);
    request.onupgradeneeded = () => void request.result.createObjectStore("records");
    return new DatabaseChain(
      await new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("the browser's database failed"));
      }),
    );
  }

  load(): Promise<Uint8Array[]> {
    const tx = this.db.transaction("records");
    const list: Uint8Array[] = [];
    const cursor = tx.objectStore("records").openCursor(); // binary keys are ordered byte by byte
    cursor.onsuccess = () => {
      if (!cursor.result) return;
      list.push(new Uint8Array(cursor.result.key as ArrayBuffer), cursor.result.value as Uint8Array);
      cursor.result.continue();
    };
    return done(tx).then(() => list);
  }

  commit(put: Uint8Array[], drop: Uint8Array[]): Promise<void> {
    const tx = this.db.transaction("records", "readwrite", { durability: "strict" });
    const records = tx.objectStore("records");
    for (const key of drop) records.delete(key as Uint8Array<ArrayBuffer>);
    for (let at = 0; at + 1 < put.length; at += 2) records.put(put[at + 1], put[at] as Uint8Array<ArrayBuffer>);
    return done(tx);
  }
}

/** Takes a lock until this worker ends. */
function lock(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { signal: AbortSignal.timeout(patience) }, () => {
        resolve();
        return new Promise(() => undefined);
      })
      .catch((e: unknown) => {
        const late = e instanceof Error && (e.name === "TimeoutError" || e.name === "AbortError");
        reject(late ? named("ChainInUseError", "the private chain is open in another page") : e);
      });
  });
}

function done(tx: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    tx.oncomplete = () => resolve();
    tx.onabort = tx.onerror = () => reject(tx.error ?? new Error("the browser's database failed"));
  });
}
