import type { CallOptions } from "./operation.js";
import type { WalletOperations } from "./operations.js";

/** An entry of an address book. */
export interface Contact {
  /** Position in the address book. It decreases when an earlier entry is removed. */
  index: number;
  /** The address to pay. */
  address: string;
  /** A description, in the user's own words. */
  description: string;
}

/** A wallet's address book. */
export class AddressBook {
  readonly #rpc: WalletOperations;

  constructor(rpc: WalletOperations) {
    this.#rpc = rpc;
  }

  /** Returns all entries, in their order. */
  async list(options: CallOptions = {}): Promise<Contact[]> {
    const { entries } = await this.#rpc.getAddressBook({}, options);
    return entries.map(({ index, address, description }) => ({ index: Number(index), address, description }));
  }

  /** Adds an entry and returns its index. */
  async add(address: string, description = "", options: CallOptions = {}): Promise<number> {
    return Number((await this.#rpc.addAddressBook({ address, description }, options)).index);
  }

  /** Changes the address, the description or both. */
  async edit(
    index: number,
    { address, description }: { address?: string; description?: string },
    options: CallOptions = {},
  ): Promise<void> {
    await this.#rpc.editAddressBook(
      {
        index: BigInt(index),
        ...(address !== undefined && { set_address: true, address }),
        ...(description !== undefined && { set_description: true, description }),
      },
      options,
    );
  }

  /** Removes an entry; later entries move up by one. */
  async remove(index: number, options: CallOptions = {}): Promise<void> {
    await this.#rpc.deleteAddressBook({ index: BigInt(index) }, options);
  }
}
