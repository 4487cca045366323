/** The messages of the extension's own pages. */
export const extension = {
  "asked.allow": "Allow",
  "asked.connect": "Connect",
  "asked.connectAbout":
    "The site gets a new subaddress of the wallet {wallet}, made only for it. It cannot see your balance, your history or your other addresses.",
  "asked.connectTitle": "Connect this site?",
  "asked.final": "A payment cannot be undone.",
  "asked.linkRecipient": "Recipient, says the link",
  "asked.linkSays": "The link says",
  "asked.ownAddress": "That address is your own",
  "asked.ownAddressAbout":
    "The site does not know this address, and the proof would reveal that it is yours. Decline the request.",
  "asked.paidTo": "Paid to",
  "asked.payAmount": "Pay {amount} XMR",
  "asked.payTitle": "Pay this amount?",
  "asked.prove": "Prove it",
  "asked.proveAbout": "The site learns that you made this payment, and how much it paid to this address.",
  "asked.proveTitle": "Prove a payment?",
  "asked.scroll": "Scroll through the whole request to continue.",
  "asked.signAbout": "The message is signed with the keys of the subaddress that this site knows.",
  "asked.signTitle": "Sign a message?",
  "asked.siteSays": "The site says",
  "asked.tooLittle": "The wallet holds less than this amount and the fee. Receive money first, or decline.",
  "asked.walletNamed": "the wallet {name}",
  "consent.alreadyAnswered": "This request has already been answered",
  "consent.makeFirst":
    "This site sent a request to your wallet. Create or restore one first; meanwhile, the request waits here.",
  "consent.notNow": "Not now",
  "consent.noWalletYet": "You have no wallet yet",
  "consent.oneMoment": "One moment",
  "consent.otherNetworks": "Your wallets on other networks are not shown here. Choose the network in glim’s settings.",
  "consent.passwordOf": "Password of {name}",
  "consent.setUpWallet": "Set up a wallet",
  "consent.unlockFirst": "This site sent a request. Unlock your wallet to see it.",
  "consent.walletMissing":
    "This site is connected to the wallet {wallet} on {network}. Restore that wallet under the same name, or disconnect the site and let it ask again.",
  "consent.walletMissingTitle": "This site’s wallet is not here",
  "link.damaged":
    "You clicked a payment link on this site that is incomplete or damaged. Ask the site for another one, or for its address.",
  "link.howMuch": "Pay how much?",
  "link.howMuchAbout": "You clicked a payment link on this site. It leaves the amount to you.",
  "link.makeFirst":
    "You clicked a payment link on this site. Create or restore a wallet first; meanwhile, the payment waits here.",
  "link.otherNetwork":
    "You clicked a payment link on this site whose address is not one of {network}, which your wallet uses.",
  "link.sentAbout": "The site does not learn from your wallet that you paid. It sees the payment when it arrives.",
  "link.title": "Payment links",
  "link.unlockFirst": "You clicked a payment link on this site. Unlock your wallet to see the payment.",
  "link.unusable": "This link cannot be paid",
  "link.want": "Open payment links of sites in this wallet",
  "link.wantAbout":
    "When you click a link that begins with monero:, the payment is shown in a window of the wallet, where you accept or decline it. The site does not learn which.",
  "names.alikeAbout": "Its name, {name}, looks like that of the connected site {other}.",
  "names.foreignAbout": "Its name is written in another alphabet, with letters that look the same.",
  "names.insideAbout":
    "Its name, {name}, contains that of the connected site {other}, but the last part of a name decides whose it is.",
  "names.isNot": "This site is not {other}",
  "names.mixed": "The name of this site mixes alphabets",
  "names.mixedAbout": "Browsers may show it as {name}. Some of its letters look like those of another alphabet.",
  "names.nearAbout": "Its name, {name}, differs from that of the connected site {other} in one character.",
  "sites.about":
    "Each site knows one subaddress, made only for it, and may ask you for payments, proofs and signatures. Nothing happens without your consent.",
  "sites.connection": "Wallet {wallet}, {network}, since {date}",
  "sites.disconnect": "Disconnect",
  "sites.none": "No site is connected.",
} as const;
