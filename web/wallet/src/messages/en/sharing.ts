/** The messages of the buttons that paste and share. */
export const sharing = {
  "sharing.empty": "There is no text on the clipboard.",
  "sharing.paste": "Paste",
  "sharing.pasteRefused":
    "The browser did not allow reading the clipboard. Paste with the keyboard or the menu of the field.",
  "sharing.pasteWhat": "Paste: {what}",
  "sharing.share": "Share",
} as const;
