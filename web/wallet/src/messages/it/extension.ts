import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Consenti",
  "asked.connect": "Connetti",
  "asked.connectTitle": "Connettere questo sito?",
  "asked.final": "Un pagamento non si può annullare.",
  "asked.ownAddress": "Quell’indirizzo è tuo",
  "asked.paidTo": "Pagato a",
  "asked.payAmount": "Paga {amount} XMR",
  "asked.payTitle": "Pagare questo importo?",
  "asked.prove": "Provalo",
  "asked.proveAbout": "Il sito saprà che hai fatto questo pagamento e quanto ha pagato a questo indirizzo.",
  "asked.proveTitle": "Provare un pagamento?",
  "asked.scroll": "Scorri tutta la richiesta per continuare.",
  "asked.signAbout": "Il messaggio viene firmato con le chiavi del sottoindirizzo che questo sito conosce.",
  "asked.signTitle": "Firmare un messaggio?",
  "asked.siteSays": "Il sito dice",
  "asked.tooLittle":
    "Il portafoglio ha meno di questo importo più la commissione. Prima ricevi denaro, oppure rifiuta.",
  "asked.walletNamed": "il portafoglio {name}",
  "consent.alreadyAnswered": "A questa richiesta è già stata data risposta",
  "consent.notNow": "Non ora",
  "consent.noWalletYet": "Non hai ancora un portafoglio",
  "consent.oneMoment": "Un momento",
  "consent.otherNetworks":
    "I tuoi portafogli su altre reti non sono mostrati qui. Scegli la rete nelle impostazioni di glim.",
  "consent.passwordOf": "Password di {name}",
  "consent.setUpWallet": "Configura un portafoglio",
  "consent.unlockFirst": "Questo sito ha inviato una richiesta. Sblocca il portafoglio per vederla.",
  "consent.walletMissingTitle": "Il portafoglio di questo sito non è qui",
  "sites.connection": "Portafoglio {wallet}, {network}, dal {date}",
  "sites.disconnect": "Disconnetti",
  "sites.none": "Nessun sito è connesso.",
  "asked.connectAbout":
    "Il sito riceve un nuovo sottoindirizzo del portafoglio {wallet}, creato solo per lui. Non può vedere il tuo saldo, la tua cronologia o gli altri tuoi indirizzi.",
  "asked.ownAddressAbout":
    "Il sito non conosce questo indirizzo, e la prova rivelerebbe che è tuo. Rifiuta la richiesta.",
  "consent.makeFirst":
    "Questo sito ha inviato una richiesta al tuo portafoglio. Prima creane o ripristinane uno; intanto la richiesta aspetta qui.",
  "consent.walletMissing":
    "Questo sito è connesso al portafoglio {wallet} su {network}. Ripristina quel portafoglio con lo stesso nome, o disconnetti il sito e lascia che chieda di nuovo.",
  "sites.about":
    "Ogni sito conosce un sottoindirizzo, creato solo per lui, e può chiederti pagamenti, prove e firme. Niente accade senza il tuo consenso.",
};
