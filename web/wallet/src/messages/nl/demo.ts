import type { demo as english } from "../en/demo.js";
import type { Translated } from "../types.js";

export const demo: Translated<typeof english> = {
  "demo.about":
    "De keten, de miner en de andere portemonnee zitten in deze pagina. Er wordt geen node gevraagd en het geld is waardeloos.",
  "demo.again": "Nieuwe demo starten",
  "demo.answering": "Bevestigd. {name} betaalt de helft terug.",
  "demo.ask": "Om een betaling vragen",
  "demo.automatic": "Automatisch delven als er iets wacht",
  "demo.banner": "<b>Speelgeld.</b> {state}",
  "demo.begin": "Probeer het met speelgeld",
  "demo.beginAbout":
    "Een portemonnee met saldo, en iemand om te betalen die terugbetaalt. Geen wachtwoord, geen herstelwoorden, geen echt geld.",
  "demo.end": "Demo beëindigen",
  "demo.endAbout":
    "Dit verwijdert de keten en de portemonnees van de demo uit deze browser. Je eigen portemonnees blijven.",
  "demo.endNow": "Beëindigen en verwijderen",
  "demo.endTitle": "Beëindigen",
  "demo.ended": "De demo is verwijderd",
  "demo.failed": "De demo is niet gestart",
  "demo.footer": "Speelgeld: waardeloos, en alleen in deze browser.",
  "demo.idle": "Niets hier is iets waard.",
  "demo.inPool": "De betaling zit in de pool",
  "demo.making": "In deze pagina wordt een keten met speelgeld gedolven",
  "demo.mineAbout": "Een blok bevestigt wat er in de pool wacht. Ontvangen geld komt na tien blokken vrij.",
  "demo.mineBlock": "Een blok delven",
  "demo.mineBlocks": { one: "{count} blok", other: "{count} blokken" },
  "demo.more": "Meer om te proberen",
  "demo.noteAnswer": "{name}: bedankt, hier is de helft terug",
  "demo.noteCake": "Verjaardagstaart, vooraf besteld",
  "demo.noteCoffee": "Twee koffie en een croissant",
  "demo.noteGift": "{name}: een cadeau",
  "demo.noteRent": "Ada: mijn helft van de huur",
  "demo.noteStart": "Speelgeld om mee te beginnen",
  "demo.noteTickets": "Terugbetaling van de concertkaartjes",
  "demo.opening": "De demo wordt geopend",
  "demo.ownChain": "De demo heeft een eigen keten",
  "demo.ownChainAbout": "Die draait in deze pagina en vraagt geen node. Beëindig de demo om een node te gebruiken.",
  "demo.paid": "{name} ziet je betaling in de pool. Een blok bevestigt die.",
  "demo.pay": "{name} betalen",
  "demo.payAbout":
    "Betaal {name} een willekeurig bedrag en kijk: het wacht in de pool, een blok bevestigt het en de helft komt terug.",
  "demo.payment": "Probeer een betaling",
  "demo.pool": "Er wacht een betaling in de pool. Een blok bevestigt die.",
  "demo.receive": "Betaald worden",
  "demo.receiveAbout": "{name} betaalt je 0,75 XMR speelgeld.",
  "demo.rent": "Huur",
  "demo.stored": "De demo is opgeslagen in deze browser",
  "demo.storedAbout":
    "De keten en de portemonnees blijven tot je de demo beëindigt. Ze staan los van je eigen portemonnees.",
  "demo.title": "Demo",
  "demo.unlocking": {
    one: "Bevestigd. Het geld komt over {count} blok vrij.",
    other: "Bevestigd. Het geld komt over {count} blokken vrij.",
  },
};
