import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Autoriser",
  "asked.connect": "Connecter",
  "asked.connectAbout":
    "Le site reçoit une nouvelle sous-adresse du portefeuille {wallet}, créée pour lui seul. Il ne peut voir ni votre solde, ni votre historique, ni vos autres adresses.",
  "asked.connectTitle": "Connecter ce site ?",
  "asked.final": "Un paiement ne peut pas être annulé.",
  "asked.linkRecipient": "Destinataire, selon le lien",
  "asked.linkSays": "Le lien indique",
  "asked.ownAddress": "Cette adresse est la vôtre",
  "asked.ownAddressAbout":
    "Le site ne connaît pas cette adresse, et la preuve révélerait qu’elle est à vous. Refusez la demande.",
  "asked.paidTo": "Payé à",
  "asked.payAmount": "Payer {amount} XMR",
  "asked.payTitle": "Payer ce montant ?",
  "asked.prove": "Le prouver",
  "asked.proveAbout": "Le site apprend que vous avez fait ce paiement et combien il a versé à cette adresse.",
  "asked.proveTitle": "Prouver un paiement ?",
  "asked.scroll": "Faites défiler toute la demande pour continuer.",
  "asked.signAbout": "Le message est signé avec les clés de la sous-adresse que ce site connaît.",
  "asked.signTitle": "Signer un message ?",
  "asked.siteSays": "Le site indique",
  "asked.tooLittle":
    "Le portefeuille contient moins que ce montant et les frais. Recevez d’abord de l’argent, ou refusez.",
  "asked.walletNamed": "le portefeuille {name}",
  "consent.alreadyAnswered": "Cette demande a déjà reçu une réponse",
  "consent.makeFirst":
    "Ce site a envoyé une demande à votre portefeuille. Créez-en ou restaurez-en un d’abord ; la demande attend ici.",
  "consent.noWalletYet": "Vous n’avez pas encore de portefeuille",
  "consent.notNow": "Pas maintenant",
  "consent.oneMoment": "Un instant",
  "consent.otherNetworks":
    "Vos portefeuilles sur d’autres réseaux ne sont pas affichés ici. Choisissez le réseau dans les réglages de glim.",
  "consent.passwordOf": "Mot de passe de {name}",
  "consent.setUpWallet": "Configurer un portefeuille",
  "consent.unlockFirst": "Ce site a envoyé une demande. Déverrouillez votre portefeuille pour la voir.",
  "consent.walletMissing":
    "Ce site est connecté au portefeuille {wallet} sur {network}. Restaurez ce portefeuille sous le même nom, ou déconnectez le site et laissez-le redemander.",
  "consent.walletMissingTitle": "Le portefeuille de ce site n’est pas ici",
  "link.damaged":
    "Vous avez cliqué sur ce site sur un lien de paiement incomplet ou endommagé. Demandez-en un autre au site, ou son adresse.",
  "link.howMuch": "Payer combien ?",
  "link.howMuchAbout": "Vous avez cliqué sur un lien de paiement sur ce site. Il vous laisse choisir le montant.",
  "link.makeFirst":
    "Vous avez cliqué sur un lien de paiement sur ce site. Créez ou restaurez d’abord un portefeuille ; en attendant, le paiement reste ici.",
  "link.otherNetwork":
    "Vous avez cliqué sur ce site sur un lien de paiement dont l’adresse n’est pas de {network}, le réseau de votre portefeuille.",
  "link.sentAbout":
    "Le site n’apprend pas de votre portefeuille que vous avez payé. Il verra le paiement à son arrivée.",
  "link.title": "Liens de paiement",
  "link.unlockFirst":
    "Vous avez cliqué sur un lien de paiement sur ce site. Déverrouillez votre portefeuille pour voir le paiement.",
  "link.unusable": "Ce lien ne peut pas être payé",
  "link.want": "Ouvrir les liens de paiement des sites dans ce portefeuille",
  "link.wantAbout":
    "Quand vous cliquez sur un lien qui commence par monero:, le paiement s’affiche dans une fenêtre du portefeuille, où vous l’acceptez ou le refusez. Le site n’apprend pas votre choix.",
  "names.alikeAbout": "Son nom, {name}, ressemble à celui du site connecté {other}.",
  "names.foreignAbout": "Son nom est écrit dans un autre alphabet, avec des lettres d’apparence identique.",
  "names.insideAbout":
    "Son nom, {name}, contient celui du site connecté {other}, mais c’est la dernière partie d’un nom qui indique à qui il appartient.",
  "names.isNot": "Ce site n’est pas {other}",
  "names.mixed": "Le nom de ce site mélange des alphabets",
  "names.mixedAbout":
    "Les navigateurs peuvent l’afficher comme {name}. Certaines de ses lettres ressemblent à celles d’un autre alphabet.",
  "names.nearAbout": "Son nom, {name}, diffère d’un caractère de celui du site connecté {other}.",
  "sites.about":
    "Chaque site connaît une sous-adresse, créée pour lui seul, et peut vous demander des paiements, des preuves et des signatures. Rien ne se fait sans votre accord.",
  "sites.connection": "Portefeuille {wallet}, {network}, depuis le {date}",
  "sites.disconnect": "Déconnecter",
  "sites.none": "Aucun site n’est connecté.",
};
