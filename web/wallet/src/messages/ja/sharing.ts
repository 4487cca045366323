import type { sharing as english } from "../en/sharing.js";
import type { Translated } from "../types.js";

export const sharing: Translated<typeof english> = {
  "sharing.empty": "クリップボードにテキストがありません。",
  "sharing.paste": "貼り付け",
  "sharing.pasteRefused":
    "ブラウザがクリップボードの読み取りを許可しませんでした。キーボードか入力欄のメニューで貼り付けてください。",
  "sharing.pasteWhat": "貼り付け: {what}",
  "sharing.share": "共有",
};
