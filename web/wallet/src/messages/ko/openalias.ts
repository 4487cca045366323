import type { openalias as english } from "../en/openalias.js";
import type { Translated } from "../types.js";

export const openalias: Translated<typeof english> = {
  "openalias.about": "주소 대신 donate.example.org 같은 이름으로 결제합니다. 리졸버를 선택할 때까지 꺼져 있습니다.",
  "openalias.accept": "그래도 {name}에 결제합니다. 주소를 받는 사람이 준 것과 비교했습니다.",
  "openalias.addressOf": "{name}의 주소",
  "openalias.ambiguous": "{name}에 Monero 주소가 둘 이상 있습니다. 받는 사람에게 주소를 요청하세요.",
  "openalias.invalid": "리졸버 {resolver}가 이 이름에 대해 쓸 수 있는 응답을 주지 않았습니다.",
  "openalias.lookingUp": "{name} 조회 중…",
  "openalias.notFound": "{name}에 이 네트워크의 Monero 주소가 없습니다.",
  "openalias.notLookedUp":
    "이름을 조회하지 않습니다. 설정의 “OpenAlias 이름”에서 리졸버를 선택하거나 주소를 입력하세요.",
  "openalias.notSigned": "{name}에 DNSSEC로 보호되는 이 네트워크의 Monero 주소가 없습니다.",
  "openalias.off": "이제 이름을 조회하지 않습니다",
  "openalias.on": "이제부터 이름을 조회합니다",
  "openalias.resolver": "리졸버(DNS over HTTPS)",
  "openalias.resolverLike": "https://dns.example/dns-query처럼 입력하세요",
  "openalias.sees":
    "리졸버는 이름, 시각, 내 IP 주소를 알게 되지만 금액은 알 수 없습니다. 가짜 주소를 줄 수도 있으니 신뢰하는 것을 선택하세요.",
  "openalias.title": "OpenAlias 이름",
  "openalias.toHint": "주소, 결제 링크 또는 이름",
  "openalias.turnOff": "리졸버가 없으면 이름을 조회하지 않습니다.",
  "openalias.unreachable": "리졸버 {resolver}에 연결할 수 없거나 이 페이지의 요청이 허용되지 않습니다.",
  "openalias.unsigned": "{name}: DNSSEC로 보호되지 않음",
  "openalias.unsignedAbout": "이 주소를 보증하는 서명이 없습니다. 도중에 위조되었을 수 있습니다.",
  "openalias.whenLeft": "이 칸을 벗어나거나 “검토”를 누르면 이름을 조회합니다.",
};
