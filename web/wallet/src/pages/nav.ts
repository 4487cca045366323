import type { IconName } from "../components/icon.js";
import type { PlainKey } from "../lib/i18n.js";
import type { Page } from "../lib/router.js";

/** An entry of the navigation. */
export interface Entry {
  page: Page;
  /** The key of its name. */
  name: PlainKey;
  icon: IconName;
}

/** The entries of the side bar; the first four are in the phone's bar as well. */
export const daily: readonly Entry[] = [
  { page: "home", name: "nav.home", icon: "home" },
  { page: "send", name: "common.send", icon: "send" },
  { page: "receive", name: "common.receive", icon: "receive" },
  { page: "history", name: "common.history", icon: "history" },
];
export const keeping: readonly Entry[] = [
  { page: "accounts", name: "common.accounts", icon: "accounts" },
  { page: "contacts", name: "common.addressBook", icon: "contacts" },
  { page: "proofs", name: "common.proofs", icon: "proofs" },
];
export const advanced: readonly Entry[] = [
  { page: "outputs", name: "outputs.title", icon: "coins" },
  { page: "cold", name: "common.coldSigning", icon: "cold" },
  { page: "multisig", name: "common.multisig", icon: "multisig" },
];
export const playground: Entry = { page: "play", name: "common.privateChain", icon: "play" };
export const demoEntry: Entry = { ...playground, name: "demo.title" };
export const preferences: Entry = { page: "settings", name: "common.settings", icon: "settings" };

/** The navigation entry that each page belongs to. */
export function owner(page: Page): Page {
  if (page === "backup") return "settings";
  return page === "transfer" ? "history" : page;
}
