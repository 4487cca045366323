import { useEffect, useState } from "preact/hooks";

/** The pages of an open wallet. */
export const pages = [
  "home",
  "send",
  "receive",
  "history",
  "transfer",
  "accounts",
  "proofs",
  "contacts",
  "outputs",
  "cold",
  "multisig",
  "play",
  "settings",
  "backup",
  "more",
] as const;
export type Page = (typeof pages)[number];

/**
 * The current place. What it is about stays in memory: addresses and transaction IDs do not appear in URLs or in the
 * browser's history.
 */
export interface Place {
  page: Page;
  /** The transaction of the page transfer, an address or a payment link for the page send, or a tab of another page. */
  about?: string;
  /** The step of a page with several steps. Default: 0. */
  step?: number;
}

/** Moves between pages. The browser's back button works: each place has a number in the browser's history. */
export class Router {
  #places: Place[] = [{ page: "home" }];
  #at = 0;
  #held = false;
  readonly #listeners = new Set<() => void>();

  constructor() {
    history.replaceState({ glim: 0 }, "");
    addEventListener("popstate", this.#pop);
  }

  get place(): Place {
    return this.#places[this.#at] ?? { page: "home" };
  }

  go(page: Page, about?: string): void {
    this.#places = [...this.#places.slice(0, this.#at + 1), about === undefined ? { page } : { page, about }];
    this.#at = this.#places.length - 1;
    history.pushState({ glim: this.#at }, "");
    scrollTo(0, 0);
    this.#tell();
  }

  /**
   * Moves to a step of the page, which the browser's back button leaves again. With over, it replaces the current step,
   * which is finished.
   */
  step(step: number, over = false): void {
    const { step: _, ...place } = this.place;
    this.#places = [...this.#places.slice(0, over ? this.#at : this.#at + 1), { ...place, step }];
    this.#at = this.#places.length - 1;
    if (over) history.replaceState({ glim: this.#at }, "");
    else history.pushState({ glim: this.#at }, "");
    scrollTo(0, 0);
    this.#tell();
  }

  back(): void {
    if (this.#at > 0) history.back();
    else this.go("home");
  }

  /** Disables the browser's back button while an action runs whose result must be seen. */
  hold(held: boolean): void {
    this.#held = held;
  }

  /** Forgets all places. */
  reset(): void {
    this.#places = [{ page: "home" }];
    this.#at = 0;
    this.#held = false;
    history.replaceState({ glim: 0 }, "");
    this.#tell();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #pop = (e: PopStateEvent): void => {
    if (this.#held) {
      history.pushState({ glim: this.#at }, "");
      return;
    }
    const n = (e.state as { glim?: unknown } | null)?.glim;
    this.#at = typeof n === "number" && n < this.#places.length ? n : 0;
    this.#tell();
  };

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Returns the current place, and renders again when it changes. */
export function usePlace(router: Router): Place {
  const [place, set] = useState(router.place);
  useEffect(() => router.subscribe(() => set(router.place)), [router]);
  return place;
}
