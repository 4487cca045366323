import type { sharing as english } from "../en/sharing.js";
import type { Translated } from "../types.js";

export const sharing: Translated<typeof english> = {
  "sharing.empty": "В буфере обмена нет текста.",
  "sharing.paste": "Вставить",
  "sharing.pasteRefused": "Браузер не разрешил читать буфер обмена. Вставьте с клавиатуры или через меню поля.",
  "sharing.pasteWhat": "Вставить: {what}",
  "sharing.share": "Поделиться",
};
