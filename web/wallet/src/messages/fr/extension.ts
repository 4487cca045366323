import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Autoriser",
  "asked.connect": "Connecter",
  "asked.connectTitle": "Connecter ce site ?",
  "asked.final": "Un paiement ne peut pas être annulé.",
  "asked.ownAddress": "Cette adresse est la vôtre",
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
  "consent.notNow": "Pas maintenant",
  "consent.noWalletYet": "Vous n’avez pas encore de portefeuille",
  "consent.oneMoment": "Un instant",
  "consent.otherNetworks":
    "Vos portefeuilles sur d’autres réseaux ne sont pas affichés ici. Choisissez le réseau dans les réglages de glim.",
  "consent.passwordOf": "Mot de passe de {name}",
  "consent.setUpWallet": "Configurer un portefeuille",
  "consent.unlockFirst": "Ce site a envoyé une demande. Déverrouillez votre portefeuille pour la voir.",
  "consent.walletMissingTitle": "Le portefeuille de ce site n’est pas ici",
  "sites.connection": "Portefeuille {wallet}, {network}, depuis le {date}",
  "sites.disconnect": "Déconnecter",
  "sites.none": "Aucun site n’est connecté.",
  "asked.connectAbout":
    "Le site reçoit une nouvelle sous-adresse du portefeuille {wallet}, créée pour lui seul. Il ne peut voir ni votre solde, ni votre historique, ni vos autres adresses.",
  "asked.ownAddressAbout":
    "Le site ne connaît pas cette adresse, et la preuve révélerait qu’elle est à vous. Refusez la demande.",
  "consent.makeFirst":
    "Ce site a envoyé une demande à votre portefeuille. Créez-en ou restaurez-en un d’abord ; la demande attend ici.",
  "consent.walletMissing":
    "Ce site est connecté au portefeuille {wallet} sur {network}. Restaurez ce portefeuille sous le même nom, ou déconnectez le site et laissez-le redemander.",
  "sites.about":
    "Chaque site connaît une sous-adresse, créée pour lui seul, et peut vous demander des paiements, des preuves et des signatures. Rien ne se fait sans votre accord.",
};
