import type { sharing as english } from "../en/sharing.js";
import type { Translated } from "../types.js";

export const sharing: Translated<typeof english> = {
  "sharing.empty": "Il n’y a pas de texte dans le presse-papiers.",
  "sharing.paste": "Coller",
  "sharing.pasteRefused":
    "Le navigateur n’a pas autorisé la lecture du presse-papiers. Collez avec le clavier ou le menu du champ.",
  "sharing.pasteWhat": "Coller : {what}",
  "sharing.share": "Partager",
};
