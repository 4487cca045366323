import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "허용",
  "asked.connect": "연결",
  "asked.connectTitle": "이 사이트를 연결할까요?",
  "asked.final": "결제는 되돌릴 수 없습니다.",
  "asked.ownAddress": "자신의 주소입니다",
  "asked.paidTo": "지급한 주소",
  "asked.payAmount": "{amount} XMR 지급",
  "asked.payTitle": "이 금액을 지급할까요?",
  "asked.prove": "증명하기",
  "asked.proveAbout": "이 결제를 당신이 했다는 사실과 이 주소에 지급한 금액을 사이트가 알게 됩니다.",
  "asked.proveTitle": "결제를 증명할까요?",
  "asked.scroll": "계속하려면 요청 전체를 스크롤하세요.",
  "asked.signAbout": "이 사이트가 아는 하위 주소의 키로 메시지에 서명합니다.",
  "asked.signTitle": "메시지에 서명할까요?",
  "asked.siteSays": "사이트의 설명",
  "asked.tooLittle": "지갑에 이 금액과 수수료만큼의 돈이 없습니다. 먼저 돈을 받거나 거절하세요.",
  "asked.walletNamed": "지갑 {name}",
  "consent.alreadyAnswered": "이미 응답한 요청입니다",
  "consent.notNow": "나중에",
  "consent.noWalletYet": "아직 지갑이 없습니다",
  "consent.oneMoment": "잠시만요",
  "consent.otherNetworks": "다른 네트워크의 지갑은 여기 표시되지 않습니다. glim 설정에서 네트워크를 선택하세요.",
  "consent.passwordOf": "{name}의 비밀번호",
  "consent.setUpWallet": "지갑 준비하기",
  "consent.unlockFirst": "이 사이트가 요청을 보냈습니다. 지갑 잠금을 해제하고 확인하세요.",
  "consent.walletMissingTitle": "이 사이트의 지갑이 여기 없습니다",
  "sites.connection": "지갑 {wallet}, {network}, {date}부터",
  "sites.disconnect": "연결 해제",
  "sites.none": "연결된 사이트가 없습니다.",
  "asked.connectAbout":
    "사이트는 그 사이트만을 위해 만든 지갑 {wallet}의 새 하위 주소를 받습니다. 잔액, 내역, 다른 주소는 볼 수 없습니다.",
  "asked.ownAddressAbout": "사이트는 이 주소를 모르며, 증명하면 당신의 주소임이 드러납니다. 요청을 거절하세요.",
  "consent.makeFirst":
    "이 사이트가 지갑에 요청을 보냈습니다. 먼저 지갑을 만들거나 복원하세요. 그동안 요청은 여기서 기다립니다.",
  "consent.walletMissing":
    "이 사이트는 {network}의 지갑 {wallet}에 연결되어 있습니다. 같은 이름으로 그 지갑을 복원하거나, 사이트 연결을 해제하고 다시 요청하게 하세요.",
  "sites.about":
    "각 사이트는 그 사이트만을 위해 만든 하위 주소 하나를 알며 결제, 증명, 서명을 요청할 수 있습니다. 당신의 동의 없이는 아무 일도 일어나지 않습니다.",
};
