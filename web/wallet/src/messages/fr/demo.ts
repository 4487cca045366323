import type { demo as english } from "../en/demo.js";
import type { Translated } from "../types.js";

export const demo: Translated<typeof english> = {
  "demo.about":
    "La chaîne, son mineur et l’autre portefeuille sont dans cette page. Aucun nœud n’est interrogé, et l’argent n’a aucune valeur.",
  "demo.again": "Commencer une nouvelle démo",
  "demo.answering": "Confirmé. {name} est en train d’en rembourser la moitié.",
  "demo.ask": "Demander un paiement",
  "demo.automatic": "Miner automatiquement quand quelque chose attend",
  "demo.banner": "<b>Argent fictif.</b> {state}",
  "demo.begin": "Essayez-le avec de l’argent fictif",
  "demo.beginAbout":
    "Un portefeuille avec un solde, et quelqu’un à payer qui vous paie en retour. Pas de mot de passe, pas de mots mnémoniques, pas d’argent réel.",
  "demo.end": "Terminer la démo",
  "demo.endAbout":
    "Cela supprime de ce navigateur la chaîne et les portefeuilles de la démo. Vos propres portefeuilles restent.",
  "demo.endNow": "Terminer et supprimer",
  "demo.endTitle": "Terminer",
  "demo.ended": "La démo est supprimée",
  "demo.failed": "La démo n’a pas démarré",
  "demo.footer": "Argent fictif : sans valeur, et seulement dans ce navigateur.",
  "demo.idle": "Rien ici n’a de valeur.",
  "demo.inPool": "Le paiement est dans le pool",
  "demo.making": "Minage d’une chaîne d’argent fictif dans cette page",
  "demo.mineAbout": "Un bloc confirme ce qui attend dans le pool. L’argent reçu se déverrouille après dix blocs.",
  "demo.mineBlock": "Miner un bloc",
  "demo.mineBlocks": { one: "{count} bloc", other: "{count} blocs" },
  "demo.more": "Essayer autre chose",
  "demo.noteAnswer": "{name} : merci, en voici la moitié en retour",
  "demo.noteCake": "Gâteau d’anniversaire, commandé à l’avance",
  "demo.noteCoffee": "Deux cafés et un croissant",
  "demo.noteGift": "{name} : un cadeau",
  "demo.noteRent": "Ada : ma moitié du loyer",
  "demo.noteStart": "Argent fictif pour commencer",
  "demo.noteTickets": "Remboursement des billets de concert",
  "demo.opening": "Ouverture de la démo",
  "demo.ownChain": "La démo a sa propre chaîne",
  "demo.ownChainAbout":
    "Elle fonctionne dans cette page et n’interroge aucun nœud. Pour utiliser un nœud, terminez la démo.",
  "demo.paid": "{name} voit votre paiement dans le pool. Un bloc le confirme.",
  "demo.pay": "Payer {name}",
  "demo.payAbout":
    "Payez n’importe quel montant à {name} et observez : il attend dans le pool, un bloc le confirme, et la moitié revient.",
  "demo.payment": "Essayez un paiement",
  "demo.pool": "Un paiement attend dans le pool. Un bloc le confirme.",
  "demo.receive": "Être payé",
  "demo.receiveAbout": "{name} vous paie 0,75 XMR d’argent fictif.",
  "demo.rent": "Loyer",
  "demo.stored": "La démo est enregistrée dans ce navigateur",
  "demo.storedAbout":
    "Sa chaîne et ses portefeuilles restent jusqu’à ce que vous la terminiez. Ils sont séparés de vos propres portefeuilles.",
  "demo.title": "Démo",
  "demo.unlocking": {
    one: "Confirmé. L’argent se déverrouille dans {count} bloc.",
    other: "Confirmé. L’argent se déverrouille dans {count} blocs.",
  },
};
