import { useWallet } from "./context.js";
import { t } from "./i18n.js";
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
    return label === primary ? "" : label;
  };
}

/** The label that the engine gives to the first account, as wallet2 does. */
const primary = "Primary account";

/** Returns the name of an account: its label or, without one, its number. */
export function accountName(account: { account_index: number; label: string }): string {
  const { account_index: number, label } = account;
  if (number === 0 && (label === "" || label === primary)) return t("labels.primaryAccount");
  return label || t("labels.account", { number });
}

/** Returns the name of an address of the wallet: its label or, without one, its number. */
export function addressName(address: { address_index: number; label: string }): string {
  const { address_index: number, label } = address;
  if (number === 0 && (label === "" || label === primary)) return t("common.firstAddress");
  return label || t("labels.address", { number });
}
