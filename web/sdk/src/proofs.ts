import type { CallOptions } from "./operation.js";
import type {
  CheckReserveProofResponse,
  CheckTxKeyResponse,
  CheckTxProofResponse,
  VerifyResponse,
  WalletOperations,
} from "./operations.js";

/**
 * Proofs of payments and reserves, and signatures. Any wallet can check them. A message is part of the proof and is
 * needed to check it.
 */
export class Proofs {
  readonly #rpc: WalletOperations;

  constructor(rpc: WalletOperations) {
    this.#rpc = rpc;
  }

  /**
   * Returns the secret key of a transaction that this wallet made. Anyone with the key can see what the transaction
   * paid to whom.
   */
  async txKey(txid: string, options: CallOptions = {}): Promise<string> {
    return (await this.#rpc.getTxKey({ txid }, options)).tx_key;
  }

  /** Returns what a transaction paid to an address, given the transaction's key. */
  checkTxKey(txid: string, key: string, address: string, options: CallOptions = {}): Promise<CheckTxKeyResponse> {
    return this.#rpc.checkTxKey({ txid, tx_key: key, address }, options);
  }

  /**
   * Proves that a transaction paid an address: the sender proves it for the recipient's address, the recipient for its
   * own.
   */
  async txProof(txid: string, address: string, message = "", options: CallOptions = {}): Promise<string> {
    return (await this.#rpc.getTxProof({ txid, address, message }, options)).signature;
  }

  /** Returns whether a proof is valid, and the amount paid. */
  checkTxProof(
    txid: string,
    address: string,
    signature: string,
    message = "",
    options: CallOptions = {},
  ): Promise<CheckTxProofResponse> {
    return this.#rpc.checkTxProof({ txid, address, signature, message }, options);
  }

  /** Proves that this wallet made a transaction. */
  async spendProof(txid: string, message = "", options: CallOptions = {}): Promise<string> {
    return (await this.#rpc.getSpendProof({ txid, message }, options)).signature;
  }

  /** Returns whether the author of the proof made the transaction. */
  async checkSpendProof(txid: string, signature: string, message = "", options: CallOptions = {}): Promise<boolean> {
    return (await this.#rpc.checkSpendProof({ txid, signature, message }, options)).good;
  }

  /** Proves that the wallet holds money: all it has, or at least an amount in one account. */
  async reserveProof(
    what: "all" | { account: number; amount: bigint },
    message = "",
    options: CallOptions = {},
  ): Promise<string> {
    const which = what === "all" ? { all: true } : { account_index: what.account, amount: what.amount };
    return (await this.#rpc.getReserveProof({ ...which, message }, options)).signature;
  }

  /** Returns whether a proof is valid, the amount it proves, and how much of that has been spent. */
  checkReserveProof(
    address: string,
    signature: string,
    message = "",
    options: CallOptions = {},
  ): Promise<CheckReserveProofResponse> {
    return this.#rpc.checkReserveProof({ address, signature, message }, options);
  }

  /** Signs a text with the keys of one of the wallet's addresses. */
  async sign(
    data: string,
    {
      account = 0,
      index = 0,
      key = "spend",
      ...options
    }: { account?: number; index?: number; key?: "spend" | "view" } & CallOptions = {},
  ): Promise<string> {
    return (await this.#rpc.sign({ data, account_index: account, address_index: index, signature_type: key }, options))
      .signature;
  }

  /** Returns whether a text was signed with the keys of an address. */
  verify(data: string, address: string, signature: string, options: CallOptions = {}): Promise<VerifyResponse> {
    return this.#rpc.verify({ data, address, signature }, options);
  }
}
