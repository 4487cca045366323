import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Consenti",
  "asked.connect": "Connetti",
  "asked.connectAbout":
    "Il sito riceve un nuovo sottoindirizzo del portafoglio {wallet}, creato solo per lui. Non può vedere il tuo saldo, la tua cronologia o gli altri tuoi indirizzi.",
  "asked.connectTitle": "Connettere questo sito?",
  "asked.final": "Un pagamento non si può annullare.",
  "asked.linkRecipient": "Destinatario, secondo il link",
  "asked.linkSays": "Il link dice",
  "asked.ownAddress": "Quell’indirizzo è tuo",
  "asked.ownAddressAbout":
    "Il sito non conosce questo indirizzo, e la prova rivelerebbe che è tuo. Rifiuta la richiesta.",
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
  "consent.makeFirst":
    "Questo sito ha inviato una richiesta al tuo portafoglio. Prima creane o ripristinane uno; intanto la richiesta aspetta qui.",
  "consent.noWalletYet": "Non hai ancora un portafoglio",
  "consent.notNow": "Non ora",
  "consent.oneMoment": "Un momento",
  "consent.otherNetworks":
    "I tuoi portafogli su altre reti non sono mostrati qui. Scegli la rete nelle impostazioni di glim.",
  "consent.passwordOf": "Password di {name}",
  "consent.setUpWallet": "Configura un portafoglio",
  "consent.unlockFirst": "Questo sito ha inviato una richiesta. Sblocca il portafoglio per vederla.",
  "consent.walletMissing":
    "Questo sito è connesso al portafoglio {wallet} su {network}. Ripristina quel portafoglio con lo stesso nome, o disconnetti il sito e lascia che chieda di nuovo.",
  "consent.walletMissingTitle": "Il portafoglio di questo sito non è qui",
  "link.damaged":
    "Hai premuto su questo sito un link di pagamento incompleto o danneggiato. Chiedi al sito un altro link o il suo indirizzo.",
  "link.howMuch": "Quanto vuoi pagare?",
  "link.howMuchAbout": "Hai premuto un link di pagamento su questo sito. L’importo lo scegli tu.",
  "link.makeFirst":
    "Hai premuto un link di pagamento su questo sito. Prima crea o ripristina un portafoglio; intanto il pagamento aspetta qui.",
  "link.otherNetwork":
    "Hai premuto su questo sito un link di pagamento il cui indirizzo non è di {network}, la rete del tuo portafoglio.",
  "link.sentAbout": "Il sito non viene a sapere dal tuo portafoglio che hai pagato. Vedrà il pagamento quando arriva.",
  "link.title": "Link di pagamento",
  "link.unlockFirst":
    "Hai premuto un link di pagamento su questo sito. Sblocca il portafoglio per vedere il pagamento.",
  "link.unusable": "Questo link non si può pagare",
  "link.want": "Apri in questo portafoglio i link di pagamento dei siti",
  "link.wantAbout":
    "Quando premi un link che inizia con monero:, il pagamento appare in una finestra del portafoglio, dove lo accetti o lo rifiuti. Il sito non viene a sapere la tua scelta.",
  "names.alikeAbout": "Il suo nome, {name}, somiglia a quello del sito connesso {other}.",
  "names.foreignAbout": "Il suo nome è scritto in un altro alfabeto, con lettere che sembrano uguali.",
  "names.insideAbout":
    "Il suo nome, {name}, contiene quello del sito connesso {other}, ma è l’ultima parte di un nome a dire di chi è.",
  "names.isNot": "Questo sito non è {other}",
  "names.mixed": "Il nome di questo sito mescola alfabeti",
  "names.mixedAbout":
    "I browser possono mostrarlo come {name}. Alcune delle sue lettere somigliano a quelle di un altro alfabeto.",
  "names.nearAbout": "Il suo nome, {name}, differisce di un carattere da quello del sito connesso {other}.",
  "sites.about":
    "Ogni sito conosce un sottoindirizzo, creato solo per lui, e può chiederti pagamenti, prove e firme. Niente accade senza il tuo consenso.",
  "sites.connection": "Portafoglio {wallet}, {network}, dal {date}",
  "sites.disconnect": "Disconnetti",
  "sites.none": "Nessun sito è connesso.",
};
