import type { desktop as english } from "../en/desktop.js";
import type { Translated } from "../types.js";

export const desktop: Translated<typeof english> = {
  "desktop.about":
    "Eine Monero-Wallet, die auf deinem Computer läuft. Sie findet deine Zahlungen und signiert mit deinen Schlüsseln gleich hier. Einen Node braucht sie nur, um die Blockchain zu lesen und zu senden.",
  "desktop.ended": "glim ist beendet",
  "desktop.endedNext":
    "Deine Wallets sind geschlossen. Starte glim erneut, um sie zu öffnen. Du kannst diese Seite schließen.",
  "desktop.files": "Deine Wallets sind Dateien auf diesem Computer",
  "desktop.filesAbout":
    "Sie liegen im Ordner {folder}. Auch die Befehle von glim können sie öffnen, solange sie hier nicht offen sind.",
  "desktop.footer": "Deine Schlüssel bleiben auf diesem Computer. Niemand sonst kann sie für dich wiederherstellen.",
  "desktop.quit": "glim beenden",
  "desktop.quitAbout": "Wenn du diese Seite schließt, scannt glim weiter. Beenden schließt alle Wallets.",
  "desktop.used": "Diese Adresse wurde bereits benutzt",
  "desktop.usedNext":
    "Eine Adresse von glim öffnet eine Seite, und nur einmal. Starte glim erneut, um eine neue zu bekommen; ein laufendes glim läuft weiter.",
};
