import type { openalias as english } from "../en/openalias.js";
import type { Translated } from "../types.js";

export const openalias: Translated<typeof english> = {
  "openalias.about":
    "Paga a nombres como donate.example.org en lugar de direcciones. Desactivado hasta que elijas un servidor DNS.",
  "openalias.accept": "Pagar a {name} de todos modos. He comparado la dirección con la que me dio el destinatario.",
  "openalias.addressOf": "Dirección de {name}",
  "openalias.ambiguous": "{name} tiene más de una dirección de Monero. Pide una dirección al destinatario.",
  "openalias.invalid": "El servidor DNS {resolver} no dio una respuesta utilizable para este nombre.",
  "openalias.lookingUp": "Buscando {name}…",
  "openalias.notFound": "{name} no tiene ninguna dirección de Monero de esta red.",
  "openalias.notLookedUp":
    "Los nombres no se buscan. Elige un servidor DNS en Ajustes, en «Nombres OpenAlias», o escribe una dirección.",
  "openalias.notSigned": "{name} no da ninguna dirección de Monero de esta red protegida por DNSSEC.",
  "openalias.off": "Los nombres ya no se buscan",
  "openalias.on": "A partir de ahora se buscan los nombres",
  "openalias.resolver": "Servidor DNS (DNS sobre HTTPS)",
  "openalias.resolverLike": "Escríbelo así: https://dns.example/dns-query",
  "openalias.sees":
    "El servidor DNS conoce el nombre, la hora y tu dirección IP, pero no la cantidad. Elige uno de confianza: podría dar una dirección falsa.",
  "openalias.title": "Nombres OpenAlias",
  "openalias.toHint": "Dirección, enlace de pago o nombre",
  "openalias.turnOff": "Sin servidor DNS, los nombres no se buscan.",
  "openalias.unreachable":
    "No se puede contactar con el servidor DNS {resolver}, o no permite consultas de esta página.",
  "openalias.unsigned": "{name} no está protegido con DNSSEC",
  "openalias.unsignedAbout": "Nadie responde por la dirección: pueden haberla falsificado por el camino.",
  "openalias.whenLeft": "El nombre se busca cuando sales de este campo o pulsas «Revisar».",
};
