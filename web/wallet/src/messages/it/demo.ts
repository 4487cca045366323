import type { demo as english } from "../en/demo.js";
import type { Translated } from "../types.js";

export const demo: Translated<typeof english> = {
  "demo.about":
    "La catena, il suo miner e l’altro portafoglio sono in questa pagina. Non viene interrogato alcun nodo, e il denaro non ha valore.",
  "demo.again": "Inizia una nuova demo",
  "demo.answering": "Confermato. {name} ne sta restituendo la metà.",
  "demo.ask": "Chiedi un pagamento",
  "demo.automatic": "Mina automaticamente quando qualcosa è in attesa",
  "demo.banner": "<b>Denaro finto.</b> {state}",
  "demo.begin": "Provalo con denaro finto",
  "demo.beginAbout":
    "Un portafoglio con un saldo e qualcuno da pagare, che ti paga a sua volta. Niente password, niente parole del seed, niente denaro vero.",
  "demo.end": "Termina la demo",
  "demo.endAbout": "Questo rimuove da questo browser la catena e i portafogli della demo. I tuoi portafogli restano.",
  "demo.endNow": "Termina e rimuovi",
  "demo.endTitle": "Termina",
  "demo.ended": "La demo è stata rimossa",
  "demo.failed": "La demo non si è avviata",
  "demo.footer": "Denaro finto: senza valore, e solo in questo browser.",
  "demo.idle": "Niente qui ha valore.",
  "demo.inPool": "Il pagamento è nel pool",
  "demo.making": "Si sta minando una catena di denaro finto in questa pagina",
  "demo.mineAbout":
    "Un blocco conferma ciò che è in attesa nel pool. Il denaro ricevuto si sblocca dopo dieci blocchi.",
  "demo.mineBlock": "Mina un blocco",
  "demo.mineBlocks": { one: "{count} blocco", other: "{count} blocchi" },
  "demo.more": "Altro da provare",
  "demo.noteAnswer": "{name}: grazie, eccone la metà indietro",
  "demo.noteCake": "Torta di compleanno, ordinata in anticipo",
  "demo.noteCoffee": "Due caffè e un cornetto",
  "demo.noteGift": "{name}: un regalo",
  "demo.noteRent": "Ada: la mia metà dell’affitto",
  "demo.noteStart": "Denaro finto per iniziare",
  "demo.noteTickets": "Rimborso dei biglietti del concerto",
  "demo.opening": "Apertura della demo",
  "demo.ownChain": "La demo ha una sua catena",
  "demo.ownChainAbout": "Funziona in questa pagina e non interroga alcun nodo. Per usare un nodo, termina la demo.",
  "demo.paid": "{name} vede il tuo pagamento nel pool. Un blocco lo conferma.",
  "demo.pay": "Paga {name}",
  "demo.payAbout":
    "Paga a {name} un importo qualsiasi e osserva: resta in attesa nel pool, un blocco lo conferma e la metà torna indietro.",
  "demo.payment": "Prova un pagamento",
  "demo.pool": "Un pagamento è in attesa nel pool. Un blocco lo conferma.",
  "demo.receive": "Ricevi un pagamento",
  "demo.receiveAbout": "{name} ti paga 0,75 XMR di denaro finto.",
  "demo.rent": "Affitto",
  "demo.stored": "La demo è salvata in questo browser",
  "demo.storedAbout":
    "La sua catena e i suoi portafogli restano finché non la termini. Sono separati dai tuoi portafogli.",
  "demo.title": "Demo",
  "demo.unlocking": {
    one: "Confermato. Il denaro si sblocca tra {count} blocco.",
    other: "Confermato. Il denaro si sblocca tra {count} blocchi.",
  },
};
