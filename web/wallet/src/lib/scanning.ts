import type { EngineWallet } from "./engine.js";
import { TimeLeft } from "./progress.js";

/** This many blocks may be mined between two checks of the node. */
const slack = 2;

/**
 * How far a wallet has scanned the chain. The length of the chain comes from the wallet's own events and, before the
 * first of them, from the check of the node.
 */
export class Scanning {
  /** Number of blocks scanned. */
  height = 0;
  /** Length of the chain in the last sync event; 0 once the wallet has reached it. */
  #goal = 0;
  /** Number of blocks that the node has or knows of; 0 while unknown. */
  #node = 0;
  /** Milliseconds until the wallet is in sync; undefined while unknown. */
  left: number | undefined;

  readonly #off: (() => void)[];
  readonly #timeLeft = new TimeLeft();

  /** change is called whenever a member changes. Events of the wallet count from now on. */
  constructor(
    wallet: Pick<EngineWallet, "on">,
    readonly change: () => void,
  ) {
    this.#off = [
      wallet.on("sync", (p) => {
        this.#goal = p.target > p.height ? p.target : 0;
        this.#reached(p.height);
      }),
      // The engine sends this after each sync event as well: it says nothing about the length of the chain.
      wallet.on("height", (h) => this.#reached(h)),
    ];
  }

  /** Number of blocks of the chain, as far as known. */
  get target(): number {
    return Math.max(this.height, this.#goal, this.#node);
  }

  /** Whether there are blocks to scan. */
  get behind(): boolean {
    return this.#goal > this.height || this.behindNode;
  }

  /** Whether the node has blocks that the wallet has not scanned. */
  get behindNode(): boolean {
    return this.#node > this.height + slack;
  }

  /** Sets the number of blocks scanned so far, unless events have told it meanwhile. */
  begin(height: number): void {
    if (this.height === 0) this.#reached(height);
  }

  /** Sets the number of blocks of the node's chain; 0 if it is unknown. */
  know(blocks: number): void {
    if (this.#node === blocks) return;
    this.#node = blocks;
    this.change();
  }

  stop(): void {
    for (const off of this.#off) off();
  }

  #reached(height: number): void {
    this.height = height;
    this.left = this.#timeLeft.report(performance.now(), this);
    this.change();
  }
}
