import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile, link, type FileHandle } from "node:fs/promises";
import { join, resolve } from "node:path";

import type { FileStore, StoredFile } from "./host.js";
import { named } from "./store.js";

export { MemoryStore } from "./store.js";

const suffix = ".wallet";

/**
 * Wallets in a folder, for Node: a file each, in the place of the browser's database. Every change is on disk when its promise is kept.
 * A name that is open is locked by a file that names its process; the lock of a process that is no more does not count.
 */
export class DatabaseStore implements FileStore {
  private constructor(private readonly folder: string) {}

  static async open(folder: string): Promise<DatabaseStore> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new DatabaseStore(resolve(folder));
  }

  async exists(name: string): Promise<boolean> {
    return (await size(this.path(name))) !== undefined;
  }

  async names(): Promise<string[]> {
    const names = await readdir(this.folder);
    return names.filter((n) => n.endsWith(suffix)).map((n) => decodeURIComponent(n.slice(0, -suffix.length)));
  }

  async create(name: string): Promise<StoredFile> {
    const release = await this.lock(name);
    if (release === null) throw named("ExistsError", "the wallet exists and is open");
    // What a crash between two steps of making a wallet leaves is empty, and is used.
    if ((await size(this.path(name))) ?? 0 > 0) {
      await release();
      throw named("ExistsError", "the wallet exists already");
    }
    return this.file(name, "a", release);
  }

  async open(name: string): Promise<StoredFile> {
    if (!(await this.exists(name))) throw named("MissingError", "there is no wallet of that name");
    const release = await this.lock(name);
    if (release === null) throw named("InUseError", "the wallet is open elsewhere");
    return this.file(name, "r+", release);
  }

  async remove(name: string): Promise<void> {
    if (!(await this.exists(name))) throw named("MissingError", "there is no wallet of that name");
    const release = await this.lock(name);
    if (release === null) throw named("InUseError", "the wallet is open elsewhere");
    await rm(this.path(name), { force: true });
    await release();
  }

  private path(name: string): string {
    return join(this.folder, encodeURIComponent(name) + suffix);
  }

  private async file(name: string, flags: string, release: () => Promise<void>): Promise<StoredFile> {
    try {
      const handle = await open(this.path(name), flags, 0o600);
      await handle.close();
      await syncFolder(this.folder);
      return new FolderFile(this.folder, this.path(name), release);
    } catch (e) {
      await release();
      throw e;
    }
  }

  /** Takes the name for this thread; null when another has it. */
  private async lock(name: string): Promise<(() => Promise<void>) | null> {
    const path = this.path(name) + ".lock";
    for (let tries = 0; tries < 3; tries++) {
      try {
        await writeFile(path, String(process.pid), { flag: "wx" });
        return () => rm(path, { force: true });
      } catch (e) {
        if (code(e) !== "EEXIST") throw e;
      }
      const owner = await readFile(path, "utf8").catch(() => "");
      if (alive(Number(owner))) return null;
      // It is taken away under a name of our own, so that of several who find it one alone does; a new one found there goes back.
      const aside = `${path}.${process.pid}`;
      try {
        await rename(path, aside);
        if ((await readFile(aside, "utf8")) !== owner) await link(aside, path).catch(() => undefined);
        await rm(aside, { force: true });
      } catch (e) {
        if (code(e) !== "ENOENT") throw e;
      }
    }
    return null;
  }
}

class FolderFile implements StoredFile {
  constructor(
    private readonly folder: string,
    private readonly path: string,
    private readonly release: () => Promise<void>,
  ) {}

  async load(): Promise<Uint8Array> {
    return new Uint8Array(await readFile(this.path));
  }

  append(bytes: Uint8Array): Promise<void> {
    return changed(this.path, "a", (file) => file.appendFile(bytes));
  }

  async replace(bytes: Uint8Array): Promise<void> {
    const next = this.path + ".new";
    await changed(next, "w", (file) => file.writeFile(bytes));
    await rename(next, this.path);
    await syncFolder(this.folder);
  }

  truncate(to: number): Promise<void> {
    return changed(this.path, "r+", (file) => file.truncate(to));
  }

  close(): Promise<void> {
    return this.release();
  }
}

async function changed(path: string, flags: string, change: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await change(file);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Makes names in the folder durable, where the system has a way. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

async function size(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (e) {
    if (code(e) === "ENOENT") return undefined;
    throw e;
  }
}

/** Reports whether a process is there; what is no number is none. */
function alive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return code(e) === "EPERM";
  }
}

function code(e: unknown): string {
  return e instanceof Error && "code" in e ? String(e.code) : "";
}
