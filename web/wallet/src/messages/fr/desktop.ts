import type { desktop as english } from "../en/desktop.js";
import type { Translated } from "../types.js";

export const desktop: Translated<typeof english> = {
  "desktop.about":
    "Un portefeuille Monero qui fonctionne sur votre ordinateur. Il trouve vos paiements et signe avec vos clés ici même. Il n’a besoin d’un nœud que pour lire la chaîne et pour envoyer.",
  "desktop.ended": "glim est arrêté",
  "desktop.endedNext": "Vos portefeuilles sont fermés. Relancez glim pour les ouvrir. Vous pouvez fermer cette page.",
  "desktop.files": "Vos portefeuilles sont des fichiers sur cet ordinateur",
  "desktop.filesAbout":
    "Ils se trouvent dans le dossier {folder}. Les commandes de glim peuvent aussi les ouvrir tant qu’ils ne sont pas ouverts ici.",
  "desktop.footer": "Vos clés restent sur cet ordinateur. Personne d’autre ne peut les restaurer pour vous.",
  "desktop.quit": "Quitter glim",
  "desktop.quitAbout": "glim continue l’analyse quand vous fermez cette page. Quitter ferme tous les portefeuilles.",
  "desktop.used": "Cette adresse a déjà été utilisée",
  "desktop.usedNext":
    "Une adresse de glim ouvre une page, une seule fois. Relancez glim pour en obtenir une nouvelle ; un glim déjà lancé continue.",
};
