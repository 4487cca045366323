import type { EngineWallet } from "./engine.js";
import { failure } from "./errors.js";
import type { Platform } from "./platform.js";

// A wallet's file keeps the name under which it was made: its storage and its lock depend on it. The name that is shown
// is an attribute in the file, so that it travels with copies of the wallet, and is in the settings as well, because
// the list of wallets is shown while they are locked.

/** An attribute in the wallet's file: the name that is shown. */
const attribute = "glim.name";
const key = "names";

/** Longest name, in characters. */
export const longestName = 64;

/** The names that wallets are shown by, by place and file name. Other wallets are shown by their file name. */
export type Names = Readonly<Record<string, string>>;

/** Reads the stored names; unreadable ones are missing. */
export async function loadNames(platform: Pick<Platform, "read">): Promise<Names> {
  try {
    const value: unknown = JSON.parse((await platform.read(key)) ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    const entries = Object.entries(value).filter(([, name]) => typeof name === "string" && possibleName(name));
    return Object.fromEntries(entries) as Names;
  } catch {
    return {};
  }
}

export function keepNames(platform: Pick<Platform, "write">, names: Names): Promise<void> {
  return platform.write(key, JSON.stringify(names));
}

/** Returns the key in Names of a wallet's file in a database of wallets. */
export const placeOf = (database: string, file: string): string => `${database}/${file}`;

/** Returns the name that a wallet is shown by. */
export function shownName(names: Names, database: string, file: string): string {
  return names[placeOf(database, file)] ?? file;
}

/** Returns the names with another one for a wallet; without a name, the wallet has its file's name again. */
export function renamed(names: Names, database: string, file: string, name: string | undefined): Names {
  const { [placeOf(database, file)]: _, ...others } = names;
  return name === undefined || name === file ? others : { ...others, [placeOf(database, file)]: name };
}

/** Whether a text can be the name of a wallet. */
export function possibleName(name: string): boolean {
  return name.trim() === name && name !== "" && name.length <= longestName && !/[/\\\p{Cc}]/u.test(name);
}

/**
 * Returns the name that an open wallet is shown by. Names of a private chain in memory are only in the wallets' files.
 */
export async function nameOfOpen(
  names: Names,
  database: string,
  wallet: Pick<EngineWallet, "name" | "rpc">,
): Promise<string> {
  const shown = shownName(names, database, wallet.name);
  if (shown !== wallet.name) return shown;
  return (await readName(wallet).catch(() => undefined)) ?? shown;
}

/** Stores the name in the wallet's file. */
export async function writeName(wallet: Pick<EngineWallet, "rpc">, name: string): Promise<void> {
  await wallet.rpc.setAttribute({ key: attribute, value: name });
}

/** Returns the name in the wallet's file; undefined if the file has no name. */
export async function readName(wallet: Pick<EngineWallet, "rpc">): Promise<string | undefined> {
  try {
    const { value } = await wallet.rpc.getAttribute({ key: attribute });
    return possibleName(value) ? value : undefined;
  } catch (e) {
    if (failure(e).reason === "AttributeNotFound") return undefined;
    throw e;
  }
}
