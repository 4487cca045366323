import type { DescribeTransferResponse, IsMultisigResponse, WalletOperations } from "./operations.js";

/** What a round of the key exchange leaves: a message for the other signers, or the address when there is none to exchange. */
export interface Round {
  /** Empty after the last round. */
  info: string;
  /** Empty before the last round. */
  address: string;
}

/**
 * A wallet of several signers: prepare, make, exchange until there is an address; from then on exportInfo and importInfo before
 * anything is signed, and preview.multisig goes from signer to signer until the last one submits.
 */
export class Multisig {
  readonly #rpc: WalletOperations;

  constructor(rpc: WalletOperations) {
    this.#rpc = rpc;
  }

  /** Whether the wallet is one of several signers, and how far setting it up is. */
  status(): Promise<IsMultisigResponse> {
    return this.#rpc.isMultisig();
  }

  /** Returns this signer's first message. Multisig is experimental, and off in a wallet until this is called. */
  async prepare(): Promise<string> {
    return (await this.#rpc.prepareMultisig({ enable_multisig_experimental: true })).multisig_info;
  }

  /** Takes the other signers' first messages. */
  async make(infos: readonly string[], threshold: number, password: string): Promise<Round> {
    const { multisig_info: info, address } = await this.#rpc.makeMultisig({ multisig_info: infos, threshold, password });
    return { info, address };
  }

  /** Takes the other signers' messages of the last round. */
  async exchange(infos: readonly string[], password: string): Promise<Round> {
    const { multisig_info: info, address } = await this.#rpc.exchangeMultisigKeys({ multisig_info: infos, password });
    return { info, address };
  }

  /** What the other signers must know of this wallet's outputs before they can sign. Each is good for one signature. */
  async exportInfo(): Promise<string> {
    return (await this.#rpc.exportMultisigInfo()).info;
  }

  /** Returns of how many outputs the others told. */
  async importInfo(infos: readonly string[]): Promise<number> {
    return Number((await this.#rpc.importMultisigInfo({ info: infos })).n_outputs);
  }

  /** Says what a set would do, for a person to judge before signing. */
  describe(set: string): Promise<DescribeTransferResponse> {
    return this.#rpc.describeTransfer({ multisig_txset: set });
  }

  /** Adds this signer's signatures. There are txids after the last needed. */
  async sign(set: string): Promise<{ set: string; txids: string[] }> {
    const { tx_data_hex, tx_hash_list } = await this.#rpc.signMultisig({ tx_data_hex: set });
    return { set: tx_data_hex, txids: tx_hash_list };
  }

  /** Sends a set that enough have signed, and returns the IDs of the transactions. */
  async submit(set: string): Promise<string[]> {
    return (await this.#rpc.submitMultisig({ tx_data_hex: set })).tx_hash_list;
  }
}
