import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "허용",
  "asked.connect": "연결",
  "asked.connectAbout":
    "사이트는 그 사이트만을 위해 만든 지갑 {wallet}의 새 하위 주소를 받습니다. 잔액, 내역, 다른 주소는 볼 수 없습니다.",
  "asked.connectTitle": "이 사이트를 연결할까요?",
  "asked.final": "결제는 되돌릴 수 없습니다.",
  "asked.linkRecipient": "받는 사람(링크에 따름)",
  "asked.linkSays": "링크의 설명",
  "asked.ownAddress": "자신의 주소입니다",
  "asked.ownAddressAbout": "사이트는 이 주소를 모르며, 증명하면 당신의 주소임이 드러납니다. 요청을 거절하세요.",
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
  "consent.makeFirst":
    "이 사이트가 지갑에 요청을 보냈습니다. 먼저 지갑을 만들거나 복원하세요. 그동안 요청은 여기서 기다립니다.",
  "consent.noWalletYet": "아직 지갑이 없습니다",
  "consent.notNow": "나중에",
  "consent.oneMoment": "잠시만요",
  "consent.otherNetworks": "다른 네트워크의 지갑은 여기 표시되지 않습니다. glim 설정에서 네트워크를 선택하세요.",
  "consent.passwordOf": "{name}의 비밀번호",
  "consent.setUpWallet": "지갑 준비하기",
  "consent.unlockFirst": "이 사이트가 요청을 보냈습니다. 지갑 잠금을 해제하고 확인하세요.",
  "consent.walletMissing":
    "이 사이트는 {network}의 지갑 {wallet}에 연결되어 있습니다. 같은 이름으로 그 지갑을 복원하거나, 사이트 연결을 해제하고 다시 요청하게 하세요.",
  "consent.walletMissingTitle": "이 사이트의 지갑이 여기 없습니다",
  "link.damaged":
    "이 사이트에서 클릭한 결제 링크가 불완전하거나 손상되었습니다. 사이트에 다른 링크나 주소를 요청하세요.",
  "link.howMuch": "얼마를 지급할까요?",
  "link.howMuchAbout": "이 사이트에서 결제 링크를 클릭했습니다. 금액은 직접 정합니다.",
  "link.makeFirst":
    "이 사이트에서 결제 링크를 클릭했습니다. 먼저 지갑을 만들거나 복원하세요. 그동안 결제는 여기에서 기다립니다.",
  "link.otherNetwork": "이 사이트에서 클릭한 결제 링크의 주소는 지갑이 사용하는 {network}의 주소가 아닙니다.",
  "link.sentAbout": "사이트는 지갑을 통해 지급 여부를 알 수 없습니다. 지급이 도착하면 확인합니다.",
  "link.title": "결제 링크",
  "link.unlockFirst": "이 사이트에서 결제 링크를 클릭했습니다. 결제를 보려면 지갑의 잠금을 해제하세요.",
  "link.unusable": "이 링크로는 지급할 수 없습니다",
  "link.want": "사이트의 결제 링크를 이 지갑에서 열기",
  "link.wantAbout":
    "monero:로 시작하는 링크를 클릭하면 지갑 창에 결제가 표시되고, 거기에서 수락하거나 거절합니다. 사이트는 무엇을 선택했는지 알 수 없습니다.",
  "names.alikeAbout": "이름 {name}이(가) 연결된 사이트 {other}의 이름과 비슷해 보입니다.",
  "names.foreignAbout": "이름이 모양이 같은 다른 문자로 쓰여 있습니다.",
  "names.insideAbout":
    "이름 {name}에 연결된 사이트 {other}의 이름이 들어 있지만, 누구의 것인지는 이름의 마지막 부분이 결정합니다.",
  "names.isNot": "이 사이트는 {other}이(가) 아닙니다",
  "names.mixed": "이 사이트의 이름에 여러 문자가 섞여 있습니다",
  "names.mixedAbout": "브라우저에서 {name}(으)로 보일 수 있습니다. 일부 글자가 다른 문자의 글자와 비슷합니다.",
  "names.nearAbout": "이름 {name}이(가) 연결된 사이트 {other}의 이름과 한 글자만 다릅니다.",
  "sites.about":
    "각 사이트는 그 사이트만을 위해 만든 하위 주소 하나를 알며 결제, 증명, 서명을 요청할 수 있습니다. 당신의 동의 없이는 아무 일도 일어나지 않습니다.",
  "sites.connection": "지갑 {wallet}, {network}, {date}부터",
  "sites.disconnect": "연결 해제",
  "sites.none": "연결된 사이트가 없습니다.",
};
