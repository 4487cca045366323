import type { sharing as english } from "../en/sharing.js";
import type { Translated } from "../types.js";

export const sharing: Translated<typeof english> = {
  "sharing.empty": "클립보드에 텍스트가 없습니다.",
  "sharing.paste": "붙여넣기",
  "sharing.pasteRefused": "브라우저가 클립보드 읽기를 허용하지 않았습니다. 키보드나 입력란 메뉴로 붙여넣으세요.",
  "sharing.pasteWhat": "붙여넣기: {what}",
  "sharing.share": "공유",
};
