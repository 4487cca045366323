import type { Network, NodeList } from "./engine.js";
import { nodeAddress } from "./settings.js";

/** The public nodes of every network, as in public/nodes.json. */
export type NodeLists = Partial<Record<Network, NodeList>>;

/**
 * Reads the list of public nodes: for each network an array of objects with an address; under gateway, the address that
 * the owner of the page runs, which may be relative to the page. Entries that are not addresses are left out.
 */
export function readNodeLists(text: string, base: string): NodeLists {
  const file: unknown = JSON.parse(text);
  const lists: NodeLists = {};
  for (const network of ["mainnet", "stagenet", "testnet", "regtest"] as const) {
    const entries = member(file, network);
    const addresses = (Array.isArray(entries) ? entries : []).flatMap((e) => address(member(e, "address")) ?? []);
    const own = member(member(file, "gateway"), network);
    const gateway = typeof own === "string" && own !== "" && URL.canParse(own, base) ? new URL(own, base).href : "";
    const preferred = gateway === "" ? undefined : address(gateway);
    if (addresses.length > 0 || preferred) lists[network] = { addresses, ...(preferred && { preferred }) };
  }
  return lists;
}

/** Returns the addresses of a list. */
export function listed(list: NodeList | undefined): string[] {
  return list ? [...(list.preferred ? [list.preferred] : []), ...list.addresses] : [];
}

/** Fetches the list that is served next to the page. Without one, there are no public nodes. */
export async function fetchNodeLists(): Promise<NodeLists> {
  try {
    const response = await fetch("./nodes.json", { cache: "no-cache" });
    return response.ok ? readNodeLists(await response.text(), location.href) : {};
  } catch {
    return {};
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function address(value: unknown): string | undefined {
  const found = typeof value === "string" && /^https?:/.test(value) ? nodeAddress(value) : undefined;
  return found === "" ? undefined : found;
}
