import type { updates as english } from "../en/updates.js";
import type { Translated } from "../types.js";

export const updates: Translated<typeof english> = {
  "updates.about": "L’aggiornamento ricarica la pagina e blocca il portafoglio.",
  "updates.apply": "Aggiorna ora",
  "updates.later": "Più tardi",
  "updates.ready": "È pronta una nuova versione.",
};
