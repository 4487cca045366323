import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Erlauben",
  "asked.connect": "Verbinden",
  "asked.connectTitle": "Diese Website verbinden?",
  "asked.final": "Eine Zahlung kann nicht rückgängig gemacht werden.",
  "asked.ownAddress": "Das ist deine eigene Adresse",
  "asked.paidTo": "Bezahlt an",
  "asked.payAmount": "{amount} XMR zahlen",
  "asked.payTitle": "Diesen Betrag zahlen?",
  "asked.prove": "Nachweisen",
  "asked.proveAbout":
    "Die Website erfährt, dass du diese Zahlung gemacht hast und wie viel sie an diese Adresse gezahlt hat.",
  "asked.proveTitle": "Eine Zahlung nachweisen?",
  "asked.scroll": "Scrolle durch die ganze Anfrage, um fortzufahren.",
  "asked.signAbout": "Die Nachricht wird mit den Schlüsseln der Subadresse signiert, die diese Website kennt.",
  "asked.signTitle": "Eine Nachricht signieren?",
  "asked.siteSays": "Die Website sagt",
  "asked.tooLittle": "Die Wallet hat weniger als diesen Betrag und die Gebühr. Empfange zuerst Geld oder lehne ab.",
  "asked.walletNamed": "der Wallet {name}",
  "consent.alreadyAnswered": "Diese Anfrage wurde schon beantwortet",
  "consent.notNow": "Nicht jetzt",
  "consent.noWalletYet": "Du hast noch keine Wallet",
  "consent.oneMoment": "Einen Moment",
  "consent.otherNetworks":
    "Deine Wallets in anderen Netzwerken werden hier nicht angezeigt. Wähle das Netzwerk in den Einstellungen von glim.",
  "consent.passwordOf": "Passwort von {name}",
  "consent.setUpWallet": "Wallet einrichten",
  "consent.unlockFirst": "Diese Website hat eine Anfrage gesendet. Entsperre deine Wallet, um sie zu sehen.",
  "consent.walletMissingTitle": "Die Wallet dieser Website ist nicht hier",
  "sites.connection": "Wallet {wallet}, {network}, seit {date}",
  "sites.disconnect": "Trennen",
  "sites.none": "Keine Website ist verbunden.",
  "asked.connectAbout":
    "Die Website erhält eine neue Subadresse der Wallet {wallet}, nur für sie erstellt. Sie sieht weder dein Guthaben noch deinen Verlauf oder deine anderen Adressen.",
  "asked.ownAddressAbout":
    "Die Website kennt diese Adresse nicht, und der Nachweis würde verraten, dass sie dir gehört. Lehne die Anfrage ab.",
  "consent.makeFirst":
    "Diese Website hat eine Anfrage an deine Wallet gesendet. Erstelle zuerst eine oder stelle eine wieder her; die Anfrage wartet solange hier.",
  "consent.walletMissing":
    "Diese Website ist mit der Wallet {wallet} im {network} verbunden. Stelle diese Wallet unter demselben Namen wieder her, oder trenne die Website und lass sie noch einmal fragen.",
  "sites.about":
    "Jede Website kennt eine Subadresse, nur für sie erstellt, und darf dich um Zahlungen, Nachweise und Signaturen bitten. Nichts geschieht ohne deine Zustimmung.",
};
