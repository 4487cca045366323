import { t } from "./i18n.js";
import { playing, type Settings } from "./settings.js";

/** Returns the name of the network on which the wallet's money is worthless; on the main network "". */
export function testNetwork(settings: Pick<Settings, "network" | "node">): string {
  if (playing(settings)) return t("common.privateChain");
  return settings.network === "mainnet" ? "" : t(`network.${settings.network}`);
}
