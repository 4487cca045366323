import type { sharing as english } from "../en/sharing.js";
import type { Translated } from "../types.js";

export const sharing: Translated<typeof english> = {
  "sharing.empty": "Negli appunti non c’è testo.",
  "sharing.paste": "Incolla",
  "sharing.pasteRefused":
    "Il browser non ha permesso di leggere gli appunti. Incolla con la tastiera o con il menu del campo.",
  "sharing.pasteWhat": "Incolla: {what}",
  "sharing.share": "Condividi",
};
