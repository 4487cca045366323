import { open, mkdir, readdir, readFile, rename, unlink, type FileHandle } from "node:fs/promises";
import { openSync, closeSync, writeSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { FileStore, StoredFile } from "./host.js";
import { named } from "./store.js";

/**
 * Stores wallets as files in a folder, byte for byte those of glim's command. While a wallet is open, the file
 * NAME.lock next to it holds the process ID; the lock of a process that no longer runs is ignored. The command uses
 * another kind of lock, so never open a wallet in both at the same time.
 */
export class FolderStore implements FileStore {
  private constructor(private readonly folder: string) {}

  static async open(folder: string): Promise<FolderStore> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new FolderStore(folder);
  }

  async names(): Promise<string[]> {
    return (await readdir(this.folder)).filter((n) => !n.endsWith(lockSuffix) && !n.endsWith(newSuffix));
  }

  async exists(name: string): Promise<boolean> {
    return (await readdir(this.folder)).includes(name);
  }

  async create(name: string): Promise<StoredFile> {
    const release = this.lock(name);
    if (release === null) throw named("ExistsError", "the wallet exists and is open");
    try {
      const file = await open(join(this.folder, name), "a+", 0o600);
      if ((await file.stat()).size > 0) {
        await file.close();
        throw named("ExistsError", "the wallet exists already");
      }
      await this.settle();
      return new FolderFile(this.folder, name, file, release);
    } catch (e) {
      release();
      throw e;
    }
  }

  async open(name: string): Promise<StoredFile> {
    if (!(await this.exists(name))) throw named("MissingError", "there is no wallet of that name");
    const release = this.lock(name);
    if (release === null) throw named("InUseError", "the wallet is open elsewhere");
    try {
      return new FolderFile(this.folder, name, await open(join(this.folder, name), "a+"), release);
    } catch (e) {
      release();
      throw e;
    }
  }

  async remove(name: string): Promise<void> {
    if (!(await this.exists(name))) throw named("MissingError", "there is no wallet of that name");
    const release = this.lock(name);
    if (release === null) throw named("InUseError", "the wallet is open elsewhere");
    try {
      await unlink(join(this.folder, name));
      await this.settle();
    } finally {
      release();
    }
  }

  async read(name: string): Promise<Uint8Array> {
    if (!(await this.exists(name))) throw named("MissingError", "there is no wallet of that name");
    return readFile(join(this.folder, name));
  }

  /** Makes changes of file names durable. */
  private async settle(): Promise<void> {
    await settle(this.folder);
  }

  private lock(name: string): (() => void) | null {
    const path = join(this.folder, name + lockSuffix);
    for (let tries = 0; tries < 2; tries++) {
      try {
        const fd = openSync(path, "wx", 0o600);
        writeSync(fd, String(process.pid));
        closeSync(fd);
        return () => {
          try {
            unlinkSync(path);
          } catch {
            // Already removed.
          }
        };
      } catch (e) {
        if ((e as NodeJS.ErrnoException).code !== "EEXIST") throw e;
        if (holderLives(path)) return null;
        unlinkSync(path);
      }
    }
    return null;
  }
}

const lockSuffix = ".lock";
const newSuffix = ".new";

function holderLives(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function settle(folder: string): Promise<void> {
  const dir = await open(folder);
  try {
    await dir.sync();
  } finally {
    await dir.close();
  }
}

class FolderFile implements StoredFile {
  constructor(
    private readonly folder: string,
    private readonly name: string,
    private file: FileHandle,
    private readonly release: () => void,
  ) {}

  async load(): Promise<Uint8Array> {
    const size = (await this.file.stat()).size;
    const bytes = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      const { bytesRead } = await this.file.read(bytes, at, size - at, at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return bytes.slice(0, at);
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.file.appendFile(bytes);
    await this.file.sync();
  }

  async replace(bytes: Uint8Array): Promise<void> {
    const path = join(this.folder, this.name);
    const next = await open(path + newSuffix, "w", 0o600);
    try {
      await next.writeFile(bytes);
      await next.sync();
    } finally {
      await next.close();
    }
    await rename(path + newSuffix, path);
    await settle(this.folder);
    await this.file.close();
    this.file = await open(path, "a+");
  }

  async truncate(size: number): Promise<void> {
    await this.file.truncate(size);
    await this.file.sync();
  }

  async close(): Promise<void> {
    await this.file.close();
    this.release();
  }
}
