/** The texts of the button. {amount}, {wallet} and {recipient} stand for what their names say. */
export const english = {
  pay: "Pay with Monero",
  payAmount: "Pay {amount} XMR",
  paid: "Paid",
  choose: "Choose a wallet",
  chooseWhy: "This browser has several Monero wallets.",
  other: "Another wallet",
  otherWhy: "Scan the code with the wallet on your phone, or open the link on this device.",
  title: "Pay with any Monero wallet",
  code: "QR code of the payment",
  open: "Open a wallet",
  amount: "Amount",
  recipient: "To",
  description: "For",
  address: "Address",
  copyAddress: "Copy the address",
  copyAmount: "Copy the amount",
  copied: "Copied",
  notCopied: "The browser did not allow copying. Select the text and copy it by hand.",
  close: "Close",
  waiting: "Continue in {wallet}.",
  sent: "The payment was sent.",
  refused: "You declined the payment.",
  failed: "The wallet could not pay: {reason}",
  busy: "Another request is waiting in {wallet}. Answer it first.",
} as const;

/** The texts of the button, to be translated. */
export type PayTexts = { -readonly [name in keyof typeof english]: string };
