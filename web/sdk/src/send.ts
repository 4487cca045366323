import { GlimError } from "./errors.js";
import type { CallOptions } from "./operation.js";
import {
  Code,
  type Destination,
  type SplitResponse,
  type TransferResponse,
  type WalletOperations,
} from "./operations.js";

/** What to send. */
export type Send =
  /** A recipient: an address or a payment URI (monero:…), which may include the amount. */
  | {
      /** Address or payment URI. */
      to: string;
      /** In atomic units. Required unless the URI includes it. */
      amount?: bigint;
    }
  /** Several recipients, paid together. */
  | {
      /** Addresses, and an amount for each, in atomic units. */
      destinations: readonly Destination[];
    }
  /** Everything that can be spent: of an account, of some of its addresses, or of one output. */
  | {
      /** Address that receives everything. */
      sweep: string;
      /** Account to spend from. Default: 0. */
      account?: number;
      /** Addresses of the account to spend from. Default: all. */
      indices?: readonly number[];
      /** Key image of the one output to spend. */
      keyImage?: string;
    };

/** How to pay. */
export interface SendOptions extends CallOptions {
  /** 0 (default) adjusts the fee to the load of the network; 1 is the lowest fee, 4 the highest. */
  priority?: 0 | 1 | 2 | 3 | 4;
  /** Account to pay from. Default: 0. */
  account?: number;
  /** Addresses of the account whose outputs may be spent. Default: all. */
  indices?: readonly number[];
  /**
   * Key images of the only outputs that may be spent, as rpc.incomingTransfers lists them; a sweep spends them all.
   * Default: all outputs.
   */
  keyImages?: readonly string[];
  /**
   * The largest number of outputs into which the change of a transaction is divided, at most 15. Change cannot be spent
   * for ten blocks, and one output pays one payment at a time: several parts let later payments follow each other
   * quickly. There are fewer if a part would be small in relation to fees, or the transaction has no room. A sweep has
   * no change. Default: 1.
   */
  changeOutputs?: number;
}

/** The part of the response used here, common to the operations that make transactions. */
type Made = Pick<
  SplitResponse,
  "tx_hash_list" | "amount_list" | "fee_list" | "weight_list" | "tx_metadata_list" | "multisig_txset" | "unsigned_txset"
>;

/** A transaction that was made but not sent. */
export interface PreparedTransaction {
  /** The transaction's ID. Sending does not change it. Empty if others must sign first. */
  txid: string;
  /** Total of the destinations, in atomic units. */
  amount: bigint;
  /** Atomic units. */
  fee: bigint;
  /** The weight that the fee depends on. */
  weight: number;
}

/**
 * Transactions that are made and signed, but sent only by confirm(). They reserve nothing: after discard() all outputs
 * are free.
 */
export class Preview {
  /** The transactions. There are several if one cannot hold everything. */
  readonly transactions: readonly PreparedTransaction[];
  /** The recipients; for a sweep, the address that receives everything. */
  readonly destinations: readonly Destination[];
  /** Total amount, in atomic units. */
  readonly amount: bigint;
  /** Total fee, in atomic units. */
  readonly fee: bigint;
  /**
   * The unsigned transaction set of a view-only wallet, for wallet.cold.sign in the wallet with the spend key;
   * otherwise empty. If it is set, confirm() fails.
   */
  readonly unsigned: string;
  /**
   * The transaction set of a multisig wallet, for wallet.multisig.sign of the other signers; otherwise empty. If it is
   * set, confirm() fails.
   */
  readonly multisig: string;
  readonly #rpc: WalletOperations;
  readonly #note: string;
  readonly #txids: string[] = [];
  #left: string[];
  #sending: Promise<string[]> | undefined;

  /** Created by wallet.send. */
  constructor(rpc: WalletOperations, made: Made, destinations: readonly Destination[], note: string) {
    this.#rpc = rpc;
    this.#note = note;
    this.#left = made.tx_metadata_list;
    const sum = (list: readonly bigint[]): bigint => list.reduce((a, b) => a + b, 0n);
    this.amount = sum(made.amount_list);
    this.fee = sum(made.fee_list);
    this.unsigned = made.unsigned_txset;
    this.multisig = made.multisig_txset;
    const [only, ...others] = destinations;
    this.destinations =
      only && others.length === 0 && only.amount === 0n ? [{ ...only, amount: this.amount }] : destinations;
    this.transactions = made.fee_list.map((fee, i) => ({
      txid: (made.unsigned_txset === "" && made.tx_hash_list[i]) || "", // a draft's hash is not the transaction's
      amount: made.amount_list[i] ?? 0n,
      fee,
      weight: Number(made.weight_list[i] ?? 0n),
    }));
  }

  /**
   * Sends the transactions and returns their IDs. Calling it again never pays twice: after a failure it sends what is
   * left. If an output has been spent meanwhile, it fails with a GlimError of kind "contract". An aborted signal stops
   * the sending that it began; what may have been sent by then is sent again by the next call, never paid twice.
   */
  async confirm(options: CallOptions = {}): Promise<string[]> {
    const { signal } = options;
    signal?.throwIfAborted();
    if (this.#sending) return unlessAborted(this.#sending, signal);
    this.#sending = this.#send(options).finally(() => {
      if (this.#left.length > 0) this.#sending = undefined;
    });
    return this.#sending;
  }

  /** Discards the transactions. It does not interrupt a confirm() that has begun. */
  discard(): void {
    if (this.#sending) return;
    this.#left = [];
    this.#sending = Promise.reject(new GlimError("aborted", "the preview was discarded", 0, { reason: "Discarded" }));
    this.#sending.catch(() => undefined); // a later confirm() reports it
  }

  async #send({ signal }: CallOptions): Promise<string[]> {
    if (this.unsigned + this.multisig !== "") {
      throw new GlimError("contract", "others must sign this before it can be sent", Code.WatchOnly);
    }
    for (let next = this.#left[0]; next !== undefined; next = this.#left[0]) {
      signal?.throwIfAborted();
      const { tx_hash } = await this.#rpc.relayTx({ hex: next }, signal && { signal });
      this.#txids.push(tx_hash);
      this.#left = this.#left.slice(1);
    }
    if (this.#note !== "") {
      // The payment is sent: failing to store a note must not make it look failed.
      await this.#rpc
        .setTxNotes({ txids: this.#txids, notes: this.#txids.map(() => this.#note) })
        .catch(() => undefined);
    }
    return [...this.#txids];
  }
}

/** Waits for a promise that others wait for as well. An aborted signal ends only this wait. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Makes the transactions without sending them. */
export async function prepare(rpc: WalletOperations, what: Send, options: SendOptions): Promise<Preview> {
  const { priority = 0, signal } = options;
  const call: CallOptions = signal ? { signal } : {};
  const only = { priority, do_not_relay: true };
  const key_images = options.keyImages ?? [];
  if ("sweep" in what) {
    const to = { address: what.sweep, amount: 0n };
    if (what.keyImage !== undefined) {
      const one = await rpc.sweepSingle(
        { ...only, address: what.sweep, key_image: what.keyImage, get_tx_metadata: true },
        call,
      );
      return new Preview(rpc, listed(one), [to], "");
    }
    const indices = what.indices ?? options.indices;
    const from = indices === undefined ? { subaddr_indices_all: true } : { subaddr_indices: indices };
    const account_index = what.account ?? options.account ?? 0;
    const made = await rpc.sweepAll(
      { ...only, ...from, account_index, address: what.sweep, key_images, get_tx_metadata: true },
      call,
    );
    return new Preview(rpc, made, [to], "");
  }
  const { destinations, note } =
    "destinations" in what ? { destinations: what.destinations, note: "" } : await payee(rpc, what, call);
  for (const { amount } of destinations) checkAmount(amount);
  const made = await rpc.transferSplit(
    {
      ...only,
      destinations,
      account_index: options.account ?? 0,
      subaddr_indices: options.indices ?? [],
      key_images,
      change_outputs: BigInt(options.changeOutputs ?? 0),
      get_tx_metadata: true,
    },
    call,
  );
  return new Preview(rpc, made, destinations, note);
}

const largest = 2n ** 64n - 1n;

/** Throws an error that says what is wrong with an amount, for programs without types. */
function checkAmount(amount: unknown): void {
  if (typeof amount === "bigint" && amount >= 0n && amount <= largest) return;
  const units = "amounts are bigints of atomic units, from 0n to 18446744073709551615n";
  const problem =
    typeof amount === "bigint"
      ? `the amount ${amount}n is out of range: ${units}`
      : typeof amount === "number"
        ? `the amount ${amount} is a number: ${units}, and parseXMR("1.5") returns that of 1.5 XMR`
        : `the amount is a ${amount === null ? "null" : typeof amount}: ${units}`;
  throw new GlimError("contract", problem, Code.InvalidParams, { reason: "InvalidAmount" });
}

/** Reads a possible payment URI. Its description becomes the note of the transactions. */
async function payee(
  rpc: WalletOperations,
  what: { to: string; amount?: bigint },
  call: CallOptions,
): Promise<{ destinations: Destination[]; note: string }> {
  let { to: address, amount } = what;
  let note = "";
  if (/^monero:/i.test(address)) {
    const { uri } = await rpc.parseUri({ uri: address }, call);
    ({ address, tx_description: note } = uri);
    if (amount === undefined && uri.amount > 0n) amount = uri.amount;
  }
  if (amount === undefined) throw new GlimError("contract", "the amount is missing", Code.ZeroAmount);
  return { destinations: [{ address, amount }], note };
}

/** Returns the response about one transaction in the form of one about several. */
function listed(one: TransferResponse): Made {
  return {
    tx_hash_list: [one.tx_hash],
    amount_list: [one.amount],
    fee_list: [one.fee],
    weight_list: [one.weight],
    tx_metadata_list: one.tx_metadata === "" ? [] : [one.tx_metadata],
    multisig_txset: one.multisig_txset,
    unsigned_txset: one.unsigned_txset,
  };
}
