import type { demo as english } from "../en/demo.js";
import type { Translated } from "../types.js";

export const demo: Translated<typeof english> = {
  "demo.about":
    "Die Blockchain, ihr Miner und die andere Wallet sind auf dieser Seite. Kein Node wird gefragt, und das Geld ist wertlos.",
  "demo.again": "Neue Demo starten",
  "demo.answering": "Bestätigt. {name} zahlt gerade die Hälfte zurück.",
  "demo.ask": "Um eine Zahlung bitten",
  "demo.automatic": "Automatisch schürfen, wenn etwas wartet",
  "demo.banner": "<b>Spielgeld.</b> {state}",
  "demo.begin": "Mit Spielgeld ausprobieren",
  "demo.beginAbout":
    "Eine Wallet mit Guthaben und jemand zum Bezahlen, der zurückzahlt. Kein Passwort, keine Seed-Wörter, kein echtes Geld.",
  "demo.end": "Demo beenden",
  "demo.endAbout":
    "Das entfernt die Blockchain und die Wallets der Demo aus diesem Browser. Deine eigenen Wallets bleiben.",
  "demo.endNow": "Beenden und entfernen",
  "demo.endTitle": "Beenden",
  "demo.ended": "Die Demo ist entfernt",
  "demo.failed": "Die Demo ist nicht gestartet",
  "demo.footer": "Spielgeld: wertlos und nur in diesem Browser.",
  "demo.idle": "Nichts hier ist etwas wert.",
  "demo.inPool": "Die Zahlung ist im Pool",
  "demo.making": "Auf dieser Seite entsteht eine Blockchain mit Spielgeld",
  "demo.mineAbout": "Ein Block bestätigt, was im Pool wartet. Erhaltenes Geld wird nach zehn Blöcken frei.",
  "demo.mineBlock": "Block schürfen",
  "demo.mineBlocks": { one: "{count} Block", other: "{count} Blöcke" },
  "demo.more": "Mehr ausprobieren",
  "demo.noteAnswer": "{name}: Danke, hier ist die Hälfte zurück",
  "demo.noteCake": "Geburtstagstorte, vorbestellt",
  "demo.noteCoffee": "Zwei Kaffee und ein Croissant",
  "demo.noteGift": "{name}: ein Geschenk",
  "demo.noteRent": "Ada: meine Hälfte der Miete",
  "demo.noteStart": "Spielgeld für den Anfang",
  "demo.noteTickets": "Erstattung der Konzertkarten",
  "demo.opening": "Demo wird geöffnet",
  "demo.ownChain": "Die Demo hat ihre eigene Blockchain",
  "demo.ownChainAbout": "Sie läuft auf dieser Seite und fragt keinen Node. Um einen Node zu benutzen, beende die Demo.",
  "demo.paid": "{name} sieht deine Zahlung im Pool. Ein Block bestätigt sie.",
  "demo.pay": "{name} bezahlen",
  "demo.payAbout":
    "Zahle an {name} einen beliebigen Betrag und sieh zu: Er wartet im Pool, ein Block bestätigt ihn, und die Hälfte kommt zurück.",
  "demo.payment": "Zahlung ausprobieren",
  "demo.pool": "Eine Zahlung wartet im Pool. Ein Block bestätigt sie.",
  "demo.receive": "Geld erhalten",
  "demo.receiveAbout": "{name} zahlt dir 0,75 XMR Spielgeld.",
  "demo.rent": "Miete",
  "demo.stored": "Die Demo ist in diesem Browser gespeichert",
  "demo.storedAbout":
    "Ihre Blockchain und ihre Wallets bleiben, bis du sie beendest. Sie sind von deinen eigenen Wallets getrennt.",
  "demo.title": "Demo",
  "demo.unlocking": {
    one: "Bestätigt. Das Geld wird in {count} Block frei.",
    other: "Bestätigt. Das Geld wird in {count} Blöcken frei.",
  },
};
