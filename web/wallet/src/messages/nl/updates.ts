import type { updates as english } from "../en/updates.js";
import type { Translated } from "../types.js";

export const updates: Translated<typeof english> = {
  "updates.about": "Bijwerken laadt de pagina opnieuw en vergrendelt de portemonnee.",
  "updates.apply": "Nu bijwerken",
  "updates.later": "Later",
  "updates.ready": "Er staat een nieuwe versie klaar.",
};
