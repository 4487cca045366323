import type { sharing as english } from "../en/sharing.js";
import type { Translated } from "../types.js";

export const sharing: Translated<typeof english> = {
  "sharing.empty": "No hay texto en el portapapeles.",
  "sharing.paste": "Pegar",
  "sharing.pasteRefused": "El navegador no permitió leer el portapapeles. Pega con el teclado o con el menú del campo.",
  "sharing.pasteWhat": "Pegar: {what}",
  "sharing.share": "Compartir",
};
