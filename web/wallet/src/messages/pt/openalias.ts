import type { openalias as english } from "../en/openalias.js";
import type { Translated } from "../types.js";

export const openalias: Translated<typeof english> = {
  "openalias.about":
    "Pague a nomes como donate.example.org em vez de endereços. Desativado até você escolher um servidor DNS.",
  "openalias.accept": "Pagar a {name} mesmo assim. Comparei o endereço com o que o destinatário me deu.",
  "openalias.addressOf": "Endereço de {name}",
  "openalias.ambiguous": "{name} tem mais de um endereço Monero. Peça um endereço ao destinatário.",
  "openalias.invalid": "O servidor DNS {resolver} não deu uma resposta utilizável para este nome.",
  "openalias.lookingUp": "Consultando {name}…",
  "openalias.notFound": "{name} não tem endereço Monero desta rede.",
  "openalias.notLookedUp":
    "Os nomes não são consultados. Escolha um servidor DNS nas configurações, em “Nomes OpenAlias”, ou digite um endereço.",
  "openalias.notSigned": "{name} não dá nenhum endereço Monero desta rede protegido por DNSSEC.",
  "openalias.off": "Os nomes não são mais consultados",
  "openalias.on": "A partir de agora os nomes são consultados",
  "openalias.resolver": "Servidor DNS (DNS sobre HTTPS)",
  "openalias.resolverLike": "Digite assim: https://dns.example/dns-query",
  "openalias.sees":
    "O servidor DNS fica sabendo do nome, da hora e do seu endereço IP, mas não do valor. Escolha um em que você confie: ele poderia dar um endereço falso.",
  "openalias.title": "Nomes OpenAlias",
  "openalias.toHint": "Endereço, link de pagamento ou nome",
  "openalias.turnOff": "Sem servidor DNS, os nomes não são consultados.",
  "openalias.unreachable":
    "Não é possível alcançar o servidor DNS {resolver}, ou ele não permite consultas desta página.",
  "openalias.unsigned": "{name} não está protegido por DNSSEC",
  "openalias.unsignedAbout": "Ninguém responde pelo endereço: ele pode ter sido falsificado no caminho.",
  "openalias.whenLeft": "O nome é consultado quando você sai deste campo ou toca em “Conferir”.",
};
