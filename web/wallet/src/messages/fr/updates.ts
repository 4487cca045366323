import type { updates as english } from "../en/updates.js";
import type { Translated } from "../types.js";

export const updates: Translated<typeof english> = {
  "updates.about": "La mise à jour recharge la page et verrouille le portefeuille.",
  "updates.apply": "Mettre à jour",
  "updates.later": "Plus tard",
  "updates.ready": "Une nouvelle version est prête.",
};
