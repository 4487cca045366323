import type { desktop as english } from "../en/desktop.js";
import type { Translated } from "../types.js";

export const desktop: Translated<typeof english> = {
  "desktop.about":
    "내 컴퓨터에서 실행되는 Monero 지갑입니다. 결제를 찾고 키로 서명하는 일이 모두 여기서 이루어집니다. 노드는 체인을 읽고 보낼 때만 필요합니다.",
  "desktop.ended": "glim이 종료되었습니다",
  "desktop.endedNext": "지갑이 닫혔습니다. 열려면 glim을 다시 시작하세요. 이 페이지는 닫아도 됩니다.",
  "desktop.files": "지갑은 이 컴퓨터의 파일입니다",
  "desktop.filesAbout": "{folder} 폴더에 있습니다. 여기서 열려 있지 않은 동안에는 glim의 명령으로도 열 수 있습니다.",
  "desktop.footer": "키는 이 컴퓨터에만 있습니다. 다른 누구도 대신 복원할 수 없습니다.",
  "desktop.quit": "glim 종료",
  "desktop.quitAbout": "이 페이지를 닫아도 glim은 스캔을 계속합니다. 종료하면 모든 지갑이 닫힙니다.",
  "desktop.used": "이미 사용한 주소입니다",
  "desktop.usedNext":
    "glim의 주소는 한 페이지를 한 번만 엽니다. glim을 다시 시작하면 새 주소로 열립니다. 실행 중인 glim은 계속 실행됩니다.",
};
