import type { desktop as english } from "../en/desktop.js";
import type { Translated } from "../types.js";

export const desktop: Translated<typeof english> = {
  "desktop.about":
    "Un portafoglio Monero che funziona sul tuo computer. Trova i tuoi pagamenti e firma con le tue chiavi proprio qui. Gli serve un nodo solo per leggere la catena e per inviare.",
  "desktop.ended": "glim è terminato",
  "desktop.endedNext": "I tuoi portafogli sono chiusi. Avvia di nuovo glim per aprirli. Puoi chiudere questa pagina.",
  "desktop.files": "I tuoi portafogli sono file su questo computer",
  "desktop.filesAbout":
    "Si trovano nella cartella {folder}. Anche i comandi di glim possono aprirli, finché non sono aperti qui.",
  "desktop.footer": "Le tue chiavi restano su questo computer. Nessun altro può recuperarle per te.",
  "desktop.quit": "Esci da glim",
  "desktop.quitAbout":
    "glim continua la scansione quando chiudi questa pagina. Uscendo si chiudono tutti i portafogli.",
  "desktop.used": "Questo indirizzo è già stato usato",
  "desktop.usedNext":
    "Un indirizzo di glim apre una pagina, una volta sola. Avvia di nuovo glim per averne uno nuovo; un glim già avviato continua.",
};
