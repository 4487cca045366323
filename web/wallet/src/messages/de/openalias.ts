import type { openalias as english } from "../en/openalias.js";
import type { Translated } from "../types.js";

export const openalias: Translated<typeof english> = {
  "openalias.about": "Zahle an Namen wie donate.example.org statt an Adressen. Aus, bis du einen Resolver wählst.",
  "openalias.accept": "Trotzdem an {name} zahlen. Ich habe die Adresse mit dem verglichen, was ich vom Empfänger habe.",
  "openalias.addressOf": "Adresse von {name}",
  "openalias.ambiguous": "{name} hat mehr als eine Monero-Adresse. Bitte den Empfänger um eine Adresse.",
  "openalias.invalid": "Der Resolver {resolver} hat für diesen Namen keine brauchbare Antwort gegeben.",
  "openalias.lookingUp": "{name} wird nachgeschlagen …",
  "openalias.notFound": "{name} hat keine Monero-Adresse dieses Netzwerks.",
  "openalias.notLookedUp":
    "Namen werden nicht nachgeschlagen. Wähle in den Einstellungen unter „OpenAlias-Namen“ einen Resolver, oder gib eine Adresse ein.",
  "openalias.notSigned": "{name} nennt keine Monero-Adresse dieses Netzwerks, die DNSSEC schützt.",
  "openalias.off": "Namen werden nicht mehr nachgeschlagen",
  "openalias.on": "Namen werden ab jetzt nachgeschlagen",
  "openalias.resolver": "Resolver (DNS über HTTPS)",
  "openalias.resolverLike": "Gib ihn ein wie https://dns.example/dns-query",
  "openalias.sees":
    "Der Resolver erfährt den Namen, den Zeitpunkt und deine IP-Adresse, aber nicht den Betrag. Wähle einen, dem du vertraust: Er könnte eine falsche Adresse nennen.",
  "openalias.title": "OpenAlias-Namen",
  "openalias.toHint": "Adresse, Zahlungslink oder Name",
  "openalias.turnOff": "Ohne Resolver werden Namen nicht nachgeschlagen.",
  "openalias.unreachable": "Der Resolver {resolver} ist nicht erreichbar oder lässt keine Anfragen dieser Seite zu.",
  "openalias.unsigned": "{name} ist nicht durch DNSSEC geschützt",
  "openalias.unsignedAbout": "Niemand bürgt für die Adresse: Sie kann unterwegs gefälscht worden sein.",
  "openalias.whenLeft": "Der Name wird nachgeschlagen, wenn du dieses Feld verlässt oder auf „Prüfen“ drückst.",
};
