import type { openalias as english } from "../en/openalias.js";
import type { Translated } from "../types.js";

export const openalias: Translated<typeof english> = {
  "openalias.about": "アドレスの代わりに donate.example.org のような名前に支払えます。リゾルバーを選ぶまではオフです。",
  "openalias.accept": "それでも {name} に支払う。アドレスは受取人から受け取ったものと比べました。",
  "openalias.addressOf": "{name} のアドレス",
  "openalias.ambiguous": "{name} には Monero アドレスが複数あります。受取人にアドレスを尋ねてください。",
  "openalias.invalid": "リゾルバー {resolver} から、この名前について使える応答がありませんでした。",
  "openalias.lookingUp": "{name} を調べています…",
  "openalias.notFound": "{name} には、このネットワークの Monero アドレスがありません。",
  "openalias.notLookedUp":
    "名前は調べられません。設定の「OpenAlias の名前」でリゾルバーを選ぶか、アドレスを入力してください。",
  "openalias.notSigned": "{name} には、DNSSEC で保護されたこのネットワークの Monero アドレスがありません。",
  "openalias.off": "名前を調べないようにしました",
  "openalias.on": "これからは名前を調べます",
  "openalias.resolver": "リゾルバー（DNS over HTTPS）",
  "openalias.resolverLike": "https://dns.example/dns-query のように入力してください",
  "openalias.sees":
    "リゾルバーには名前、時刻、あなたの IP アドレスが伝わりますが、金額は伝わりません。偽のアドレスを返すこともできるため、信頼できるものを選んでください。",
  "openalias.title": "OpenAlias の名前",
  "openalias.toHint": "アドレス、支払いリンク、または名前",
  "openalias.turnOff": "リゾルバーがなければ、名前は調べられません。",
  "openalias.unreachable": "リゾルバー {resolver} に接続できないか、このページからの問い合わせが許可されていません。",
  "openalias.unsigned": "{name} は DNSSEC で保護されていません",
  "openalias.unsignedAbout": "このアドレスを保証するものはなく、途中で偽造された可能性があります。",
  "openalias.whenLeft": "この欄を離れるか「確認へ」を押すと、名前を調べます。",
};
