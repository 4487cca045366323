import { AddressBook } from "./address-book.js";
import { Cold } from "./cold.js";
import { Emitter, readEvent, transferEvent, type Progress, type TransferEvent, type WalletEvents } from "./events.js";
import { history, type HistoryOptions, type Transfer } from "./history.js";
import { Multisig } from "./multisig.js";
import type { CallOptions } from "./operation.js";
import type { WalletOperations } from "./operations.js";
import { Proofs } from "./papers.js";
import { prepare, type Preview, type Send, type SendOptions } from "./send.js";

/** What an account holds, in atomic units. */
export interface Balance {
  /** What there is, locked or not. */
  total: bigint;
  /** What can be spent now. */
  unlocked: bigint;
  /** Blocks until everything can be spent. */
  blocksToUnlock: number;
  /** Seconds until what is locked until a date can be spent. */
  timeToUnlock: number;
}

/** An account: money kept apart from that of the others, with addresses of its own. */
export interface Account {
  /** 0 for the first. */
  index: number;
  /** Its first address. */
  address: string;
  /** What its owner calls it. */
  label: string;
  /** What it is grouped under; empty for nothing. */
  tag: string;
  /** Atomic units. */
  total: bigint;
  /** What can be spent now, in atomic units. */
  unlocked: bigint;
}

/** An address of an account. */
export interface Address {
  /** Index of its account. */
  account: number;
  /** 0 for the account's own. */
  index: number;
  /** As payers know it. */
  address: string;
  /** What its owner calls it. */
  label: string;
  /** Has received money. */
  used: boolean;
}

/** How far reading the chain has come, while somebody waits for it. */
export interface SyncProgress extends Progress {
  /** From 0 to 1, of what there was to read at the beginning. */
  done: number;
  /** As fast as it went so far; undefined before anything was read. */
  secondsLeft: number | undefined;
}

/** How to wait for the chain's end. */
export interface SyncOptions extends CallOptions {
  /** Hears how far it has come. */
  onProgress?: (progress: SyncProgress) => void;
}

/** What a view-only copy of a wallet is made of, by glim.restore. */
export interface Watch {
  /** The wallet's primary address. */
  address: string;
  /** The secret view key: who has it sees what comes. */
  viewKey: string;
  /** Where the copy begins to read: nothing of this wallet is in blocks before. */
  height: number;
}

type Follow = (cursor: bigint, hear: (event: string) => void) => () => void;

/** Cursor of who wants to know only what is to come. */
const fromNow = 0xffff_ffff_ffff_ffffn;

/** A wallet that is open. It refreshes itself; reads answer at once, from what it has seen. */
export class Wallet {
  /** What it is called here. */
  readonly name: string;
  /** Every operation of the wallet service, on this wallet. */
  readonly rpc: WalletOperations;
  /** Addresses worth remembering, kept in the wallet's file. */
  readonly addressBook: AddressBook;
  /** Statements that convince others. */
  readonly proofs: Proofs;
  /** Signing where there is no network. */
  readonly cold: Cold;
  /** Signing together with others. */
  readonly multisig: Multisig;
  readonly #follow: Follow;
  readonly #emitter = new Emitter();

  /** Made by glim.create, restore and open. */
  constructor(name: string, rpc: WalletOperations, follow: Follow, forget: () => void) {
    this.name = name;
    this.rpc = rpc;
    this.#follow = follow;
    this.addressBook = new AddressBook(rpc);
    this.proofs = new Proofs(rpc);
    this.cold = new Cold(rpc);
    this.multisig = new Multisig(rpc);
    this.#emitter.on("closed", forget);
    follow(fromNow, (text) => this.#emitter.tell(readEvent(text)));
  }

  /** Calls listener whenever something happens, until the function that is returned is called. */
  on<K extends keyof WalletEvents>(name: K, listener: (value: WalletEvents[K]) => void): () => void {
    return this.#emitter.on(name, listener);
  }

  /**
   * Tells what happened to transfers after a cursor, the last event known or 0n, each once and in order, and goes on as things
   * happen: also what happened while no page was there. onLost hears that there are events no longer kept. Returns what ends it.
   */
  follow(cursor: bigint, listener: (event: TransferEvent) => void, onLost?: () => void): () => void {
    return this.#follow(cursor, (text) => {
      const event = readEvent(text);
      if (event.type === "lost") onLost?.();
      else if (event.txid !== undefined) listener(transferEvent(event));
    });
  }

  /** What one account holds, or the wallet. */
  async balance(account?: number): Promise<Balance> {
    const b = await this.rpc.getBalance(account === undefined ? { all_accounts: true } : { account_index: account });
    return {
      total: b.balance,
      unlocked: b.unlocked_balance,
      blocksToUnlock: Number(b.blocks_to_unlock),
      timeToUnlock: Number(b.time_to_unlock),
    };
  }

  /** All accounts, with what they hold. */
  async accounts(): Promise<Account[]> {
    const { subaddress_accounts } = await this.rpc.getAccounts();
    return subaddress_accounts.map((a) => ({
      index: a.account_index,
      address: a.base_address,
      label: a.label,
      tag: a.tag,
      total: a.balance,
      unlocked: a.unlocked_balance,
    }));
  }

  /** Makes a new account; its money is apart from that of the others. */
  async createAccount(label = ""): Promise<{ index: number; address: string }> {
    const { account_index, address } = await this.rpc.createAccount({ label });
    return { index: account_index, address };
  }

  /** The addresses of an account; the first of account 0 is the wallet's primary one. */
  async addresses(account = 0): Promise<Address[]> {
    const { addresses } = await this.rpc.getAddress({ account_index: account });
    return addresses.map((a) => ({ account, index: a.address_index, address: a.address, label: a.label, used: a.used }));
  }

  /** Makes a new address, for one payer to know. */
  async newAddress({ account = 0, label = "" }: { account?: number; label?: string } = {}): Promise<Address> {
    const { address, address_index } = await this.rpc.createAddress({ account_index: account, label });
    return { account, index: address_index, address, label, used: false };
  }

  /** Labels an account, or with an index one of its addresses. */
  async label(what: { account: number; index?: number }, label: string): Promise<void> {
    if (what.index === undefined) await this.rpc.labelAccount({ account_index: what.account, label });
    else await this.rpc.labelAddress({ index: { major: what.account, minor: what.index }, label });
  }

  /** How many blocks the wallet has seen. */
  async height(): Promise<number> {
    return Number((await this.rpc.getHeight()).height);
  }

  /** Reads the chain to its end. What was read stays when it is given up. */
  async sync({ signal, onProgress }: SyncOptions = {}): Promise<{ blocks: number; received: boolean }> {
    const began = performance.now();
    let from: number | undefined;
    const stop = onProgress
      ? this.on("sync", ({ height, target }) => {
          from ??= height;
          const done = target > from ? Math.min(1, (height - from) / (target - from)) : 1;
          const seconds = (performance.now() - began) / 1000;
          onProgress({ height, target, done, secondsLeft: done > 0 ? (seconds * (1 - done)) / done : undefined });
        })
      : undefined;
    try {
      const { blocks_fetched, received_money } = await this.rpc.refresh({}, signal && { signal });
      return { blocks: Number(blocks_fetched), received: received_money };
    } finally {
      stop?.();
    }
  }

  /** Makes the transactions of a payment, with their fee, and sends nothing: that is the preview's confirm(). */
  send(what: Send, options: SendOptions = {}): Promise<Preview> {
    return prepare(this.rpc, what, options);
  }

  /** What came and went, newest first. */
  history(options: HistoryOptions = {}): Promise<Transfer[]> {
    return history(this.rpc, options);
  }

  /** The note of a transaction, which is set first when text is given. */
  async note(txid: string, text?: string): Promise<string> {
    if (text !== undefined) {
      await this.rpc.setTxNotes({ txids: [txid], notes: [text] });
      return text;
    }
    return (await this.rpc.getTxNotes({ txids: [txid] })).notes[0] ?? "";
  }

  /**
   * The wallet's words. Who has them has the money; under a passphrase only who knows that as well, and nothing tells whether one is
   * right. glim.restore takes it as seedOffset, of sixteen words as passphrase: for those it is of ASCII.
   */
  async seed({ passphrase = "" } = {}): Promise<string> {
    return (await this.rpc.queryKey({ key_type: "mnemonic", seed_offset: passphrase })).key;
  }

  /** What a view-only copy needs. Who has it sees all that comes, and can spend nothing. */
  async watch(): Promise<Watch> {
    const [primary, { key }, height, received] = await Promise.all([
      this.rpc.getAddress(),
      this.rpc.queryKey({ key_type: "view_key" }),
      this.height(),
      this.history({ types: ["in", "block"] }),
    ]);
    const first = received.reduce((least, t) => Math.min(least, t.height), height);
    return { address: primary.address, viewKey: key, height: first };
  }

  /**
   * Takes the spend key out of memory; the wallet goes on reading the chain, and nothing can be sent until unlock(). The first time
   * it takes the wallet's password, to keep apart what reading needs.
   */
  async lock(password?: string): Promise<void> {
    if (password !== undefined) {
      await this.rpc.setupBackgroundSync({ background_sync_type: "reuse-wallet-password", wallet_password: password });
    }
    await this.rpc.startBackgroundSync();
  }

  /** Takes the spend key into memory again, for who knows the wallet's password. */
  async unlock(password: string): Promise<void> {
    await this.rpc.stopBackgroundSync({ wallet_password: password });
  }

  /** Changes the password of the wallet's files. */
  async changePassword(old: string, password: string): Promise<void> {
    await this.rpc.changeWalletPassword({ old_password: old, new_password: password });
  }

  /** Closes the wallet; everything is kept already. */
  async close(): Promise<void> {
    await this.rpc.closeWallet();
  }
}
