import { isGlimError } from "./errors.js";
import type { GetTransfersResponse, TransferEntry, WalletOperations } from "./operations.js";
import type { CallOptions } from "./operation.js";

/** Which transfers to return. Default: all. */
export interface HistoryOptions extends CallOptions {
  /** Only transfers of this account. Default: all accounts. */
  account?: number;
  /** Only transfers of these types. */
  types?: readonly Transfer["type"][];
  /** Only transfers in blocks above this index, and those that are not in a block yet. */
  since?: number;
}

/** What a transaction does in a wallet. */
export interface Transfer {
  /** The transaction's ID. */
  txid: string;
  /**
   * Received, sent, sent but not in a block yet, rejected by the network, incoming but not in a block yet, or mined.
   */
  type: "in" | "out" | "pending" | "failed" | "pool" | "block";
  /** In atomic units; for a sent payment, without fee and change. */
  amount: bigint;
  /** Atomic units. */
  fee: bigint;
  /** Index of its block; 0 while it is not in a block. */
  height: number;
  /** Time of its block, or when it was first seen. */
  date: Date;
  /** Number of blocks from its own block to the top of the chain. */
  confirmations: number;
  /** Number of confirmations to wait for, suggested for this amount. */
  confirmationsWorth: number;
  /** Whether the received outputs cannot be spent yet. */
  locked: boolean;
  /** Unlock time that the sender set: a block index, or from 500000000 on, seconds since 1970; 0n if not set. */
  unlockTime: bigint;
  /** Index of the account that received or paid. */
  account: number;
  /** Indices of the addresses in that account that it concerns. */
  indices: number[];
  /** The first of these addresses. */
  address: string;
  /** 16 hexadecimal digits, or empty. */
  paymentID: string;
  /** The note of the transaction; see wallet.note(). */
  note: string;
  /** Recipients of a sent payment; empty if unknown. */
  destinations: { address: string; amount: bigint }[];
  /** Whether another transaction that spends the same outputs was seen. */
  doubleSpendSeen: boolean;
}

const kinds: readonly Transfer["type"][] = ["in", "out", "pending", "failed", "pool", "block"];

/** Converts an entry of get_transfers. */
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

/** Returns a wallet's transfers, newest first; those that are not in a block come before all others. */
export async function history(
  rpc: WalletOperations,
  { account, types, since, signal }: HistoryOptions,
): Promise<Transfer[]> {
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
    // Transactions in the pool come from the daemon. If it cannot be reached, return what the wallet has.
    if (isGlimError(error) && error.kind === "network") return ask(false);
    throw error;
  });
  const all = [...lists.in, ...lists.out, ...lists.pending, ...lists.failed, ...lists.pool].map(transfer);
  const place = (t: Transfer): number => (t.height === 0 ? Infinity : t.height);
  return all
    .filter((t) => wanted(t.type))
    .sort((a, b) => (place(b) === place(a) ? 0 : place(b) - place(a)) || b.date.getTime() - a.date.getTime());
}
