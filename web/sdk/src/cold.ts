import type { CallOptions } from "./operation.js";
import type { DescribeTransferResponse, WalletOperations } from "./operations.js";

/** Key images of a wallet's outputs, each with a signature that proves it. */
export interface KeyImages {
  /** Number of outputs skipped at the beginning. */
  offset: number;
  /** In the order of the outputs, as hexadecimal digits. */
  images: { key_image: string; signature: string }[];
}

/**
 * The exchange between a view-only wallet and the cold wallet that has its spend key. Everything is text of hexadecimal
 * digits: outputs (view-only to cold), key images (cold to view-only), unsigned transactions (preview.unsigned,
 * view-only to cold) and signed transactions (cold to view-only).
 */
export class Cold {
  readonly #rpc: WalletOperations;

  constructor(rpc: WalletOperations) {
    this.#rpc = rpc;
  }

  /** Exports the outputs received since the last export, or all. */
  async exportOutputs(all = false, options: CallOptions = {}): Promise<string> {
    return (await this.#rpc.exportOutputs({ all }, options)).outputs_data_hex;
  }

  /** Imports outputs and returns their number. */
  async importOutputs(data: string, options: CallOptions = {}): Promise<number> {
    return Number((await this.#rpc.importOutputs({ outputs_data_hex: data }, options)).num_imported);
  }

  /** Exports the key images of the outputs received since the last export, or of all. */
  async exportKeyImages(all = false, options: CallOptions = {}): Promise<KeyImages> {
    const { offset, signed_key_images: images } = await this.#rpc.exportKeyImages({ all }, options);
    return { offset, images };
  }

  /** Imports key images and returns the spent and the unspent amount of their outputs, in atomic units. */
  async importKeyImages(
    { offset, images }: KeyImages,
    options: CallOptions = {},
  ): Promise<{ spent: bigint; unspent: bigint }> {
    const { spent, unspent } = await this.#rpc.importKeyImages({ offset, signed_key_images: images }, options);
    return { spent, unspent };
  }

  /**
   * Exports key images as exportKeyImages does, as the file of monero-wallet-cli and Feather. Only a wallet with the
   * same view key can read it.
   */
  async exportKeyImagesData(all = false, options: CallOptions = {}): Promise<string> {
    return (await this.#rpc.exportKeyImagesData({ all }, options)).key_images_data_hex;
  }

  /** Imports such a file and returns the spent and the unspent amount of their outputs, in atomic units. */
  async importKeyImagesData(data: string, options: CallOptions = {}): Promise<{ spent: bigint; unspent: bigint }> {
    const { spent, unspent } = await this.#rpc.importKeyImagesData({ key_images_data_hex: data }, options);
    return { spent, unspent };
  }

  /** Describes what an unsigned transaction set would do, so that the user can check it before signing. */
  describe(unsigned: string, options: CallOptions = {}): Promise<DescribeTransferResponse> {
    return this.#rpc.describeTransfer({ unsigned_txset: unsigned }, options);
  }

  /** Signs an unsigned transaction set, in the wallet with the spend key. */
  async sign(unsigned: string, options: CallOptions = {}): Promise<{ signed: string; txids: string[] }> {
    const { signed_txset: signed, tx_hash_list: txids } = await this.#rpc.signTransfer(
      { unsigned_txset: unsigned },
      options,
    );
    return { signed, txids };
  }

  /** Sends the signed transactions and returns their IDs. */
  async submit(signed: string, options: CallOptions = {}): Promise<string[]> {
    return (await this.#rpc.submitTransfer({ tx_data_hex: signed }, options)).tx_hash_list;
  }
}
