import type { switcher as english } from "../en/switcher.js";
import type { Translated } from "../types.js";

export const switcher: Translated<typeof english> = {
  "switcher.about": "Les portefeuilles ouverts le restent quand vous en changez. Verrouiller les verrouille tous.",
  "switcher.aboutDemo": "Vous pouvez aussi voir les paiements de l’autre côté.",
  "switcher.button": "Portefeuille : {name}",
  "switcher.locked": "Verrouillé",
  "switcher.name": "Nom",
  "switcher.nameAbout": "Affiché dans ce navigateur et enregistré dans le fichier du portefeuille",
  "switcher.now": "Affiché",
  "switcher.open": "Ouvert",
  "switcher.passwordOf": "Mot de passe de {name}",
  "switcher.rename": "Renommer",
  "switcher.renameAbout": "Rien d’autre ne change dans le portefeuille.",
  "switcher.renameThis": "Renommer ce portefeuille",
  "switcher.renamed": "Le portefeuille a un nouveau nom",
  "switcher.title": "Portefeuilles",
};
