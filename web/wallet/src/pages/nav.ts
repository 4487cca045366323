import type { IconName } from "../components/icon.js";
import type { Page } from "../lib/router.js";

/** An entry of the navigation. */
export interface Entry {
  page: Page;
  name: string;
  icon: IconName;
}

/** The entries of the side bar; the first four are in the phone's bar as well. */
export const daily: readonly Entry[] = [
  { page: "home", name: "Home", icon: "home" },
  { page: "send", name: "Send", icon: "send" },
  { page: "receive", name: "Receive", icon: "receive" },
  { page: "history", name: "History", icon: "history" },
];
export const keeping: readonly Entry[] = [
  { page: "accounts", name: "Accounts", icon: "accounts" },
  { page: "contacts", name: "Address book", icon: "contacts" },
  { page: "proofs", name: "Proofs", icon: "proofs" },
];
export const advanced: readonly Entry[] = [
  { page: "cold", name: "Cold signing", icon: "cold" },
  { page: "multisig", name: "Multisig", icon: "multisig" },
];
export const playground: Entry = { page: "play", name: "Private chain", icon: "play" };
export const preferences: Entry = { page: "settings", name: "Settings", icon: "settings" };

/** The navigation entry that each page belongs to. */
export function owner(page: Page): Page {
  if (page === "backup") return "settings";
  return page === "transfer" ? "history" : page;
}
