import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Erlauben",
  "asked.connect": "Verbinden",
  "asked.connectAbout":
    "Die Website erhält eine neue Subadresse der Wallet {wallet}, nur für sie erstellt. Sie sieht weder dein Guthaben noch deinen Verlauf oder deine anderen Adressen.",
  "asked.connectTitle": "Diese Website verbinden?",
  "asked.final": "Eine Zahlung kann nicht rückgängig gemacht werden.",
  "asked.linkRecipient": "Empfänger, laut Link",
  "asked.linkSays": "Der Link sagt",
  "asked.ownAddress": "Das ist deine eigene Adresse",
  "asked.ownAddressAbout":
    "Die Website kennt diese Adresse nicht, und der Nachweis würde verraten, dass sie dir gehört. Lehne die Anfrage ab.",
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
  "consent.makeFirst":
    "Diese Website hat eine Anfrage an deine Wallet gesendet. Erstelle zuerst eine oder stelle eine wieder her; die Anfrage wartet solange hier.",
  "consent.noWalletYet": "Du hast noch keine Wallet",
  "consent.notNow": "Nicht jetzt",
  "consent.oneMoment": "Einen Moment",
  "consent.otherNetworks":
    "Deine Wallets in anderen Netzwerken werden hier nicht angezeigt. Wähle das Netzwerk in den Einstellungen von glim.",
  "consent.passwordOf": "Passwort von {name}",
  "consent.setUpWallet": "Wallet einrichten",
  "consent.unlockFirst": "Diese Website hat eine Anfrage gesendet. Entsperre deine Wallet, um sie zu sehen.",
  "consent.walletMissing":
    "Diese Website ist mit der Wallet {wallet} im {network} verbunden. Stelle diese Wallet unter demselben Namen wieder her, oder trenne die Website und lass sie noch einmal fragen.",
  "consent.walletMissingTitle": "Die Wallet dieser Website ist nicht hier",
  "link.damaged":
    "Du hast auf dieser Website auf einen Zahlungslink geklickt, der unvollständig oder beschädigt ist. Bitte die Website um einen anderen oder um ihre Adresse.",
  "link.howMuch": "Wie viel zahlen?",
  "link.howMuchAbout": "Du hast auf dieser Website auf einen Zahlungslink geklickt. Er überlässt dir den Betrag.",
  "link.makeFirst":
    "Du hast auf dieser Website auf einen Zahlungslink geklickt. Erstelle zuerst eine Wallet oder stelle eine wieder her; die Zahlung wartet so lange hier.",
  "link.otherNetwork":
    "Du hast auf dieser Website auf einen Zahlungslink geklickt, dessen Adresse nicht zu {network} gehört, dem Netzwerk deiner Wallet.",
  "link.sentAbout":
    "Die Website erfährt von deiner Wallet nicht, dass du gezahlt hast. Sie sieht die Zahlung, wenn sie ankommt.",
  "link.title": "Zahlungslinks",
  "link.unlockFirst":
    "Du hast auf dieser Website auf einen Zahlungslink geklickt. Entsperre deine Wallet, um die Zahlung zu sehen.",
  "link.unusable": "Dieser Link kann nicht bezahlt werden",
  "link.want": "Zahlungslinks von Websites in dieser Wallet öffnen",
  "link.wantAbout":
    "Wenn du auf einen Link klickst, der mit monero: beginnt, erscheint die Zahlung in einem Fenster der Wallet, in dem du sie annimmst oder ablehnst. Die Website erfährt nicht, was du tust.",
  "names.alikeAbout": "Ihr Name, {name}, sieht aus wie der der verbundenen Website {other}.",
  "names.foreignAbout": "Ihr Name ist in einem anderen Alphabet geschrieben, mit Buchstaben, die genauso aussehen.",
  "names.insideAbout":
    "Ihr Name, {name}, enthält den der verbundenen Website {other}, aber der letzte Teil eines Namens entscheidet, wem er gehört.",
  "names.isNot": "Diese Website ist nicht {other}",
  "names.mixed": "Der Name dieser Website mischt Alphabete",
  "names.mixedAbout":
    "Browser zeigen ihn vielleicht als {name}. Einige seiner Buchstaben sehen aus wie die eines anderen Alphabets.",
  "names.nearAbout": "Ihr Name, {name}, unterscheidet sich von dem der verbundenen Website {other} in einem Zeichen.",
  "sites.about":
    "Jede Website kennt eine Subadresse, nur für sie erstellt, und darf dich um Zahlungen, Nachweise und Signaturen bitten. Nichts geschieht ohne deine Zustimmung.",
  "sites.connection": "Wallet {wallet}, {network}, seit {date}",
  "sites.disconnect": "Trennen",
  "sites.none": "Keine Website ist verbunden.",
};
