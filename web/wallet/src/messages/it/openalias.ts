import type { openalias as english } from "../en/openalias.js";
import type { Translated } from "../types.js";

export const openalias: Translated<typeof english> = {
  "openalias.about":
    "Paga nomi come donate.example.org al posto di indirizzi. Disattivato finché non scegli un resolver.",
  "openalias.accept": "Paga {name} lo stesso. Ho confrontato l’indirizzo con quello che mi ha dato il destinatario.",
  "openalias.addressOf": "Indirizzo di {name}",
  "openalias.ambiguous": "{name} ha più di un indirizzo Monero. Chiedi un indirizzo al destinatario.",
  "openalias.invalid": "Il resolver {resolver} non ha dato una risposta utilizzabile per questo nome.",
  "openalias.lookingUp": "Ricerca di {name}…",
  "openalias.notFound": "{name} non ha un indirizzo Monero di questa rete.",
  "openalias.notLookedUp":
    "I nomi non vengono cercati. Scegli un resolver nelle impostazioni, sotto «Nomi OpenAlias», o inserisci un indirizzo.",
  "openalias.notSigned": "{name} non dà un indirizzo Monero di questa rete protetto da DNSSEC.",
  "openalias.off": "I nomi non vengono più cercati",
  "openalias.on": "Da ora i nomi vengono cercati",
  "openalias.resolver": "Resolver (DNS su HTTPS)",
  "openalias.resolverLike": "Scrivilo così: https://dns.example/dns-query",
  "openalias.sees":
    "Il resolver viene a sapere il nome, l’ora e il tuo indirizzo IP, ma non l’importo. Scegline uno di cui ti fidi: potrebbe dare un indirizzo falso.",
  "openalias.title": "Nomi OpenAlias",
  "openalias.toHint": "Indirizzo, link di pagamento o nome",
  "openalias.turnOff": "Senza resolver i nomi non vengono cercati.",
  "openalias.unreachable": "Il resolver {resolver} non è raggiungibile, o non consente richieste da questa pagina.",
  "openalias.unsigned": "{name} non è protetto da DNSSEC",
  "openalias.unsignedAbout": "Nessuno garantisce per l’indirizzo: può essere stato falsificato lungo il percorso.",
  "openalias.whenLeft": "Il nome viene cercato quando esci da questo campo o premi «Controlla».",
};
