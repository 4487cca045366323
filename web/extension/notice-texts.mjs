/**
 * The texts of notifications, by language. The background shows them while no page is open, so they are in the folder
 * _locales, in the browser's own format: $1 is the number of payments.
 */
const texts = {
  en: {
    newPayments: "glim: new payments: $1",
    onItsWay: "A payment is on its way",
    confirmed: "Payment confirmed",
    openToSee: "Open the wallet to see it.",
  },
  de: {
    newPayments: "glim: neue Zahlungen: $1",
    onItsWay: "Eine Zahlung ist unterwegs",
    confirmed: "Zahlung bestätigt",
    openToSee: "Öffne die Wallet, um sie zu sehen.",
  },
  es: {
    newPayments: "glim: pagos nuevos: $1",
    onItsWay: "Hay un pago en camino",
    confirmed: "Pago confirmado",
    openToSee: "Abre el monedero para verlo.",
  },
  fr: {
    newPayments: "glim : nouveaux paiements : $1",
    onItsWay: "Un paiement est en route",
    confirmed: "Paiement confirmé",
    openToSee: "Ouvrez le portefeuille pour le voir.",
  },
  it: {
    newPayments: "glim: nuovi pagamenti: $1",
    onItsWay: "Un pagamento è in arrivo",
    confirmed: "Pagamento confermato",
    openToSee: "Apri il portafoglio per vederlo.",
  },
  ja: {
    newPayments: "glim：新しい入金 $1件",
    onItsWay: "入金が届きつつあります",
    confirmed: "入金が承認されました",
    openToSee: "ウォレットを開いて確認してください。",
  },
  ko: {
    newPayments: "glim: 새 결제 $1건",
    onItsWay: "결제가 들어오는 중입니다",
    confirmed: "결제가 확인되었습니다",
    openToSee: "지갑을 열어 확인하세요.",
  },
  nl: {
    newPayments: "glim: nieuwe betalingen: $1",
    onItsWay: "Er is een betaling onderweg",
    confirmed: "Betaling bevestigd",
    openToSee: "Open de portemonnee om ze te zien.",
  },
  pt: {
    newPayments: "glim: novos pagamentos: $1",
    onItsWay: "Um pagamento está a caminho",
    confirmed: "Pagamento confirmado",
    openToSee: "Abra a carteira para vê-lo.",
  },
  ru: {
    newPayments: "glim: новых платежей: $1",
    onItsWay: "Вам отправлен платёж",
    confirmed: "Платёж подтверждён",
    openToSee: "Откройте кошелёк, чтобы увидеть его.",
  },
  zh: {
    newPayments: "glim：新收款 $1 笔",
    onItsWay: "有一笔付款正在到账",
    confirmed: "付款已确认",
    openToSee: "打开钱包查看。",
  },
};

/** Returns the texts for a language of the browser, such as pt_BR; English if they are not translated. */
export function noticeTexts(locale) {
  return texts[locale.split("_")[0]] ?? texts.en;
}
