import type { money as english } from "../en/money.js";
import type { Translated } from "../types.js";

export const money: Translated<typeof english> = {
  "error.chosenOutputs": "Les sorties choisies ne permettent pas ce paiement",
  "errorNext.chosenOutputs":
    "L’une d’elles est dépensée, gelée ou verrouillée, ou leur total ne suffit pas. Rien n’a été envoyé. Choisissez-en d’autres.",
  "outputs.about":
    "Les montants distincts qui composent votre argent. Une sortie gelée n’est pas dépensée tant que vous ne la dégelez pas.",
  "outputs.all": "Toutes",
  "outputs.atBlock": "bloc {height}",
  "outputs.choose": "Choisir les sorties",
  "outputs.chooseAbout":
    "Le paiement ne dépense que celles-ci. Des sorties dépensées ensemble peuvent être reliées entre elles.",
  "outputs.chosen": { one: "{count} sortie choisie", other: "{count} sorties choisies" },
  "outputs.chosenHold": "Les sorties choisies contiennent {amount} XMR.",
  "outputs.empty": "Pas encore de sorties",
  "outputs.emptyAbout": "Chaque paiement reçu en ajoute une.",
  "outputs.everything": "Envoyer tout le contenu des sorties choisies, moins les frais",
  "outputs.exchange": "Échanger des messages avec les autres signataires",
  "outputs.freeze": "Geler",
  "outputs.frozen": "Gelée",
  "outputs.gone": "Certaines des sorties choisies ne peuvent plus être dépensées. Choisissez à nouveau les sorties.",
  "outputs.isFrozen": "Sortie gelée",
  "outputs.isThawed": "Sortie dégelée",
  "outputs.largest": "Les plus grandes d’abord",
  "outputs.locked": "Verrouillé",
  "outputs.lockedBlocks": {
    one: "Verrouillée pendant {count} bloc, environ {duration}",
    other: "Verrouillée pendant {count} blocs, environ {duration}",
  },
  "outputs.lockedUntil": "Verrouillée jusqu’au {date}",
  "outputs.more": "Afficher plus",
  "outputs.newest": "Les plus récentes d’abord",
  "outputs.noneFree": "Aucune sortie ne peut être dépensée maintenant",
  "outputs.noneChosen": "Aucune",
  "outputs.order": "Ordre",
  "outputs.seeAll": "Voir toutes les sorties",
  "outputs.spendsAny": "Dépense n’importe quelles sorties",
  "outputs.spendsOnly": "Dépense uniquement",
  "outputs.thaw": "Dégeler",
  "outputs.title": "Sorties",
  "outputs.tooMuch": "C’est plus que ce que contiennent les sorties choisies.",
  "outputs.unknown": "Image de clé inconnue",
  "outputs.unknownAbout": "On ignore si ces sorties sont dépensées, et elles ne peuvent être ni gelées ni choisies.",
  "outputs.unknownTitle": "Certaines images de clé sont inconnues",
  "outputs.useAny": "Utiliser n’importe quelles sorties",
  "outputs.useThese": "Utiliser ces sorties",
};
