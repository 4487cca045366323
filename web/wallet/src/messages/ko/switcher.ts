import type { switcher as english } from "../en/switcher.js";
import type { Translated } from "../types.js";

export const switcher: Translated<typeof english> = {
  "switcher.about": "열린 지갑은 전환해도 열려 있습니다. 잠그면 모두 잠깁니다.",
  "switcher.aboutDemo": "상대방 쪽에서도 결제를 볼 수 있습니다.",
  "switcher.button": "지갑: {name}",
  "switcher.locked": "잠김",
  "switcher.name": "이름",
  "switcher.nameAbout": "이 브라우저에 표시되고 지갑 파일에 저장됩니다",
  "switcher.now": "지금 표시됨",
  "switcher.open": "열림",
  "switcher.passwordOf": "{name}의 비밀번호",
  "switcher.rename": "이름 바꾸기",
  "switcher.renameAbout": "지갑의 다른 내용은 바뀌지 않습니다.",
  "switcher.renameThis": "이 지갑 이름 바꾸기",
  "switcher.renamed": "지갑 이름이 바뀌었습니다",
  "switcher.title": "지갑",
};
