import type { updates as english } from "../en/updates.js";
import type { Translated } from "../types.js";

export const updates: Translated<typeof english> = {
  "updates.about": "При обновлении страница перезагрузится, а кошелёк заблокируется.",
  "updates.apply": "Обновить сейчас",
  "updates.later": "Позже",
  "updates.ready": "Новая версия готова.",
};
