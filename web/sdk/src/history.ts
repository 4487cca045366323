import { GlimError } from "./errors.js";
import type { GetTransfersResponse, TransferEntry, WalletOperations } from "./operations.js";
import type { CallOptions } from "./operation.js";

/** Which transfers are wanted: all when nothing is said. */
export interface HistoryOptions extends CallOptions {
  /** Of one account; of all when absent. */
  account?: number;
  /** Of these kinds. */
  types?: readonly Transfer["type"][];
  /** In blocks above this index; what is in none yet is listed all the same. */
  since?: number;
}

/** A transaction's part in a wallet. */
export interface Transfer {
  /** The transaction's ID. */
  txid: string;
  /** Received, sent, on its way from here, not taken by the network, on its way to here, or mined. */
  type: "in" | "out" | "pending" | "failed" | "pool" | "block";
  /** Atomic units; of what was sent without the fee and the change. */
  amount: bigint;
  /** Atomic units. */
  fee: bigint;
  /** Index of its block; 0 when it is in none yet. */
  height: number;
  /** Of its block, or when it was first seen. */
  date: Date;
  /** Blocks from its own to the last one. */
  confirmations: number;
  /** How many confirmations are worth waiting for with this amount. */
  confirmationsWorth: number;
  /** Whether what it brought cannot be spent yet. */
  locked: boolean;
  /** Until when its sender locked it: a block's index, or seconds since 1970 from 500000000 on; 0n for not at all. */
  unlockTime: bigint;
  /** Index of the account that received or paid. */
  account: number;
  /** The account's addresses that it concerns, by their index. */
  indices: number[];
  /** The first of these addresses. */
  address: string;
  /** Sixteen hexadecimal digits; empty for none. */
  paymentID: string;
  /** What wallet.note() keeps of its transaction. */
  note: string;
  /** Where this wallet sent it; empty when that is not known. */
  destinations: { address: string; amount: bigint }[];
  /** Another transaction that spends the same was seen. */
  doubleSpendSeen: boolean;
}

const kinds: readonly Transfer["type"][] = ["in", "out", "pending", "failed", "pool", "block"];

/** Returns an entry of get_transfers in the words of Transfer. */
export function transfer(e: TransferEntry): Transfer {
  return {
    txid: e.txid,
    type: kinds.find((kind) => kind === e.type) ?? "in",
    amount: e.amount,
    fee: e.fee,
    height: Number(e.height),
    date: new Date(Number(e.timestamp) * 1000),
    confirmations: Number(e.confirmations ?? 0n),
    confirmationsWorth: Number(e.suggested_confirmations_threshold ?? 0n),
    locked: e.locked,
    unlockTime: e.unlock_time,
    account: e.subaddr_index.major,
    indices: e.subaddr_indices.length > 0 ? e.subaddr_indices.map((i) => i.minor) : [e.subaddr_index.minor],
    address: e.address,
    paymentID: /^0*$/.test(e.payment_id) ? "" : e.payment_id,
    note: e.note,
    destinations: e.destinations.map(({ address, amount }) => ({ address, amount })),
    doubleSpendSeen: e.double_spend_seen,
  };
}

/** Returns a wallet's transfers, newest first, those in no block before all. */
export async function history(rpc: WalletOperations, { account, types, since, signal }: HistoryOptions): Promise<Transfer[]> {
  const wanted = (type: Transfer["type"]): boolean => types === undefined || types.includes(type);
  const ask = (pool: boolean): Promise<GetTransfersResponse> =>
    rpc.getTransfers(
      {
        in: wanted("in") || wanted("block"),
        out: wanted("out"),
        pending: wanted("pending"),
        failed: wanted("failed"),
        pool,
        ...(account === undefined ? { all_accounts: true } : { account_index: account }),
        ...(since !== undefined && { filter_by_height: true, min_height: BigInt(since) }),
      },
      signal && { signal },
    );
  const lists = await ask(wanted("pool")).catch((error: unknown) => {
    // For the pool the daemon is asked, and it may be away; what the wallet knows it tells all the same.
    if (error instanceof GlimError && error.kind === "network") return ask(false);
    throw error;
  });
  const all = [...lists.in, ...lists.out, ...lists.pending, ...lists.failed, ...lists.pool].map(transfer);
  const place = (t: Transfer): number => (t.height === 0 ? Infinity : t.height);
  return all
    .filter((t) => wanted(t.type))
    .sort((a, b) => (place(b) === place(a) ? 0 : place(b) - place(a)) || b.date.getTime() - a.date.getTime());
}
