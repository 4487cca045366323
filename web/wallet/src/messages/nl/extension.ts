import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Toestaan",
  "asked.connect": "Verbinden",
  "asked.connectTitle": "Deze site verbinden?",
  "asked.final": "Een betaling kan niet ongedaan worden gemaakt.",
  "asked.ownAddress": "Dat adres is van jou",
  "asked.paidTo": "Betaald aan",
  "asked.payAmount": "{amount} XMR betalen",
  "asked.payTitle": "Dit bedrag betalen?",
  "asked.prove": "Bewijzen",
  "asked.proveAbout":
    "De site komt te weten dat jij deze betaling hebt gedaan en hoeveel er naar dit adres is betaald.",
  "asked.proveTitle": "Een betaling bewijzen?",
  "asked.scroll": "Scrol door het hele verzoek om door te gaan.",
  "asked.signAbout": "Het bericht wordt ondertekend met de sleutels van het subadres dat deze site kent.",
  "asked.signTitle": "Een bericht ondertekenen?",
  "asked.siteSays": "De site zegt",
  "asked.tooLittle": "De portemonnee bevat minder dan dit bedrag en de kosten. Ontvang eerst geld, of weiger.",
  "asked.walletNamed": "de portemonnee {name}",
  "consent.alreadyAnswered": "Dit verzoek is al beantwoord",
  "consent.notNow": "Niet nu",
  "consent.noWalletYet": "Je hebt nog geen portemonnee",
  "consent.oneMoment": "Een ogenblik",
  "consent.otherNetworks":
    "Je portemonnees op andere netwerken staan hier niet. Kies het netwerk in de instellingen van glim.",
  "consent.passwordOf": "Wachtwoord van {name}",
  "consent.setUpWallet": "Portemonnee instellen",
  "consent.unlockFirst": "Deze site heeft een verzoek gestuurd. Ontgrendel je portemonnee om het te zien.",
  "consent.walletMissingTitle": "De portemonnee van deze site is hier niet",
  "sites.connection": "Portemonnee {wallet}, {network}, sinds {date}",
  "sites.disconnect": "Verbinding verbreken",
  "sites.none": "Er is geen site verbonden.",
  "asked.connectAbout":
    "De site krijgt een nieuw subadres van de portemonnee {wallet}, alleen daarvoor gemaakt. De site kan je saldo, geschiedenis en andere adressen niet zien.",
  "asked.ownAddressAbout":
    "De site kent dit adres niet, en het bewijs zou onthullen dat het van jou is. Weiger het verzoek.",
  "consent.makeFirst":
    "Deze site heeft je portemonnee een verzoek gestuurd. Maak of herstel er eerst een; het verzoek wacht hier zolang.",
  "consent.walletMissing":
    "Deze site is verbonden met de portemonnee {wallet} op {network}. Herstel die portemonnee onder dezelfde naam, of verbreek de verbinding en laat de site het opnieuw vragen.",
  "sites.about":
    "Elke site kent één subadres, alleen daarvoor gemaakt, en mag je om betalingen, bewijzen en handtekeningen vragen. Er gebeurt niets zonder jouw toestemming.",
};
