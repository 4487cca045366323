import type { desktop as english } from "../en/desktop.js";
import type { Translated } from "../types.js";

export const desktop: Translated<typeof english> = {
  "desktop.about":
    "Een Monero-portemonnee die op je computer draait. Hij vindt je betalingen en ondertekent met je sleutels, gewoon hier. Een node heeft hij alleen nodig om de keten te lezen en te versturen.",
  "desktop.ended": "glim is afgesloten",
  "desktop.endedNext":
    "Je portemonnees zijn gesloten. Start glim opnieuw om ze te openen. Je kunt deze pagina sluiten.",
  "desktop.files": "Je portemonnees zijn bestanden op deze computer",
  "desktop.filesAbout":
    "Ze staan in de map {folder}. De opdrachten van glim kunnen ze ook openen zolang ze hier niet open zijn.",
  "desktop.footer": "Je sleutels blijven op deze computer. Niemand anders kan ze voor je herstellen.",
  "desktop.quit": "glim afsluiten",
  "desktop.quitAbout": "glim scant verder als je deze pagina sluit. Afsluiten sluit alle portemonnees.",
  "desktop.used": "Dit adres is al gebruikt",
  "desktop.usedNext":
    "Een adres van glim opent één pagina, één keer. Start glim opnieuw voor een nieuw adres; een glim dat al draait, draait verder.",
};
