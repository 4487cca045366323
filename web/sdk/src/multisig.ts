import type { CallOptions } from "./operation.js";
import type { DescribeTransferResponse, IsMultisigResponse, WalletOperations } from "./operations.js";

/** The result of a key exchange round: a message for the other signers, or the address after the last round. */
export interface Round {
  /** Empty after the last round. */
  info: string;
  /** Empty before the last round. */
  address: string;
}

/**
 * Multisig. Set the wallet up with prepare, make and exchange until there is an address. Before each payment, the
 * signers call exportInfo and importInfo. Then preview.multisig goes from signer to signer, and the last one submits
 * it.
 */
export class Multisig {
  readonly #rpc: WalletOperations;

  constructor(rpc: WalletOperations) {
    this.#rpc = rpc;
  }

  /** Returns whether the wallet is multisig, and how far its setup is. */
  status(options: CallOptions = {}): Promise<IsMultisigResponse> {
    return this.#rpc.isMultisig({}, options);
  }

  /** Returns this signer's first message. Multisig is experimental; calling this enables it for the wallet. */
  async prepare(options: CallOptions = {}): Promise<string> {
    return (await this.#rpc.prepareMultisig({ enable_multisig_experimental: true }, options)).multisig_info;
  }

  /** Processes the other signers' first messages. */
  async make(infos: readonly string[], threshold: number, password: string, options: CallOptions = {}): Promise<Round> {
    const { multisig_info: info, address } = await this.#rpc.makeMultisig(
      {
        multisig_info: infos,
        threshold,
        password,
      },
      options,
    );
    return { info, address };
  }

  /** Processes the other signers' messages of the last round. */
  async exchange(infos: readonly string[], password: string, options: CallOptions = {}): Promise<Round> {
    const { multisig_info: info, address } = await this.#rpc.exchangeMultisigKeys(
      { multisig_info: infos, password },
      options,
    );
    return { info, address };
  }

  /** Exports what the other signers need to sign with this wallet. Each export is good for one signature. */
  async exportInfo(options: CallOptions = {}): Promise<string> {
    return (await this.#rpc.exportMultisigInfo({}, options)).info;
  }

  /** Imports the other signers' exports and returns the number of outputs in them. */
  async importInfo(infos: readonly string[], options: CallOptions = {}): Promise<number> {
    return Number((await this.#rpc.importMultisigInfo({ info: infos }, options)).n_outputs);
  }

  /** Describes what a transaction set would do, so that the user can check it before signing. */
  describe(set: string, options: CallOptions = {}): Promise<DescribeTransferResponse> {
    return this.#rpc.describeTransfer({ multisig_txset: set }, options);
  }

  /** Adds this signer's signatures. When the last required signer has signed, txids is not empty. */
  async sign(set: string, options: CallOptions = {}): Promise<{ set: string; txids: string[] }> {
    const { tx_data_hex, tx_hash_list } = await this.#rpc.signMultisig({ tx_data_hex: set }, options);
    return { set: tx_data_hex, txids: tx_hash_list };
  }

  /** Sends a fully signed transaction set and returns the IDs of its transactions. */
  async submit(set: string, options: CallOptions = {}): Promise<string[]> {
    return (await this.#rpc.submitMultisig({ tx_data_hex: set }, options)).tx_hash_list;
  }
}
