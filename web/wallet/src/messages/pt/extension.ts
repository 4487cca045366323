import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Permitir",
  "asked.connect": "Conectar",
  "asked.connectAbout":
    "O site recebe um novo subendereço da carteira {wallet}, criado só para ele. Ele não pode ver seu saldo, seu histórico nem seus outros endereços.",
  "asked.connectTitle": "Conectar este site?",
  "asked.final": "Um pagamento não pode ser desfeito.",
  "asked.linkRecipient": "Destinatário, segundo o link",
  "asked.linkSays": "O link diz",
  "asked.ownAddress": "Esse endereço é seu",
  "asked.ownAddressAbout": "O site não conhece este endereço, e a prova revelaria que ele é seu. Recuse a solicitação.",
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
  "consent.makeFirst":
    "Este site enviou uma solicitação à sua carteira. Crie ou restaure uma primeiro; enquanto isso, a solicitação espera aqui.",
  "consent.noWalletYet": "Você ainda não tem uma carteira",
  "consent.notNow": "Agora não",
  "consent.oneMoment": "Um momento",
  "consent.otherNetworks":
    "Suas carteiras em outras redes não aparecem aqui. Escolha a rede nas configurações do glim.",
  "consent.passwordOf": "Senha de {name}",
  "consent.setUpWallet": "Configurar uma carteira",
  "consent.unlockFirst": "Este site enviou uma solicitação. Desbloqueie sua carteira para vê-la.",
  "consent.walletMissing":
    "Este site está conectado à carteira {wallet} em {network}. Restaure essa carteira com o mesmo nome, ou desconecte o site e deixe que ele peça de novo.",
  "consent.walletMissingTitle": "A carteira deste site não está aqui",
  "link.damaged":
    "Você clicou neste site em um link de pagamento incompleto ou danificado. Peça outro ao site, ou o endereço dele.",
  "link.howMuch": "Quanto pagar?",
  "link.howMuchAbout": "Você clicou em um link de pagamento neste site. Ele deixa o valor por sua conta.",
  "link.makeFirst":
    "Você clicou em um link de pagamento neste site. Primeiro crie ou restaure uma carteira; enquanto isso, o pagamento espera aqui.",
  "link.otherNetwork":
    "Você clicou neste site em um link de pagamento cujo endereço não é de {network}, a rede da sua carteira.",
  "link.sentAbout": "O site não fica sabendo pela sua carteira que você pagou. Ele vê o pagamento quando chega.",
  "link.title": "Links de pagamento",
  "link.unlockFirst": "Você clicou em um link de pagamento neste site. Desbloqueie a carteira para ver o pagamento.",
  "link.unusable": "Este link não pode ser pago",
  "link.want": "Abrir nesta carteira os links de pagamento dos sites",
  "link.wantAbout":
    "Quando você clica em um link que começa com monero:, o pagamento aparece em uma janela da carteira, onde você o aceita ou recusa. O site não fica sabendo da escolha.",
  "names.alikeAbout": "O nome {name} parece o do site conectado {other}.",
  "names.foreignAbout": "O nome está escrito em outro alfabeto, com letras de aparência igual.",
  "names.insideAbout":
    "O nome {name} contém o do site conectado {other}, mas é a última parte de um nome que diz de quem ele é.",
  "names.isNot": "Este site não é {other}",
  "names.mixed": "O nome deste site mistura alfabetos",
  "names.mixedAbout": "Os navegadores podem mostrá-lo como {name}. Algumas letras parecem de outro alfabeto.",
  "names.nearAbout": "O nome {name} difere em um caractere do nome do site conectado {other}.",
  "sites.about":
    "Cada site conhece um subendereço, criado só para ele, e pode pedir pagamentos, provas e assinaturas. Nada acontece sem o seu consentimento.",
  "sites.connection": "Carteira {wallet}, {network}, desde {date}",
  "sites.disconnect": "Desconectar",
  "sites.none": "Nenhum site está conectado.",
};
