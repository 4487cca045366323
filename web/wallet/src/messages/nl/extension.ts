import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Toestaan",
  "asked.connect": "Verbinden",
  "asked.connectAbout":
    "De site krijgt een nieuw subadres van de portemonnee {wallet}, alleen daarvoor gemaakt. De site kan je saldo, geschiedenis en andere adressen niet zien.",
  "asked.connectTitle": "Deze site verbinden?",
  "asked.final": "Een betaling kan niet ongedaan worden gemaakt.",
  "asked.linkRecipient": "Ontvanger, volgens de link",
  "asked.linkSays": "De link zegt",
  "asked.ownAddress": "Dat adres is van jou",
  "asked.ownAddressAbout":
    "De site kent dit adres niet, en het bewijs zou onthullen dat het van jou is. Weiger het verzoek.",
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
  "consent.makeFirst":
    "Deze site heeft je portemonnee een verzoek gestuurd. Maak of herstel er eerst een; het verzoek wacht hier zolang.",
  "consent.noWalletYet": "Je hebt nog geen portemonnee",
  "consent.notNow": "Niet nu",
  "consent.oneMoment": "Een ogenblik",
  "consent.otherNetworks":
    "Je portemonnees op andere netwerken staan hier niet. Kies het netwerk in de instellingen van glim.",
  "consent.passwordOf": "Wachtwoord van {name}",
  "consent.setUpWallet": "Portemonnee instellen",
  "consent.unlockFirst": "Deze site heeft een verzoek gestuurd. Ontgrendel je portemonnee om het te zien.",
  "consent.walletMissing":
    "Deze site is verbonden met de portemonnee {wallet} op {network}. Herstel die portemonnee onder dezelfde naam, of verbreek de verbinding en laat de site het opnieuw vragen.",
  "consent.walletMissingTitle": "De portemonnee van deze site is hier niet",
  "link.damaged":
    "Je hebt op deze site op een betaallink geklikt die onvolledig of beschadigd is. Vraag de site om een andere, of om haar adres.",
  "link.howMuch": "Hoeveel betalen?",
  "link.howMuchAbout": "Je hebt op deze site op een betaallink geklikt. Het bedrag bepaal je zelf.",
  "link.makeFirst":
    "Je hebt op deze site op een betaallink geklikt. Maak of herstel eerst een portemonnee; de betaling wacht hier zolang.",
  "link.otherNetwork":
    "Je hebt op deze site op een betaallink geklikt met een adres dat niet van {network} is, het netwerk van je portemonnee.",
  "link.sentAbout": "De site hoort niet van je portemonnee dat je hebt betaald. Ze ziet de betaling als die aankomt.",
  "link.title": "Betaallinks",
  "link.unlockFirst":
    "Je hebt op deze site op een betaallink geklikt. Ontgrendel je portemonnee om de betaling te zien.",
  "link.unusable": "Deze link kan niet worden betaald",
  "link.want": "Betaallinks van sites in deze portemonnee openen",
  "link.wantAbout":
    "Als je op een link klikt die met monero: begint, verschijnt de betaling in een venster van de portemonnee, waar je haar accepteert of weigert. De site hoort niet wat je kiest.",
  "names.alikeAbout": "De naam {name} lijkt op die van de verbonden site {other}.",
  "names.foreignAbout": "De naam is in een ander alfabet geschreven, met letters die er hetzelfde uitzien.",
  "names.insideAbout":
    "De naam {name} bevat die van de verbonden site {other}, maar het laatste deel van een naam bepaalt van wie hij is.",
  "names.isNot": "Deze site is niet {other}",
  "names.mixed": "De naam van deze site mengt alfabetten",
  "names.mixedAbout": "Browsers tonen hem misschien als {name}. Sommige letters lijken op die van een ander alfabet.",
  "names.nearAbout": "De naam {name} verschilt in één teken van die van de verbonden site {other}.",
  "sites.about":
    "Elke site kent één subadres, alleen daarvoor gemaakt, en mag je om betalingen, bewijzen en handtekeningen vragen. Er gebeurt niets zonder jouw toestemming.",
  "sites.connection": "Portemonnee {wallet}, {network}, sinds {date}",
  "sites.disconnect": "Verbinding verbreken",
  "sites.none": "Er is geen site verbonden.",
};
