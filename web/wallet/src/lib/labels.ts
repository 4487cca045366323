import { useWallet } from "./context.js";
import type { Transfer } from "./engine.js";
import { incoming } from "./search.js";

/**
 * Returns a function that returns a transfer's label: that of the receiving address, or the address book's description
 * of the recipient.
 */
export function useLabels(): (t: Transfer) => string {
  const { data } = useWallet(async (l) => {
    const [{ subaddress_accounts: accounts }, { entries }] = await Promise.all([
      l.wallet.rpc.getAccounts(),
      l.wallet.rpc.getAddressBook(),
    ]);
    const own = new Map<string, string>();
    for (const account of accounts) {
      const { addresses } = await l.wallet.rpc.getAddress({ account_index: account.account_index });
      for (const a of addresses) own.set(a.address, a.label);
    }
    return { own, others: new Map(entries.map((e) => [e.address, e.description])) };
  });
  return (t) => {
    if (!data) return "";
    if (!incoming(t))
      return (
        t.destinations.map((d) => data.others.get(d.address) ?? data.own.get(d.address) ?? "").filter(Boolean)[0] ?? ""
      );
    const label = data.own.get(t.address) ?? "";
    return label === "Primary account" ? "" : label;
  };
}
