import type { FileStore, StoredFile } from "./host.js";

/**
 * Stores wallets in IndexedDB. A file is a sequence of pieces as they were appended, so that a change costs only what
 * it writes; each change is one transaction with strict durability. A Web Lock keeps an open wallet from being opened
 * in another tab of the site, and is released with the tab, however it ends.
 */
export class DatabaseStore implements FileStore {
  private constructor(
    private readonly db: IDBDatabase,
    private readonly name: string,
  ) {}

  static async open(name: string): Promise<DatabaseStore> {
    const request = indexedDB.open(`glim:${name}`, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("files"); // file name to the number of its generation
      request.result.createObjectStore("pieces"); // [name, generation, number] to bytes
    };
    return new DatabaseStore(await settled(request), name);
  }

  async exists(name: string): Promise<boolean> {
    return (await this.generation(name)) !== undefined;
  }

  async names(): Promise<string[]> {
    const keys = await settled(this.db.transaction("files").objectStore("files").getAllKeys());
    return keys.map(String);
  }

  async create(name: string): Promise<StoredFile> {
    const release = await this.lock(name);
    if (release === null) throw named("ExistsError", "the wallet exists and is open"); // in this tab or another
    try {
      const tx = this.change();
      const files = tx.objectStore("files");
      // A crash between two steps of making a wallet leaves an empty file, which may be used.
      if (
        (await settled(files.get(name))) !== undefined &&
        (await settled(tx.objectStore("pieces").count(pieces(name)))) > 0
      ) {
        tx.abort();
        throw named("ExistsError", "the wallet exists already");
      }
      files.put(0, name);
      await done(tx);
      return new DatabaseFile(this.db, name, 0, [], release);
    } catch (e) {
      release();
      throw e;
    }
  }

  async open(name: string): Promise<StoredFile> {
    if (!(await this.exists(name))) throw named("MissingError", "there is no wallet of that name");
    const release = await this.lock(name);
    if (release === null) throw named("InUseError", "the wallet is open elsewhere");
    try {
      const generation = await this.generation(name);
      if (generation === undefined) throw named("MissingError", "there is no wallet of that name");
      const found = await settled(this.db.transaction("pieces").objectStore("pieces").getAll(pieces(name, generation)));
      return new DatabaseFile(this.db, name, generation, found as Uint8Array[], release);
    } catch (e) {
      release();
      throw e;
    }
  }

  async remove(name: string): Promise<void> {
    if (!(await this.exists(name))) throw named("MissingError", "there is no wallet of that name");
    const release = await this.lock(name);
    if (release === null) throw named("InUseError", "the wallet is open elsewhere");
    try {
      const tx = this.change();
      tx.objectStore("files").delete(name);
      tx.objectStore("pieces").delete(pieces(name));
      await done(tx);
    } finally {
      release();
    }
  }

  async read(name: string): Promise<Uint8Array> {
    // One transaction, so that the generation and its pieces belong together.
    const tx = this.db.transaction(["files", "pieces"]);
    const generation = (await settled(tx.objectStore("files").get(name))) as number | undefined;
    if (generation === undefined) throw named("MissingError", "there is no wallet of that name");
    return joined((await settled(tx.objectStore("pieces").getAll(pieces(name, generation)))) as Uint8Array[]);
  }

  private async generation(name: string): Promise<number | undefined> {
    return (await settled(this.db.transaction("files").objectStore("files").get(name))) as number | undefined;
  }

  private change(): IDBTransaction {
    return this.db.transaction(["files", "pieces"], "readwrite", { durability: "strict" });
  }

  /** Locks the name for this worker; null if it is already locked. */
  private lock(name: string): Promise<(() => void) | null> {
    return new Promise((resolve, reject) => {
      navigator.locks
        .request(`glim:${this.name}:${name}`, { ifAvailable: true }, (lock) => {
          if (lock === null) {
            resolve(null);
            return undefined;
          }
          return new Promise<void>((release) => resolve(() => release()));
        })
        .catch(reject);
    });
  }
}

class DatabaseFile implements StoredFile {
  private size: number;

  constructor(
    private readonly db: IDBDatabase,
    private readonly name: string,
    private generation: number,
    private loaded: Uint8Array[],
    private readonly release: () => void,
  ) {
    this.size = loaded.length;
  }

  async load(): Promise<Uint8Array> {
    const found =
      this.loaded.length === this.size
        ? this.loaded
        : ((await settled(this.pieces().getAll(pieces(this.name, this.generation)))) as Uint8Array[]);
    this.loaded = []; // they are needed only once, to open the file
    return joined(found);
  }

  async append(bytes: Uint8Array): Promise<void> {
    const tx = this.db.transaction("pieces", "readwrite", { durability: "strict" });
    tx.objectStore("pieces").put(bytes, [this.name, this.generation, this.size]);
    await done(tx);
    this.size++;
  }

  async replace(bytes: Uint8Array): Promise<void> {
    const next = this.generation + 1;
    const tx = this.db.transaction(["files", "pieces"], "readwrite", { durability: "strict" });
    tx.objectStore("pieces").delete(pieces(this.name));
    tx.objectStore("pieces").put(bytes, [this.name, next, 0]);
    tx.objectStore("files").put(next, this.name);
    await done(tx);
    this.generation = next;
    this.size = 1;
    this.loaded = [];
  }

  async truncate(size: number): Promise<void> {
    const whole = joined((await settled(this.pieces().getAll(pieces(this.name, this.generation)))) as Uint8Array[]);
    if (size < whole.length) await this.replace(whole.slice(0, size));
  }

  close(): Promise<void> {
    this.release();
    return Promise.resolve();
  }

  private pieces(): IDBObjectStore {
    return this.db.transaction("pieces").objectStore("pieces");
  }
}

/** Stores wallets in the memory of the worker. */
export class MemoryStore implements FileStore {
  private readonly files = new Map<string, { bytes: Uint8Array; open: boolean }>();

  exists(name: string): Promise<boolean> {
    return Promise.resolve(this.files.has(name));
  }

  names(): Promise<string[]> {
    return Promise.resolve([...this.files.keys()]);
  }

  async create(name: string): Promise<StoredFile> {
    const old = this.files.get(name);
    if (old !== undefined && (old.open || old.bytes.length > 0))
      throw named("ExistsError", "the wallet exists already");
    this.files.set(name, { bytes: new Uint8Array(), open: false });
    return this.open(name);
  }

  open(name: string): Promise<StoredFile> {
    const file = this.files.get(name);
    if (file === undefined) return Promise.reject(named("MissingError", "there is no wallet of that name"));
    if (file.open) return Promise.reject(named("InUseError", "the wallet is open elsewhere"));
    file.open = true;
    return Promise.resolve({
      load: () => Promise.resolve(file.bytes.slice()),
      append: async (bytes) => {
        file.bytes = joined([file.bytes, bytes]);
      },
      replace: async (bytes) => {
        file.bytes = bytes.slice();
      },
      truncate: async (size) => {
        file.bytes = file.bytes.slice(0, size);
      },
      close: async () => {
        file.open = false;
      },
    });
  }

  read(name: string): Promise<Uint8Array> {
    const file = this.files.get(name);
    return file === undefined
      ? Promise.reject(named("MissingError", "there is no wallet of that name"))
      : Promise.resolve(file.bytes.slice());
  }

  remove(name: string): Promise<void> {
    const file = this.files.get(name);
    if (file === undefined) return Promise.reject(named("MissingError", "there is no wallet of that name"));
    if (file.open) return Promise.reject(named("InUseError", "the wallet is open elsewhere"));
    this.files.delete(name);
    return Promise.resolve();
  }
}

export function named(name: string, message: string): Error {
  const e = new Error(message);
  e.name = name;
  return e;
}

/** All pieces of a file, or of one of its generations. */
function pieces(name: string, generation?: number): IDBKeyRange {
  return generation === undefined
    ? IDBKeyRange.bound([name], [name, []])
    : IDBKeyRange.bound([name, generation], [name, generation, []]);
}

function joined(list: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(list.reduce((n, b) => n + b.length, 0));
  let at = 0;
  for (const b of list) {
    all.set(b, at);
    at += b.length;
  }
  return all;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's database failed"));
  });
}

function done(tx: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    tx.oncomplete = () => resolve();
    tx.onabort = tx.onerror = () => reject(tx.error ?? new Error("the browser's database failed"));
  });
}
