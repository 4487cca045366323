import type { openalias as english } from "../en/openalias.js";
import type { Translated } from "../types.js";

export const openalias: Translated<typeof english> = {
  "openalias.about":
    "Payez des noms comme donate.example.org au lieu d’adresses. Désactivé tant que vous n’avez pas choisi de résolveur.",
  "openalias.accept": "Payer {name} quand même. J’ai comparé l’adresse avec ce que le destinataire m’a donné.",
  "openalias.addressOf": "Adresse de {name}",
  "openalias.ambiguous": "{name} a plusieurs adresses Monero. Demandez une adresse au destinataire.",
  "openalias.invalid": "Le résolveur {resolver} n’a pas donné de réponse utilisable pour ce nom.",
  "openalias.lookingUp": "Recherche de {name}…",
  "openalias.notFound": "{name} n’a pas d’adresse Monero de ce réseau.",
  "openalias.notLookedUp":
    "Les noms ne sont pas recherchés. Choisissez un résolveur dans les réglages, sous « Noms OpenAlias », ou saisissez une adresse.",
  "openalias.notSigned": "{name} ne donne aucune adresse Monero de ce réseau protégée par DNSSEC.",
  "openalias.off": "Les noms ne sont plus recherchés",
  "openalias.on": "Les noms sont désormais recherchés",
  "openalias.resolver": "Résolveur (DNS sur HTTPS)",
  "openalias.resolverLike": "Saisissez-le ainsi : https://dns.example/dns-query",
  "openalias.sees":
    "Le résolveur apprend le nom, l’heure et votre adresse IP, mais pas le montant. Choisissez-en un de confiance : il pourrait donner une fausse adresse.",
  "openalias.title": "Noms OpenAlias",
  "openalias.toHint": "Adresse, lien de paiement ou nom",
  "openalias.turnOff": "Sans résolveur, les noms ne sont pas recherchés.",
  "openalias.unreachable": "Le résolveur {resolver} est injoignable, ou n’autorise pas cette page à l’interroger.",
  "openalias.unsigned": "{name} n’est pas protégé par DNSSEC",
  "openalias.unsignedAbout": "Personne ne garantit cette adresse : elle a pu être falsifiée en chemin.",
  "openalias.whenLeft": "Le nom est recherché quand vous quittez ce champ ou appuyez sur « Vérifier ».",
};
