import type { sharing as english } from "../en/sharing.js";
import type { Translated } from "../types.js";

export const sharing: Translated<typeof english> = {
  "sharing.empty": "Er staat geen tekst op het klembord.",
  "sharing.paste": "Plakken",
  "sharing.pasteRefused":
    "De browser stond niet toe het klembord te lezen. Plak met het toetsenbord of het menu van het veld.",
  "sharing.pasteWhat": "Plakken: {what}",
  "sharing.share": "Delen",
};
