import type { updates as english } from "../en/updates.js";
import type { Translated } from "../types.js";

export const updates: Translated<typeof english> = {
  "updates.about": "更新会重新加载页面并锁定钱包。",
  "updates.apply": "立即更新",
  "updates.later": "稍后",
  "updates.ready": "新版本已就绪。",
};
