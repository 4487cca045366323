import { GlimError } from "./errors.js";
import { read } from "./json.js";
import { shapes, type Event } from "./operations.js";

/** How far a wallet has come: blocks it has seen, and blocks there are. */
export interface Progress {
  /** Blocks seen. */
  height: number;
  /** Blocks there are. */
  target: number;
}

/** Something that happened to a transfer. Those of one wallet are numbered, and kept with it. */
export interface TransferEvent {
  /** Number of the event; what follows it is told by wallet.follow. */
  cursor: bigint;
  /** Seen in the daemon's pool; in a block; free to be spent; its block is not on the chain any more. */
  type: "pool" | "confirmed" | "unlocked" | "reorganised";
  /** To the wallet or from it. */
  direction: "in" | "out";
  /** The transaction's ID. */
  txid: string;
  /** Atomic units, without fee and change. */
  amount: bigint;
  /** Atomic units. */
  fee: bigint;
  /** Index of the account that received or paid. */
  account: number;
  /** Index and text of the address that received; of what was sent, the account's first. */
  index: number;
  /** The same address as text. */
  address: string;
  /** Index of the block, 0 in the pool. */
  height: number;
  /** Of the block, or when it was first seen. */
  date: Date;
  /** A mining reward. */
  coinbase: boolean;
}

/** What a wallet tells, by name, with what its listeners get. */
export interface WalletEvents {
  /** The wallet reads the chain. */
  sync: Progress;
  /** The wallet has seen this many blocks. */
  height: number;
  /** Something happened to a transfer. */
  transfer: TransferEvent;
  /** The wallet was closed, here or by glim.stop(); nothing follows. */
  closed: undefined;
  /** Events are missing that are no longer kept: history() knows what they told. */
  lost: undefined;
  /** The wallet's file is cut short, or may be: a text for people. Told once, when the wallet was opened. */
  warning: string;
  /** Everything, as the operation get_events has it. */
  event: Event;
}

/** Reads what the engine tells of a wallet. */
export function readEvent(text: string): Event {
  return read(text, "Event", shapes) as Event;
}

/** Returns the transfer's part of an event of one. */
export function transferEvent(e: Event): TransferEvent {
  const { type } = e;
  if (type !== "pool" && type !== "confirmed" && type !== "unlocked" && type !== "reorganised") {
    throw new GlimError("internal", `an event ${type} is of no transfer`);
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

/** Listeners by what they listen to. */
export class Emitter {
  readonly #listeners: Listeners = {
    sync: new Set(),
    height: new Set(),
    transfer: new Set(),
    closed: new Set(),
    lost: new Set(),
    warning: new Set(),
    event: new Set(),
  };

  /** Calls listener for each event of a name, until the function that is returned is called. */
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
          throw error; // what a listener throws is its page's matter; others are told all the same
        });
      }
    }
  }

  /** Tells an event by every name it has. */
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
