import type { switcher as english } from "../en/switcher.js";
import type { Translated } from "../types.js";

export const switcher: Translated<typeof english> = {
  "switcher.about": "切换时，已打开的钱包保持打开。锁定会锁定所有钱包。",
  "switcher.aboutDemo": "您也可以从对方的角度查看付款。",
  "switcher.button": "钱包：{name}",
  "switcher.locked": "已锁定",
  "switcher.name": "名称",
  "switcher.nameAbout": "显示在此浏览器中，并保存在钱包文件里",
  "switcher.now": "当前显示",
  "switcher.open": "已打开",
  "switcher.passwordOf": "{name} 的密码",
  "switcher.rename": "重命名",
  "switcher.renameAbout": "钱包的其他内容不变。",
  "switcher.renameThis": "重命名此钱包",
  "switcher.renamed": "钱包已有新名称",
  "switcher.title": "钱包",
};
