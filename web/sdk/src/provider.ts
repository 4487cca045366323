/**
 * The interface between sites and Monero wallets in a browser: how a site finds wallets, and what it can request. It is
 * independent of glim's engine; the extension's PROVIDER.md describes it.
 *
 * @module glim/provider
 */

/** A wallet that announces itself. Shaped as EIP6963ProviderInfo. */
export interface MoneroProviderInfo {
  /** A UUID of version 4, new for each page. */
  readonly uuid: string;
  /** The wallet's name, for people. */
  readonly name: string;
  /** A picture of the wallet: a data URI of a square image of at least 96 pixels. */
  readonly icon: string;
  /** A domain of the wallet's makers, reversed: it stays the same in all versions. */
  readonly rdns: string;
}

/** What a connected site knows about the user. */
export interface MoneroConnection {
  /** A subaddress made for this site. */
  readonly address: string;
  /** The network of the wallet. */
  readonly network: "mainnet" | "stagenet" | "testnet" | "regtest";
}

/** The requests with their parameters and results. Amounts are in atomic units, as decimal strings. */
export interface MoneroRequests {
  /** Asks the user to connect the site. */
  connect: { params?: Record<string, never>; result: MoneroConnection };
  /** Returns the connection without asking the user. It fails with 4100 if there was no connect before. */
  address: { params?: Record<string, never>; result: MoneroConnection };
  /** Asks the user to pay. The description is shown to the user, and becomes the note of the transaction. */
  pay: {
    params: { address: string; amount: string; description?: string };
    result: { txids: string[]; amount: string; fee: string };
  };
  /** Proves that the transaction paid the address. */
  prove: { params: { txid: string; address: string; message?: string }; result: { signature: string } };
  /** Signs with the keys of the site's subaddress. */
  sign: { params: { message: string }; result: { signature: string; address: string } };
  /** Ends the connection: the site needs connect again. */
  disconnect: { params?: Record<string, never>; result: null };
}

/** A request as EIP-1193 writes it. */
export type MoneroRequest = {
  [M in keyof MoneroRequests]: { readonly method: M } & Omit<MoneroRequests[M], "result">;
}[keyof MoneroRequests];

/** The error of a request. Its codes are those of EIP-1193 and EIP-1474: 4001 if the user rejects the request. */
export interface MoneroProviderError extends Error {
  /** The number of the failure. */
  readonly code: number;
}

/** A wallet, shaped as an EIP-1193 provider. */
export interface MoneroProvider {
  /** Sends a request. It resolves when the user has agreed and it is done, and rejects with a MoneroProviderError. */
  request<R extends MoneroRequest>(request: R): Promise<MoneroRequests[R["method"]]["result"]>;
  /** Listens for "disconnect": the user has disconnected the site. */
  on(event: "disconnect", listener: () => void): void;
  /** Removes a listener that on() added. */
  removeListener(event: "disconnect", listener: () => void): void;
}

/** The detail of the event monero:announceProvider. */
export interface MoneroProviderDetail {
  /** What the wallet says of itself. */
  readonly info: MoneroProviderInfo;
  /** Takes the site's requests. */
  readonly provider: MoneroProvider;
}

const announced = "monero:announceProvider";

const isDetail = (d: unknown): d is MoneroProviderDetail => {
  const { info, provider } = (d ?? {}) as Partial<MoneroProviderDetail>;
  return (
    [info?.uuid, info?.name, info?.icon, info?.rdns].every((text) => typeof text === "string") &&
    typeof provider?.request === "function"
  );
};

/**
 * Calls found for each Monero wallet in this page, also for those that announce themselves later, once each. It returns
 * a function that ends this. Show info.icon only as the source of an image: it comes from the wallet.
 */
export function findMoneroProviders(found: (wallet: MoneroProviderDetail) => void): () => void {
  const known = new Set<string>();
  const hear = (event: Event): void => {
    const detail: unknown = (event as CustomEvent).detail;
    if (!isDetail(detail) || known.has(detail.info.uuid)) return;
    known.add(detail.info.uuid);
    found(detail);
  };
  addEventListener(announced, hear);
  dispatchEvent(new Event("monero:requestProvider"));
  return () => removeEventListener(announced, hear);
}
