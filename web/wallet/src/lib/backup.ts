import type { EngineWallet } from "./engine.js";
import { failure } from "./errors.js";

/** Whether the user has proven that the seed words are written down; "none" if there are no words to write down. */
export type Backup = "verified" | "open" | "none";

/** An attribute in the wallet's file: it travels with the wallet, and is missing in a wallet whose making broke off. */
const key = "glim.backup";

/** Returns the state of the backup. A wallet without a record counts as not backed up. */
export async function readBackup(wallet: Pick<EngineWallet, "rpc">): Promise<Backup> {
  try {
    return (await wallet.rpc.getAttribute({ key })).value === "verified" ? "verified" : "open";
  } catch (e) {
    if (failure(e).reason === "AttributeNotFound") return "open";
    throw e;
  }
}

/** Records that the user has the seed words: they were checked, or the wallet was restored from them. */
export async function keepBackup(wallet: Pick<EngineWallet, "rpc">): Promise<void> {
  await wallet.rpc.setAttribute({ key, value: "verified" });
}
