import type { switcher as english } from "../en/switcher.js";
import type { Translated } from "../types.js";

export const switcher: Translated<typeof english> = {
  "switcher.about": "開いているウォレットは、切り替えても開いたままです。ロックするとすべてロックされます。",
  "switcher.aboutDemo": "相手の側から支払いを見ることもできます。",
  "switcher.button": "ウォレット: {name}",
  "switcher.locked": "ロック中",
  "switcher.name": "名前",
  "switcher.nameAbout": "このブラウザで表示され、ウォレットのファイルに保存されます",
  "switcher.now": "表示中",
  "switcher.open": "開いています",
  "switcher.passwordOf": "{name} のパスワード",
  "switcher.rename": "名前を変更",
  "switcher.renameAbout": "ウォレットのほかの内容は変わりません。",
  "switcher.renameThis": "このウォレットの名前を変更",
  "switcher.renamed": "ウォレットの名前を変更しました",
  "switcher.title": "ウォレット",
};
