import type { updates as english } from "../en/updates.js";
import type { Translated } from "../types.js";

export const updates: Translated<typeof english> = {
  "updates.about": "Beim Aktualisieren wird die Seite neu geladen und die Wallet gesperrt.",
  "updates.apply": "Jetzt aktualisieren",
  "updates.later": "Später",
  "updates.ready": "Eine neue Version ist bereit.",
};
