import type { sharing as english } from "../en/sharing.js";
import type { Translated } from "../types.js";

export const sharing: Translated<typeof english> = {
  "sharing.empty": "Não há texto na área de transferência.",
  "sharing.paste": "Colar",
  "sharing.pasteRefused":
    "O navegador não permitiu ler a área de transferência. Cole com o teclado ou com o menu do campo.",
  "sharing.pasteWhat": "Colar: {what}",
  "sharing.share": "Compartilhar",
};
