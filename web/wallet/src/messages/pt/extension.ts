import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Permitir",
  "asked.connect": "Conectar",
  "asked.connectTitle": "Conectar este site?",
  "asked.final": "Um pagamento não pode ser desfeito.",
  "asked.ownAddress": "Esse endereço é seu",
  "asked.paidTo": "Pago a",
  "asked.payAmount": "Pagar {amount} XMR",
  "asked.payTitle": "Pagar este valor?",
  "asked.prove": "Provar",
  "asked.proveAbout": "O site fica sabendo que você fez este pagamento e quanto foi pago a este endereço.",
  "asked.proveTitle": "Provar um pagamento?",
  "asked.scroll": "Role a solicitação inteira para continuar.",
  "asked.signAbout": "A mensagem é assinada com as chaves do subendereço que este site conhece.",
  "asked.signTitle": "Assinar uma mensagem?",
  "asked.siteSays": "O site diz",
  "asked.tooLittle": "A carteira tem menos do que este valor mais a taxa. Receba dinheiro primeiro ou recuse.",
  "asked.walletNamed": "a carteira {name}",
  "consent.alreadyAnswered": "Esta solicitação já foi respondida",
  "consent.notNow": "Agora não",
  "consent.noWalletYet": "Você ainda não tem uma carteira",
  "consent.oneMoment": "Um momento",
  "consent.otherNetworks":
    "Suas carteiras em outras redes não aparecem aqui. Escolha a rede nas configurações do glim.",
  "consent.passwordOf": "Senha de {name}",
  "consent.setUpWallet": "Configurar uma carteira",
  "consent.unlockFirst": "Este site enviou uma solicitação. Desbloqueie sua carteira para vê-la.",
  "consent.walletMissingTitle": "A carteira deste site não está aqui",
  "sites.connection": "Carteira {wallet}, {network}, desde {date}",
  "sites.disconnect": "Desconectar",
  "sites.none": "Nenhum site está conectado.",
  "asked.connectAbout":
    "O site recebe um novo subendereço da carteira {wallet}, criado só para ele. Ele não pode ver seu saldo, seu histórico nem seus outros endereços.",
  "asked.ownAddressAbout": "O site não conhece este endereço, e a prova revelaria que ele é seu. Recuse a solicitação.",
  "consent.makeFirst":
    "Este site enviou uma solicitação à sua carteira. Crie ou restaure uma primeiro; enquanto isso, a solicitação espera aqui.",
  "consent.walletMissing":
    "Este site está conectado à carteira {wallet} em {network}. Restaure essa carteira com o mesmo nome, ou desconecte o site e deixe que ele peça de novo.",
  "sites.about":
    "Cada site conhece um subendereço, criado só para ele, e pode pedir pagamentos, provas e assinaturas. Nada acontece sem o seu consentimento.",
};
