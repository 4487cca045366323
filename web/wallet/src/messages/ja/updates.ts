import type { updates as english } from "../en/updates.js";
import type { Translated } from "../types.js";

export const updates: Translated<typeof english> = {
  "updates.about": "更新するとページが再読み込みされ、ウォレットがロックされます。",
  "updates.apply": "今すぐ更新",
  "updates.later": "後で",
  "updates.ready": "新しいバージョンの準備ができました。",
};
