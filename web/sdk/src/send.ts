import { GlimError } from "./errors.js";
import type { CallOptions } from "./operation.js";
import { Code, type Destination, type SplitResponse, type TransferResponse, type WalletOperations } from "./operations.js";

/** What to send. */
export type Send =
  /** An address, or a payment URI (monero:…), which may name the amount itself. */
  | {
      /** Whom. */
      to: string;
      /** Atomic units; needed unless the URI has it. */
      amount?: bigint;
    }
  /** Several, paid together. */
  | {
      /** Whom, and how much each, in atomic units. */
      destinations: readonly Destination[];
    }
  /** Everything that can be spent: of an account, of some of its addresses, or of one output. */
  | {
      /** Whom. */
      sweep: string;
      /** 0 when absent. */
      account?: number;
      /** The account's addresses; all when absent. */
      indices?: readonly number[];
      /** Of the one output. */
      keyImage?: string;
    };

/** How to pay. */
export interface SendOptions extends CallOptions {
  /** 0 for what the network needs now, when absent; 1 for the lowest fee to 4 for the highest. */
  priority?: 0 | 1 | 2 | 3 | 4;
  /** The account that pays; 0 when absent. */
  account?: number;
  /** The account's addresses whose money may be spent; all when absent. */
  indices?: readonly number[];
}

/** What the operations that make transactions answer, as far as it is needed here. */
type Made = Pick<SplitResponse, "tx_hash_list" | "amount_list" | "fee_list" | "weight_list" | "tx_metadata_list" | "multisig_txset" | "unsigned_txset">;

/** One transaction that was made. */
export interface PreparedTransaction {
  /** Its ID, which it keeps when it is sent. */
  txid: string;
  /** Atomic units for the destinations. */
  amount: bigint;
  /** Atomic units. */
  fee: bigint;
  /** What its fee goes by. */
  weight: number;
}

/**
 * Transactions that are made and signed, and sent by confirm() alone. Nothing is reserved for them: a preview that is discarded leaves
 * everything free.
 */
export class Preview {
  /** Each transaction: there are several where one has no room. */
  readonly transactions: readonly PreparedTransaction[];
  /** Whom they pay; of a sweep the address that gets everything. */
  readonly destinations: readonly Destination[];
  /** Atomic units, of all together. */
  readonly amount: bigint;
  /** Atomic units, of all together. */
  readonly fee: bigint;
  /** What a view-only wallet made, for wallet.cold.sign where the spend key is; empty for others. Then there is nothing to confirm. */
  readonly unsigned: string;
  /** What a multisig wallet made, for the other signers' wallet.multisig.sign; empty for others. Then there is nothing to confirm. */
  readonly multisig: string;
  readonly #rpc: WalletOperations;
  readonly #note: string;
  readonly #txids: string[] = [];
  #left: string[];
  #sending: Promise<string[]> | undefined;

  /** Made by wallet.send. */
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
    this.destinations = only && others.length === 0 && only.amount === 0n ? [{ ...only, amount: this.amount }] : destinations;
    this.transactions = made.fee_list.map((fee, i) => ({
      txid: made.tx_hash_list[i] ?? "",
      amount: made.amount_list[i] ?? 0n,
      fee,
      weight: Number(made.weight_list[i] ?? 0n),
    }));
  }

  /**
   * Sends, and returns the IDs of the transactions. Asked again it sends nothing twice: after a failure it goes on with what is left.
   * Its money being spent meanwhile is a GlimError of kind "contract".
   */
  confirm(): Promise<string[]> {
    this.#sending ??= this.#send().finally(() => {
      if (this.#left.length > 0) this.#sending = undefined;
    });
    return this.#sending;
  }

  /** Forgets the transactions. Of a payment that is on its way nothing is left out: confirm() goes on to its end. */
  discard(): void {
    if (this.#sending) return;
    this.#left = [];
    this.#sending = Promise.reject(new GlimError("aborted", "the preview was discarded"));
    this.#sending.catch(() => undefined); // for who asks later
  }

  async #send(): Promise<string[]> {
    if (this.unsigned + this.multisig !== "") {
      throw new GlimError("contract", "others have to sign this before it can be sent", Code.WatchOnly);
    }
    for (let next = this.#left[0]; next !== undefined; next = this.#left[0]) {
      const { tx_hash } = await this.#rpc.relayTx({ hex: next });
      this.#txids.push(tx_hash);
      this.#left = this.#left.slice(1);
    }
    if (this.#note !== "") {
      // What is sent is sent: a note that is not kept is no failure of it.
      await this.#rpc.setTxNotes({ txids: this.#txids, notes: this.#txids.map(() => this.#note) }).catch(() => undefined);
    }
    return [...this.#txids];
  }
}

/** Makes the transactions and sends nothing. */
export async function prepare(rpc: WalletOperations, what: Send, options: SendOptions): Promise<Preview> {
  const { priority = 0, signal } = options;
  const call: CallOptions = signal ? { signal } : {};
  const only = { priority, do_not_relay: true };
  if ("sweep" in what) {
    const to = { address: what.sweep, amount: 0n };
    if (what.keyImage !== undefined) {
      const one = await rpc.sweepSingle({ ...only, address: what.sweep, key_image: what.keyImage, get_tx_metadata: true }, call);
      return new Preview(rpc, listed(one), [to], "");
    }
    const indices = what.indices ?? options.indices;
    const from = indices === undefined ? { subaddr_indices_all: true } : { subaddr_indices: indices };
    const account_index = what.account ?? options.account ?? 0;
    const made = await rpc.sweepAll({ ...only, ...from, account_index, address: what.sweep, get_tx_metadata: true }, call);
    return new Preview(rpc, made, [to], "");
  }
  const { destinations, note } = "destinations" in what ? { destinations: what.destinations, note: "" } : await payee(rpc, what, call);
  const made = await rpc.transferSplit(
    { ...only, destinations, account_index: options.account ?? 0, subaddr_indices: options.indices ?? [], get_tx_metadata: true },
    call,
  );
  return new Preview(rpc, made, destinations, note);
}

/** Reads what may be a payment URI. Its description becomes the note of the transactions. */
async function payee(rpc: WalletOperations, what: { to: string; amount?: bigint }, call: CallOptions): Promise<{ destinations: Destination[]; note: string }> {
  let { to: address, amount } = what;
  let note = "";
  if (/^monero:/i.test(address)) {
    const { uri } = await rpc.parseUri({ uri: address }, call);
    ({ address, tx_description: note } = uri);
    if (amount === undefined && uri.amount > 0n) amount = uri.amount;
  }
  if (amount === undefined) throw new GlimError("contract", "nothing says how much to send", Code.ZeroAmount);
  return { destinations: [{ address, amount }], note };
}

/** Returns the answer about one transaction as one about several. */
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
