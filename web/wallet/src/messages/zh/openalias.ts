import type { openalias as english } from "../en/openalias.js";
import type { Translated } from "../types.js";

export const openalias: Translated<typeof english> = {
  "openalias.about": "向 donate.example.org 这样的名称付款，无需输入地址。选择解析器之前保持关闭。",
  "openalias.accept": "仍然向 {name} 付款。我已将地址与收款人提供的核对过。",
  "openalias.addressOf": "{name} 的地址",
  "openalias.ambiguous": "{name} 有多个 Monero 地址。请向收款人索取地址。",
  "openalias.invalid": "解析器 {resolver} 没有为此名称给出可用的应答。",
  "openalias.lookingUp": "正在查询 {name}…",
  "openalias.notFound": "{name} 没有此网络的 Monero 地址。",
  "openalias.notLookedUp": "未启用名称查询。请在设置的“OpenAlias 名称”中选择解析器，或输入地址。",
  "openalias.notSigned": "{name} 没有受 DNSSEC 保护的此网络 Monero 地址。",
  "openalias.off": "不再查询名称",
  "openalias.on": "从现在起查询名称",
  "openalias.resolver": "解析器（DNS over HTTPS）",
  "openalias.resolverLike": "请按 https://dns.example/dns-query 这样输入",
  "openalias.sees": "解析器会得知名称、时间和您的 IP 地址，但不会得知金额。它可能给出虚假地址，请选择您信任的解析器。",
  "openalias.title": "OpenAlias 名称",
  "openalias.toHint": "地址、付款链接或名称",
  "openalias.turnOff": "没有解析器时不查询名称。",
  "openalias.unreachable": "无法连接解析器 {resolver}，或它不允许此页面查询。",
  "openalias.unsigned": "{name} 未受 DNSSEC 保护",
  "openalias.unsignedAbout": "没有任何签名为此地址担保：它可能在途中被伪造。",
  "openalias.whenLeft": "离开此输入框或按“核对”时会查询该名称。",
};
