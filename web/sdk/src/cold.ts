import type { DescribeTransferResponse, WalletOperations } from "./operations.js";

/** The key images of a wallet's outputs, with proofs that they are. */
export interface KeyImages {
  /** Outputs left out at the beginning. */
  offset: number;
  /** In the order of the outputs, in hexadecimal digits. */
  images: { key_image: string; signature: string }[];
}

/**
 * What a view-only wallet and the wallet with its spend key tell each other, in text of hexadecimal digits:
 * outputs (watching to cold), key images (cold to watching), unsigned transactions (preview.unsigned, watching to cold), signed ones.
 */
export class Cold {
  readonly #rpc: WalletOperations;

  constructor(rpc: WalletOperations) {
    this.#rpc = rpc;
  }

  /** The outputs since the last time, or all. */
  async exportOutputs(all = false): Promise<string> {
    return (await this.#rpc.exportOutputs({ all })).outputs_data_hex;
  }

  /** Returns how many there were. */
  async importOutputs(data: string): Promise<number> {
    return Number((await this.#rpc.importOutputs({ outputs_data_hex: data })).num_imported);
  }

  /** The key images of the outputs since the last time, or of all. */
  async exportKeyImages(all = false): Promise<KeyImages> {
    const { offset, signed_key_images: images } = await this.#rpc.exportKeyImages({ all });
    return { offset, images };
  }

  /** Returns what they show to be spent and not, in atomic units. */
  async importKeyImages({ offset, images }: KeyImages): Promise<{ spent: bigint; unspent: bigint }> {
    const { spent, unspent } = await this.#rpc.importKeyImages({ offset, signed_key_images: images });
    return { spent, unspent };
  }

  /** Says what an unsigned set would do, for a person to judge before signing. */
  describe(unsigned: string): Promise<DescribeTransferResponse> {
    return this.#rpc.describeTransfer({ unsigned_txset: unsigned });
  }

  /** Signs, where the spend key is. */
  async sign(unsigned: string): Promise<{ signed: string; txids: string[] }> {
    const { signed_txset: signed, tx_hash_list: txids } = await this.#rpc.signTransfer({ unsigned_txset: unsigned });
    return { signed, txids };
  }

  /** Sends what was signed, and returns the IDs of the transactions. */
  async submit(signed: string): Promise<string[]> {
    return (await this.#rpc.submitTransfer({ tx_data_hex: signed })).tx_hash_list;
  }
}
