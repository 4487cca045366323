import type {
  CheckReserveProofResponse,
  CheckTxKeyResponse,
  CheckTxProofResponse,
  VerifyResponse,
  WalletOperations,
} from "./operations.js";

/** Statements that convince others: made by a wallet, checked by anybody's. message is bound into a proof, and needed to check it. */
export class Proofs {
  readonly #rpc: WalletOperations;

  constructor(rpc: WalletOperations) {
    this.#rpc = rpc;
  }

  /** The secret key of a transaction this wallet made. Who has it can see what it paid to whom. */
  async txKey(txid: string): Promise<string> {
    return (await this.#rpc.getTxKey({ txid })).tx_key;
  }

  /** What a transaction paid an address, by its key. */
  checkTxKey(txid: string, key: string, address: string): Promise<CheckTxKeyResponse> {
    return this.#rpc.checkTxKey({ txid, tx_key: key, address });
  }

  /** Proves that a transaction paid an address: the sender for another's, the receiver for its own. */
  async txProof(txid: string, address: string, message = ""): Promise<string> {
    return (await this.#rpc.getTxProof({ txid, address, message })).signature;
  }

  /** Whether a proof holds, and what was paid. */
  checkTxProof(txid: string, address: string, signature: string, message = ""): Promise<CheckTxProofResponse> {
    return this.#rpc.checkTxProof({ txid, address, signature, message });
  }

  /** Proves that this wallet made a transaction. */
  async spendProof(txid: string, message = ""): Promise<string> {
    return (await this.#rpc.getSpendProof({ txid, message })).signature;
  }

  /** Whether who made the proof made the transaction. */
  async checkSpendProof(txid: string, signature: string, message = ""): Promise<boolean> {
    return (await this.#rpc.checkSpendProof({ txid, signature, message })).good;
  }

  /** Proves that the wallet holds money: all it has, or at least an amount in one account. */
  async reserveProof(what: "all" | { account: number; amount: bigint }, message = ""): Promise<string> {
    const which = what === "all" ? { all: true } : { account_index: what.account, amount: what.amount };
    return (await this.#rpc.getReserveProof({ ...which, message })).signature;
  }

  /** Whether a proof holds, what it shows to be there, and how much of that is spent. */
  checkReserveProof(address: string, signature: string, message = ""): Promise<CheckReserveProofResponse> {
    return this.#rpc.checkReserveProof({ address, signature, message });
  }

  /** Signs a text as the holder of one of the wallet's addresses. */
  async sign(data: string, { account = 0, index = 0, key = "spend" }: { account?: number; index?: number; key?: "spend" | "view" } = {}): Promise<string> {
    return (await this.#rpc.sign({ data, account_index: account, address_index: index, signature_type: key })).signature;
  }

  /** Whether a text was signed by the holder of an address. */
  verify(data: string, address: string, signature: string): Promise<VerifyResponse> {
    return this.#rpc.verify({ data, address, signature });
  }
}
