import type { WalletOperations } from "./operations.js";

/** An address worth remembering. */
export interface Contact {
  /** Where it is in the book; moves up when an entry before it goes. */
  index: number;
  /** Whom it pays. */
  address: string;
  /** Who that is, in words of one's own. */
  description: string;
}

/** A wallet's address book. */
export class AddressBook {
  readonly #rpc: WalletOperations;

  constructor(rpc: WalletOperations) {
    this.#rpc = rpc;
  }

  /** All entries, in their order. */
  async list(): Promise<Contact[]> {
    const { entries } = await this.#rpc.getAddressBook();
    return entries.map(({ index, address, description }) => ({ index: Number(index), address, description }));
  }

  /** Returns the index of the new entry. */
  async add(address: string, description = ""): Promise<number> {
    return Number((await this.#rpc.addAddressBook({ address, description })).index);
  }

  /** Changes what is said. */
  async edit(index: number, { address, description }: { address?: string; description?: string }): Promise<void> {
    await this.#rpc.editAddressBook({
      index: BigInt(index),
      ...(address !== undefined && { set_address: true, address }),
      ...(description !== undefined && { set_description: true, description }),
    });
  }

  /** Removes an entry; those after it move up. */
  async remove(index: number): Promise<void> {
    await this.#rpc.deleteAddressBook({ index: BigInt(index) });
  }
}
