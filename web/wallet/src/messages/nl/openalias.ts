import type { openalias as english } from "../en/openalias.js";
import type { Translated } from "../types.js";

export const openalias: Translated<typeof english> = {
  "openalias.about":
    "Betaal aan namen zoals donate.example.org in plaats van adressen. Uit totdat je een resolver kiest.",
  "openalias.accept": "Toch aan {name} betalen. Ik heb het adres vergeleken met wat de ontvanger me gaf.",
  "openalias.addressOf": "Adres van {name}",
  "openalias.ambiguous": "{name} heeft meer dan één Monero-adres. Vraag de ontvanger om een adres.",
  "openalias.invalid": "De resolver {resolver} gaf geen bruikbaar antwoord voor deze naam.",
  "openalias.lookingUp": "{name} wordt opgezocht…",
  "openalias.notFound": "{name} heeft geen Monero-adres van dit netwerk.",
  "openalias.notLookedUp":
    "Namen worden niet opgezocht. Kies een resolver in Instellingen, onder ‘OpenAlias-namen’, of vul een adres in.",
  "openalias.notSigned": "{name} geeft geen Monero-adres van dit netwerk dat door DNSSEC wordt beschermd.",
  "openalias.off": "Namen worden niet meer opgezocht",
  "openalias.on": "Namen worden vanaf nu opgezocht",
  "openalias.resolver": "Resolver (DNS via HTTPS)",
  "openalias.resolverLike": "Typ hem zo: https://dns.example/dns-query",
  "openalias.sees":
    "De resolver krijgt de naam, het tijdstip en je IP-adres te zien, maar niet het bedrag. Kies er een die je vertrouwt: hij kan een vals adres geven.",
  "openalias.title": "OpenAlias-namen",
  "openalias.toHint": "Adres, betaallink of naam",
  "openalias.turnOff": "Zonder resolver worden namen niet opgezocht.",
  "openalias.unreachable": "De resolver {resolver} is niet bereikbaar, of staat geen vragen van deze pagina toe.",
  "openalias.unsigned": "{name} is niet beveiligd met DNSSEC",
  "openalias.unsignedAbout": "Niemand staat in voor het adres: het kan onderweg vervalst zijn.",
  "openalias.whenLeft": "De naam wordt opgezocht als je dit veld verlaat of op ‘Controleren’ drukt.",
};
