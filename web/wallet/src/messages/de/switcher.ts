import type { switcher as english } from "../en/switcher.js";
import type { Translated } from "../types.js";

export const switcher: Translated<typeof english> = {
  "switcher.about": "Geöffnete Wallets bleiben beim Wechseln geöffnet. Sperren sperrt alle.",
  "switcher.aboutDemo": "Du kannst dir die Zahlungen auch von der anderen Seite ansehen.",
  "switcher.button": "Wallet: {name}",
  "switcher.locked": "Gesperrt",
  "switcher.name": "Name",
  "switcher.nameAbout": "Wird in diesem Browser angezeigt und in der Datei der Wallet gespeichert",
  "switcher.now": "Wird angezeigt",
  "switcher.open": "Geöffnet",
  "switcher.passwordOf": "Passwort von {name}",
  "switcher.rename": "Umbenennen",
  "switcher.renameAbout": "Sonst ändert sich an der Wallet nichts.",
  "switcher.renameThis": "Diese Wallet umbenennen",
  "switcher.renamed": "Die Wallet hat einen neuen Namen",
  "switcher.title": "Wallets",
};
