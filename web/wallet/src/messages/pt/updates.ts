import type { updates as english } from "../en/updates.js";
import type { Translated } from "../types.js";

export const updates: Translated<typeof english> = {
  "updates.about": "A atualização recarrega a página e bloqueia a carteira.",
  "updates.apply": "Atualizar agora",
  "updates.later": "Mais tarde",
  "updates.ready": "Uma nova versão está pronta.",
};
