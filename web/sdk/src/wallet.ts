/// <reference lib="esnext.disposable" preserve="true" />
import { AddressBook } from "./address-book.js";
import { Cold } from "./cold.js";
import { GlimError, isGlimError } from "./errors.js";
import { EventStream, type EventsOptions, type Follow } from "./event-stream.js";
import { Emitter, readEvent, transferEvent, type Progress, type TransferEvent, type WalletEvents } from "./events.js";
import { history, type HistoryOptions, type Transfer } from "./history.js";
import { Multisig } from "./multisig.js";
import type { CallOptions } from "./operation.js";
import { Code, type WalletOperations } from "./operations.js";
import { Proofs } from "./proofs.js";
import { prepare, type Preview, type Send, type SendOptions } from "./send.js";

/** The balance of an account or a wallet, in atomic units. */
export interface Balance {
  /** Everything, locked or unlocked. */
  total: bigint;
  /** What can be spent now. */
  unlocked: bigint;
  /** Number of blocks until everything can be spent. */
  blocksToUnlock: number;
  /** Seconds until outputs with a time lock can be spent. */
  timeToUnlock: number;
}

/** An account: its own balance and its own addresses. */
export interface Account {
  /** 0 for the first account. */
  index: number;
  /** Its first address. */
  address: string;
  /** The user's label. */
  label: string;
  /** The tag that groups accounts, or empty. */
  tag: string;
  /** In atomic units. */
  total: bigint;
  /** What can be spent now, in atomic units. */
  unlocked: bigint;
}

/** An address of an account. */
export interface Address {
  /** Index of its account. */
  account: number;
  /** 0 for the account's first address. */
  index: number;
  /** The address as text. */
  address: string;
  /** The user's label. */
  label: string;
  /** Whether it has received money. */
  used: boolean;
}

/** The progress of scanning, while sync() runs. */
export interface SyncProgress extends Progress {
  /** From 0 to 1, of what there was to scan at the beginning. */
  done: number;
  /** Estimated from the speed so far; undefined before anything was scanned. */
  secondsLeft: number | undefined;
}

/** Options of wallet.sync. */
export interface SyncOptions extends CallOptions {
  /** Called with the progress. */
  onProgress?: (progress: SyncProgress) => void;
}

/** What a view-only copy of a wallet needs, for glim.restore. */
export interface Watch {
  /** The wallet's primary address. */
  address: string;
  /** The secret view key: anyone with it sees incoming payments. */
  viewKey: string;
  /** Index of the first block to scan; earlier blocks contain nothing of this wallet. */
  height: number;
}

/** The cursor that skips all past events. */
const fromNow = 0xffff_ffff_ffff_ffffn;

/** An open wallet. It refreshes itself; reads answer at once, from what it has scanned. */
export class Wallet {
  /** The wallet's name. */
  readonly name: string;
  /** Every operation of the wallet service, on this wallet. */
  readonly rpc: WalletOperations;
  /** The address book, stored in the wallet's file. */
  readonly addressBook: AddressBook;
  /** Proofs and signatures. */
  readonly proofs: Proofs;
  /** Offline (cold) signing. */
  readonly cold: Cold;
  /** Multisig. */
  readonly multisig: Multisig;
  /** Whether the wallet was without a spend key when it was opened: it cannot sign. */
  readonly viewOnly: boolean;
  readonly #follow: Follow;
  readonly #emitter = new Emitter();
  /** What waits for an event; undefined when no more events follow. */
  #waiting: Set<() => void> | undefined = new Set();

  /** Created by glim.create, restore, open and attach. */
  constructor(name: string, rpc: WalletOperations, follow: Follow, forget: () => void, viewOnly: boolean) {
    this.name = name;
    this.rpc = rpc;
    this.#follow = follow;
    this.viewOnly = viewOnly;
    this.addressBook = new AddressBook(rpc);
    this.proofs = new Proofs(rpc);
    this.cold = new Cold(rpc);
    this.multisig = new Multisig(rpc);
    this.#emitter.on("closed", forget);
    follow(
      fromNow,
      (text) => this.#emitter.tell(readEvent(text)),
      () => {
        const waiting = this.#waiting;
        this.#waiting = undefined;
        for (const end of waiting ?? []) end();
      },
    );
  }

  /** Calls listener for each event of a name, until the returned function is called. */
  on<K extends keyof WalletEvents>(name: K, listener: (value: WalletEvents[K]) => void): () => void {
    return this.#emitter.on(name, listener);
  }

  /** Returns the value of the next event of a name. It fails with the reason NotOpen if the wallet is closed before. */
  once<K extends keyof WalletEvents>(name: K, { signal }: CallOptions = {}): Promise<WalletEvents[K]> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const waiting = this.#waiting;
      const settled = (): void => {
        off();
        waiting?.delete(end);
        signal?.removeEventListener("abort", abort);
      };
      const end = (): void => {
        settled();
        reject(new GlimError("contract", "the wallet was closed", Code.NotOpen));
      };
      const abort = (): void => {
        settled();
        reject(signal?.reason);
      };
      const off = this.on(name, (value) => {
        settled();
        resolve(value);
      });
      signal?.addEventListener("abort", abort);
      if (waiting) waiting.add(end);
      else end();
    });
  }

  /**
   * Returns the events of transfers after a cursor, each once and in order, for "for await". The loop ends when the
   * wallet is closed, and fails with the reason EventsLost if some events after the cursor are no longer stored.
   */
  events({ cursor = fromNow, ...options }: EventsOptions = {}): EventStream {
    return new EventStream(this.#follow, cursor, options);
  }

  /**
   * Reports the events of transfers after cursor, which is that of the last known event or 0n, each once and in order,
   * and then new ones as they happen. Events from while no page was open are included. onLost is called if some are no
   * longer stored. Returns a function that stops this.
   */
  follow(cursor: bigint, listener: (event: TransferEvent) => void, onLost?: () => void): () => void {
    return this.#follow(
      cursor,
      (text) => {
        const event = readEvent(text);
        if (event.type === "lost") onLost?.();
        else if (event.txid !== undefined) listener(transferEvent(event));
      },
      () => undefined,
    );
  }

  /** Returns the balance of one account, or of the wallet. */
  async balance(account?: number, options: CallOptions = {}): Promise<Balance> {
    const b = await this.rpc.getBalance(
      account === undefined ? { all_accounts: true } : { account_index: account },
      options,
    );
    return {
      total: b.balance,
      unlocked: b.unlocked_balance,
      blocksToUnlock: Number(b.blocks_to_unlock),
      timeToUnlock: Number(b.time_to_unlock),
    };
  }

  /** Returns all accounts with their balances. */
  async accounts(options: CallOptions = {}): Promise<Account[]> {
    const { subaddress_accounts } = await this.rpc.getAccounts({}, options);
    return subaddress_accounts.map((a) => ({
      index: a.account_index,
      address: a.base_address,
      label: a.label,
      tag: a.tag,
      total: a.balance,
      unlocked: a.unlocked_balance,
    }));
  }

  /** Creates an account. */
  async createAccount(label = "", options: CallOptions = {}): Promise<{ index: number; address: string }> {
    const { account_index, address } = await this.rpc.createAccount({ label }, options);
    return { index: account_index, address };
  }

  /** Returns the addresses of an account; the first of account 0 is the wallet's primary address. */
  async addresses(account = 0, options: CallOptions = {}): Promise<Address[]> {
    const { addresses } = await this.rpc.getAddress({ account_index: account }, options);
    return addresses.map((a) => ({
      account,
      index: a.address_index,
      address: a.address,
      label: a.label,
      used: a.used,
    }));
  }

  /** Creates a subaddress, for example for one payer. */
  async newAddress({
    account = 0,
    label = "",
    ...options
  }: { account?: number; label?: string } & CallOptions = {}): Promise<Address> {
    const { address, address_index } = await this.rpc.createAddress({ account_index: account, label }, options);
    return { account, index: address_index, address, label, used: false };
  }

  /** Labels an account, or with an index one of its addresses. */
  async label(what: { account: number; index?: number }, label: string, options: CallOptions = {}): Promise<void> {
    if (what.index === undefined) await this.rpc.labelAccount({ account_index: what.account, label }, options);
    else await this.rpc.labelAddress({ index: { major: what.account, minor: what.index }, label }, options);
  }

  /** Returns the number of blocks that the wallet has scanned. */
  async height(options: CallOptions = {}): Promise<number> {
    return Number((await this.rpc.getHeight({}, options)).height);
  }

  /** Scans to the end of the chain. If it is cancelled, what was scanned is kept. */
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

  /** Makes the transactions of a payment, with their fee, without sending them: the preview's confirm() does that. */
  send(what: Send, options: SendOptions = {}): Promise<Preview> {
    return prepare(this.rpc, what, options);
  }

  /** Returns received and sent transfers, newest first. */
  history(options: HistoryOptions = {}): Promise<Transfer[]> {
    return history(this.rpc, options);
  }

  /** Returns the note of a transaction, after setting it to text if that is given. */
  async note(txid: string, text?: string, options: CallOptions = {}): Promise<string> {
    if (text !== undefined) {
      await this.rpc.setTxNotes({ txids: [txid], notes: [text] }, options);
      return text;
    }
    return (await this.rpc.getTxNotes({ txids: [txid] }, options)).notes[0] ?? "";
  }

  /**
   * Returns the wallet's seed. Anyone with it has the money, unless it is encrypted with a passphrase, which is then
   * needed as well. A wrong passphrase cannot be detected: it gives another wallet. To restore, glim.restore takes the
   * passphrase as seedOffset, or for 16 words as passphrase; the latter must be ASCII.
   */
  async seed({ passphrase = "", ...options }: { passphrase?: string } & CallOptions = {}): Promise<string> {
    return (await this.rpc.queryKey({ key_type: "mnemonic", seed_offset: passphrase }, options)).key;
  }

  /** Returns what a view-only copy needs. Anyone with it sees all incoming payments but can spend nothing. */
  async watch(options: CallOptions = {}): Promise<Watch> {
    const [primary, { key }, height, received] = await Promise.all([
      this.rpc.getAddress({}, options),
      this.rpc.queryKey({ key_type: "view_key" }, options),
      this.height(options),
      this.history({ types: ["in", "block"], ...options }),
    ]);
    const first = received.reduce((least, t) => Math.min(least, t.height), height);
    return { address: primary.address, viewKey: key, height: first };
  }

  /**
   * Removes the spend key from memory. The wallet keeps scanning, but nothing can be sent until unlock(). The first
   * call needs the wallet's password, in order to store separately what scanning needs.
   */
  async lock(password?: string, options: CallOptions = {}): Promise<void> {
    if (password !== undefined) {
      await this.rpc.setupBackgroundSync(
        { background_sync_type: "reuse-wallet-password", wallet_password: password },
        options,
      );
    }
    await this.rpc.startBackgroundSync({}, options);
  }

  /** Loads the spend key into memory again; needs the wallet's password. */
  async unlock(password: string, options: CallOptions = {}): Promise<void> {
    await this.rpc.stopBackgroundSync({ wallet_password: password }, options);
  }

  /** Changes the password of the wallet's files. */
  async changePassword(old: string, password: string, options: CallOptions = {}): Promise<void> {
    await this.rpc.changeWalletPassword({ old_password: old, new_password: password }, options);
  }

  /** Closes the wallet; everything is already stored. */
  async close(options: CallOptions = {}): Promise<void> {
    await this.rpc.closeWallet({}, options);
  }

  /** Closes the wallet unless it is closed already, for "await using". */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close().catch((error: unknown) => {
      if (!isGlimError(error, "NotOpen", "EngineEnded")) throw error;
    });
  }
}
