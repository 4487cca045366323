import type { sharing as english } from "../en/sharing.js";
import type { Translated } from "../types.js";

export const sharing: Translated<typeof english> = {
  "sharing.empty": "In der Zwischenablage ist kein Text.",
  "sharing.paste": "Einfügen",
  "sharing.pasteRefused":
    "Der Browser hat nicht erlaubt, die Zwischenablage zu lesen. Füge mit der Tastatur oder über das Menü des Feldes ein.",
  "sharing.pasteWhat": "Einfügen: {what}",
  "sharing.share": "Teilen",
};
