import type { switcher as english } from "../en/switcher.js";
import type { Translated } from "../types.js";

export const switcher: Translated<typeof english> = {
  "switcher.about": "Geopende portemonnees blijven open als je wisselt. Vergrendelen vergrendelt ze allemaal.",
  "switcher.aboutDemo": "Je kunt de betalingen ook van de andere kant bekijken.",
  "switcher.button": "Portemonnee: {name}",
  "switcher.locked": "Vergrendeld",
  "switcher.name": "Naam",
  "switcher.nameAbout": "Getoond in deze browser en opgeslagen in het bestand van de portemonnee",
  "switcher.now": "Nu getoond",
  "switcher.open": "Geopend",
  "switcher.passwordOf": "Wachtwoord van {name}",
  "switcher.rename": "Hernoemen",
  "switcher.renameAbout": "Verder verandert er niets aan de portemonnee.",
  "switcher.renameThis": "Deze portemonnee hernoemen",
  "switcher.renamed": "De portemonnee heeft een nieuwe naam",
  "switcher.title": "Portemonnees",
};
