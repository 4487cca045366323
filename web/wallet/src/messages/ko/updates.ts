import type { updates as english } from "../en/updates.js";
import type { Translated } from "../types.js";

export const updates: Translated<typeof english> = {
  "updates.about": "업데이트하면 페이지가 다시 로드되고 지갑이 잠깁니다.",
  "updates.apply": "지금 업데이트",
  "updates.later": "나중에",
  "updates.ready": "새 버전이 준비되었습니다.",
};
