import { GlimError } from "./errors.js";
import { read } from "./json.js";
import { shapes, type Event } from "./operations.js";

/** How much of the chain a wallet has scanned. */
export interface Progress {
  /** Number of blocks scanned. */
  height: number;
  /** Number of blocks in the chain. */
  target: number;
}

/** Something that happened to a transfer. The events of a wallet are numbered and stored with it. */
export interface TransferEvent {
  /** Number of the event. wallet.follow reports the events after it. */
  cursor: bigint;
  /**
   * Seen in the daemon's pool; included in a block; unlocked, that is spendable; removed from the chain with its block.
   */
  type: "pool" | "confirmed" | "unlocked" | "reorganised";
  /** Received or sent. */
  direction: "in" | "out";
  /** The transaction's ID. */
  txid: string;
  /** Atomic units, without fee and change. */
  amount: bigint;
  /** Atomic units. */
  fee: bigint;
  /** Index of the account that received or paid. */
  account: number;
  /** Index of the receiving address within its account; of a payment that was sent, of the account's first address. */
  index: number;
  /** The same address as text. */
  address: string;
  /** Index of the block; 0 in the pool. */
  height: number;
  /** Time of the block, or when the transaction was first seen. */
  date: Date;
  /** Whether it is a mining reward. */
  coinbase: boolean;
}

/** The events of a wallet by name, with the value that listeners receive. */
export interface WalletEvents {
  /** The wallet is scanning the chain. */
  sync: Progress;
  /** The number of blocks that the wallet has scanned has changed. */
  height: number;
  /** Something happened to a transfer. */
  transfer: TransferEvent;
  /** The wallet was closed, here or by glim.stop(). It is the last event. */
  closed: undefined;
  /** A transaction is being proven, as after the next hard fork: the share of the work that is done, in percent. */
  proving: number;
  /** Some events are no longer stored. history() has their contents. */
  lost: undefined;
  /** A text for the user: the wallet's file is, or may be, truncated. Sent once, when the wallet is opened. */
  warning: string;
  /** Every event, as the operation get_events returns it. */
  event: Event;
}

/** Reads an event from the engine. */
export function readEvent(text: string): Event {
  return read(text, "Event", shapes) as Event;
}

/** Returns the transfer that an event is about. */
export function transferEvent(e: Event): TransferEvent {
  const { type } = e;
  if (type !== "pool" && type !== "confirmed" && type !== "unlocked" && type !== "reorganised") {
    throw new GlimError("internal", `the event ${type} is not about a transfer`);
  }
  return {
    cursor: e.cursor,
    type,
    direction: e.direction === "out" ? "out" : "in",
    txid: e.txid ?? "",
    amount: e.amount ?? 0n,
    fee: e.fee ?? 0n,
    account: e.subaddr_index?.major ?? 0,
    index: e.subaddr_index?.minor ?? 0,
    address: e.address ?? "",
    height: Number(e.height ?? 0n),
    date: new Date(Number(e.timestamp ?? 0n) * 1000),
    coinbase: e.coinbase ?? false,
  };
}

type Listeners = { [K in keyof WalletEvents]: Set<(value: WalletEvents[K]) => void> };

/** The listeners of each event name. */
export class Emitter {
  readonly #listeners: Listeners = {
    sync: new Set(),
    height: new Set(),
    transfer: new Set(),
    closed: new Set(),
    proving: new Set(),
    lost: new Set(),
    warning: new Set(),
    event: new Set(),
  };

  /** Calls listener for each event of a name, until the returned function is called. */
  on<K extends keyof WalletEvents>(name: K, listener: (value: WalletEvents[K]) => void): () => void {
    const set: Set<(value: WalletEvents[K]) => void> = this.#listeners[name];
    set.add(listener);
    return () => void set.delete(listener);
  }

  /** Calls the listeners of a name. */
  emit<K extends keyof WalletEvents>(name: K, value: WalletEvents[K]): void {
    const set: Set<(value: WalletEvents[K]) => void> = this.#listeners[name];
    for (const listener of [...set]) {
      try {
        listener(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error; // an error in a listener is the page's; the other listeners must still run
        });
      }
    }
  }

  /** Calls the listeners of every name that applies to an event. */
  tell(e: Event): void {
    this.emit("event", e);
    switch (e.type) {
      case "pool":
      case "confirmed":
      case "unlocked":
      case "reorganised":
        this.emit("transfer", transferEvent(e));
        break;
      case "height":
        this.emit("height", Number(e.height ?? 0n));
        break;
      case "sync":
        this.emit("sync", { height: Number(e.height ?? 0n), target: Number(e.target_height ?? 0n) });
        break;
      case "proving":
        this.emit("proving", Number(e.percent ?? 0n));
        break;
      case "lost":
        this.emit("lost", undefined);
        break;
      case "warning":
        this.emit("warning", e.text ?? "");
        break;
      case "closed":
      case "shutdown":
        this.emit("closed", undefined);
        break;
    }
  }
}
