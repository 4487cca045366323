import type { money as english } from "../en/money.js";
import type { Translated } from "../types.js";

export const money: Translated<typeof english> = {
  "error.chosenOutputs": "De gekozen outputs volstaan niet voor deze betaling",
  "errorNext.chosenOutputs":
    "Een ervan is uitgegeven, bevroren of vergrendeld, of samen zijn ze te weinig. Er is niets verstuurd. Kies andere.",
  "outputs.about":
    "De losse bedragen waaruit je geld bestaat. Een bevroren output wordt niet uitgegeven totdat je hem ontdooit.",
  "outputs.all": "Alle",
  "outputs.atBlock": "blok {height}",
  "outputs.choose": "Outputs kiezen",
  "outputs.chooseAbout":
    "De betaling geeft alleen deze uit. Outputs die samen worden uitgegeven, kunnen met elkaar in verband worden gebracht.",
  "outputs.chosen": { one: "{count} output gekozen", other: "{count} outputs gekozen" },
  "outputs.chosenHold": "De gekozen outputs bevatten {amount} XMR.",
  "outputs.empty": "Nog geen outputs",
  "outputs.emptyAbout": "Elke betaling die je ontvangt, voegt er een toe.",
  "outputs.everything": "Alles in de gekozen outputs versturen, min de kosten",
  "outputs.exchange": "Berichten uitwisselen met de andere ondertekenaars",
  "outputs.freeze": "Bevriezen",
  "outputs.frozen": "Bevroren",
  "outputs.gone": "Niet alle gekozen outputs kunnen nog worden uitgegeven. Kies de outputs opnieuw.",
  "outputs.isFrozen": "Output bevroren",
  "outputs.isThawed": "Output ontdooid",
  "outputs.largest": "Grootste eerst",
  "outputs.locked": "Vergrendeld",
  "outputs.lockedBlocks": {
    one: "Nog {count} blok vergrendeld, ongeveer {duration}",
    other: "Nog {count} blokken vergrendeld, ongeveer {duration}",
  },
  "outputs.lockedUntil": "Vergrendeld tot {date}",
  "outputs.more": "Meer tonen",
  "outputs.newest": "Nieuwste eerst",
  "outputs.noneFree": "Er kan nu geen output worden uitgegeven",
  "outputs.noneChosen": "Geen",
  "outputs.order": "Volgorde",
  "outputs.seeAll": "Alle outputs bekijken",
  "outputs.spendsAny": "Geeft willekeurige outputs uit",
  "outputs.spendsOnly": "Geeft alleen uit",
  "outputs.thaw": "Ontdooien",
  "outputs.title": "Outputs",
  "outputs.tooMuch": "Dit is meer dan de gekozen outputs bevatten.",
  "outputs.unknown": "Key-image onbekend",
  "outputs.unknownAbout": "Of deze outputs zijn uitgegeven is onbekend; ze kunnen niet worden bevroren of gekozen.",
  "outputs.unknownTitle": "Sommige key-images zijn onbekend",
  "outputs.useAny": "Willekeurige outputs gebruiken",
  "outputs.useThese": "Deze outputs gebruiken",
};
