import type { switcher as english } from "../en/switcher.js";
import type { Translated } from "../types.js";

export const switcher: Translated<typeof english> = {
  "switcher.about": "I portafogli aperti restano aperti quando passi a un altro. Il blocco li blocca tutti.",
  "switcher.aboutDemo": "Puoi guardare i pagamenti anche dall’altro lato.",
  "switcher.button": "Portafoglio: {name}",
  "switcher.locked": "Bloccato",
  "switcher.name": "Nome",
  "switcher.nameAbout": "Mostrato in questo browser e salvato nel file del portafoglio",
  "switcher.now": "Mostrato ora",
  "switcher.open": "Aperto",
  "switcher.passwordOf": "Password di {name}",
  "switcher.rename": "Rinomina",
  "switcher.renameAbout": "Nient’altro cambia nel portafoglio.",
  "switcher.renameThis": "Rinomina questo portafoglio",
  "switcher.renamed": "Il portafoglio ha un nuovo nome",
  "switcher.title": "Portafogli",
};
