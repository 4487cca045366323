/** The messages of the list of wallets. */
export const switcher = {
  "switcher.about": "Open wallets stay open when you switch. Locking locks all of them.",
  "switcher.aboutDemo": "You can look at the payments from the other side, too.",
  "switcher.button": "Wallet: {name}",
  "switcher.locked": "Locked",
  "switcher.name": "Name",
  "switcher.nameAbout": "Shown in this browser, and stored in the wallet’s file",
  "switcher.now": "Shown now",
  "switcher.open": "Open",
  "switcher.passwordOf": "Password of {name}",
  "switcher.rename": "Rename",
  "switcher.renameAbout": "Nothing else about the wallet changes.",
  "switcher.renamed": "The wallet has a new name",
  "switcher.renameThis": "Rename this wallet",
  "switcher.title": "Wallets",
} as const;
