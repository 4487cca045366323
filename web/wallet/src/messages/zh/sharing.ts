import type { sharing as english } from "../en/sharing.js";
import type { Translated } from "../types.js";

export const sharing: Translated<typeof english> = {
  "sharing.empty": "剪贴板中没有文本。",
  "sharing.paste": "粘贴",
  "sharing.pasteRefused": "浏览器不允许读取剪贴板。请用键盘或输入框的菜单粘贴。",
  "sharing.pasteWhat": "粘贴：{what}",
  "sharing.share": "分享",
};
