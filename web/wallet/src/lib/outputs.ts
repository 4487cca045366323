import type { EngineWallet } from "./engine.js";

/** An output of the wallet that is not spent. */
export interface Output {
  /** Its key image in hexadecimal; empty if a view-only wallet or a signer of a group does not know it. */
  image: string;
  /** In atomic units. */
  amount: bigint;
  /** The transaction that made it. */
  txid: string;
  /** Time of its block; undefined if the history does not have the transaction. */
  date: Date | undefined;
  /** Index of its block. */
  height: number;
  /** Index of its address in the account. */
  address: number;
  /** The label of its address. */
  label: string;
  frozen: boolean;
  unlocked: boolean;
  /** When it unlocks: the number of blocks that the wallet has scanned then, and for a lock by date its date. */
  unlocks: { height: number; date: Date | undefined };
}

/** The order of a list of outputs. */
export type Order = "newest" | "largest";

const spendableAge = 10;
/** Unlock times from here on are seconds since 1970; below, block indices. */
const firstTime = 500_000_000n;

/** Returns the outputs of an account that are not spent. */
export async function readOutputs(wallet: EngineWallet, account: number, signal?: AbortSignal): Promise<Output[]> {
  const call = signal ? { signal } : {};
  const [{ transfers = [] }, { addresses }, history] = await Promise.all([
    wallet.rpc.incomingTransfers({ transfer_type: "available", account_index: account }, call),
    wallet.rpc.getAddress({ account_index: account }, call),
    wallet.history(call),
  ]);
  const labels = new Map(addresses.map((a) => [a.address_index, a.label]));
  const seen = new Map<string, { date: Date; unlockTime: bigint }>();
  for (const t of history) {
    // Only who received knows a transaction's unlock time.
    const unlockTime = t.unlockTime || (seen.get(t.txid)?.unlockTime ?? 0n);
    seen.set(t.txid, { date: t.date, unlockTime });
  }
  return transfers.map((o) => {
    const about = seen.get(o.tx_hash);
    const height = Number(o.block_height);
    const lock = about?.unlockTime ?? 0n;
    const byDate = lock >= firstTime;
    return {
      image: o.key_image,
      amount: o.amount,
      txid: o.tx_hash,
      date: about?.date,
      height,
      address: o.subaddr_index.minor,
      label: labels.get(o.subaddr_index.minor) ?? "",
      frozen: o.frozen,
      unlocked: o.unlocked,
      unlocks: {
        height: Math.max(height + spendableAge, byDate ? 0 : Number(lock)),
        date: byDate ? new Date(Number(lock) * 1000) : undefined,
      },
    };
  });
}

/** Returns whether a payment can spend an output now. */
export function spendable(o: Output): boolean {
  return o.unlocked && !o.frozen && o.image !== "";
}

/** Returns the outputs in an order. */
export function sorted(all: readonly Output[], order: Order): Output[] {
  const newest = (a: Output, b: Output): number => b.height - a.height || (a.image < b.image ? -1 : 1);
  const largest = (a: Output, b: Output): number =>
    a.amount === b.amount ? newest(a, b) : a.amount < b.amount ? 1 : -1;
  return all.toSorted(order === "newest" ? newest : largest);
}

/** Returns the sum of outputs, in atomic units. */
export function sumOf(list: readonly Output[]): bigint {
  return list.reduce((sum, o) => sum + o.amount, 0n);
}
