import type { EngineWallet, Transfer } from "./engine.js";
import { failure } from "./errors.js";
import { incoming } from "./search.js";

/** An attribute in the wallet's file: the number of payments that were sent when a copy was last saved. */
const key = "glim.saved";

/** Returns how many payments the last saved copy of the wallet's file contains; 0 if there is no copy. */
export async function savedPayments(wallet: Pick<EngineWallet, "rpc">): Promise<number> {
  try {
    const count = Number((await wallet.rpc.getAttribute({ key })).value);
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  } catch (e) {
    if (failure(e).reason === "AttributeNotFound") return 0;
    throw e;
  }
}

/** Records that a copy with so many payments is saved. The copy itself contains the record as well. */
export async function keepSaved(wallet: Pick<EngineWallet, "rpc">, payments: number): Promise<void> {
  await wallet.rpc.setAttribute({ key, value: String(payments) });
}

/**
 * Counts the payments that were sent: their keys, notes and recipients are in the wallet's file only, and seed words do
 * not bring them back.
 */
export function payments(history: readonly Pick<Transfer, "type">[]): number {
  return history.filter((t) => !incoming(t) && t.type !== "failed").length;
}

/** So many payments without a copy are reason for a reminder, if the browser keeps the wallet or may delete it. */
const many = { kept: 10, mayGo: 1 };

/** Returns whether the user should be reminded to save a copy. */
export function needsCopy(sent: number, saved: number, kept: boolean): boolean {
  return sent - saved >= (kept ? many.kept : many.mayGo);
}

/** Returns a name for a copy of a wallet: its name and the day. */
export function copyName(wallet: string, now = new Date()): string {
  return `${wallet}-${now.toISOString().slice(0, 10)}.glim`;
}
