/** The messages of the desktop wallet, glim app. */
export const desktop = {
  "desktop.about":
    "A Monero wallet that runs on your computer. It finds your payments and signs with your keys right here. It needs a node only to read the chain and to send.",
  "desktop.ended": "glim has ended",
  "desktop.endedNext": "Your wallets are closed. Start glim again to open them. You can close this page.",
  "desktop.files": "Your wallets are files on this computer",
  "desktop.filesAbout":
    "They are in the folder {folder}. glim’s commands can open them too while they are not open here.",
  "desktop.footer": "Your keys stay on this computer. Nobody else can restore them for you.",
  "desktop.quit": "Quit glim",
  "desktop.quitAbout": "glim goes on scanning when you close this page. Quitting closes all wallets.",
  "desktop.used": "This address has already been used",
  "desktop.usedNext":
    "An address of glim opens one page, once. Start glim again to get a new one; a running glim goes on.",
} as const;
