import type { money as english } from "../en/money.js";
import type { Translated } from "../types.js";

export const money: Translated<typeof english> = {
  "error.chosenOutputs": "Die gewählten Outputs reichen für diese Zahlung nicht",
  "errorNext.chosenOutputs":
    "Einer von ihnen ist ausgegeben, eingefroren oder gesperrt, oder zusammen sind sie zu wenig. Es wurde nichts gesendet. Wähle andere.",
  "outputs.about":
    "Die einzelnen Beträge, aus denen dein Geld besteht. Ein eingefrorener Output wird nicht ausgegeben, bis du ihn auftaust.",
  "outputs.all": "Alle",
  "outputs.atBlock": "Block {height}",
  "outputs.choose": "Outputs wählen",
  "outputs.chooseAbout":
    "Die Zahlung gibt nur diese aus. Outputs, die zusammen ausgegeben werden, lassen sich miteinander verknüpfen.",
  "outputs.chosen": { one: "{count} Output gewählt", other: "{count} Outputs gewählt" },
  "outputs.chosenHold": "Die gewählten Outputs enthalten {amount} XMR.",
  "outputs.empty": "Noch keine Outputs",
  "outputs.emptyAbout": "Jede Zahlung, die du erhältst, fügt einen hinzu.",
  "outputs.everything": "Alles in den gewählten Outputs senden, abzüglich der Gebühr",
  "outputs.exchange": "Nachrichten mit den anderen Unterzeichnern austauschen",
  "outputs.freeze": "Einfrieren",
  "outputs.frozen": "Eingefroren",
  "outputs.gone": "Nicht alle gewählten Outputs können noch ausgegeben werden. Wähle die Outputs neu.",
  "outputs.isFrozen": "Output eingefroren",
  "outputs.isThawed": "Output aufgetaut",
  "outputs.largest": "Größte zuerst",
  "outputs.locked": "Gesperrt",
  "outputs.lockedBlocks": {
    one: "Noch {count} Block gesperrt, etwa {duration}",
    other: "Noch {count} Blöcke gesperrt, etwa {duration}",
  },
  "outputs.lockedUntil": "Gesperrt bis {date}",
  "outputs.more": "Mehr anzeigen",
  "outputs.newest": "Neueste zuerst",
  "outputs.noneFree": "Zurzeit kann kein Output ausgegeben werden",
  "outputs.noneChosen": "Keine",
  "outputs.order": "Reihenfolge",
  "outputs.seeAll": "Alle Outputs ansehen",
  "outputs.spendsAny": "Gibt beliebige Outputs aus",
  "outputs.spendsOnly": "Gibt nur aus",
  "outputs.thaw": "Auftauen",
  "outputs.title": "Outputs",
  "outputs.tooMuch": "Das ist mehr, als die gewählten Outputs enthalten.",
  "outputs.unknown": "Schlüsselbild unbekannt",
  "outputs.unknownAbout":
    "Ob diese Outputs ausgegeben sind, ist unbekannt. Sie können weder eingefroren noch gewählt werden.",
  "outputs.unknownTitle": "Einige Schlüsselbilder sind unbekannt",
  "outputs.useAny": "Beliebige Outputs verwenden",
  "outputs.useThese": "Diese Outputs verwenden",
};
