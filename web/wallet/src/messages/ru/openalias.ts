import type { openalias as english } from "../en/openalias.js";
import type { Translated } from "../types.js";

export const openalias: Translated<typeof english> = {
  "openalias.about":
    "Платите на имена вроде donate.example.org вместо адресов. Выключено, пока вы не выберете DNS-сервер.",
  "openalias.accept": "Всё равно заплатить {name}. Адрес сверен с тем, что дал получатель.",
  "openalias.addressOf": "Адрес имени {name}",
  "openalias.ambiguous": "У {name} несколько адресов Monero. Попросите адрес у получателя.",
  "openalias.invalid": "DNS-сервер {resolver} не дал пригодного ответа для этого имени.",
  "openalias.lookingUp": "Поиск {name}…",
  "openalias.notFound": "У {name} нет адреса Monero в этой сети.",
  "openalias.notLookedUp":
    "Поиск имён выключен. Выберите DNS-сервер в настройках, в разделе «Имена OpenAlias», или введите адрес.",
  "openalias.notSigned": "{name} не даёт адреса Monero в этой сети, защищённого DNSSEC.",
  "openalias.off": "Поиск имён выключен",
  "openalias.on": "Поиск имён включён",
  "openalias.resolver": "Сервер DNS через HTTPS",
  "openalias.resolverLike": "Введите его так: https://dns.example/dns-query",
  "openalias.sees":
    "DNS-сервер узнаёт имя, время и ваш IP-адрес, но не сумму. Выберите тот, которому доверяете: он может выдать ложный адрес.",
  "openalias.title": "Имена OpenAlias",
  "openalias.toHint": "Адрес, платёжная ссылка или имя",
  "openalias.turnOff": "Без DNS-сервера поиск имён выключен.",
  "openalias.unreachable": "DNS-сервер {resolver} недоступен или не разрешает запросы с этой страницы.",
  "openalias.unsigned": "Имя {name} не защищено DNSSEC",
  "openalias.unsignedAbout": "За этот адрес никто не ручается: его могли подменить по пути.",
  "openalias.whenLeft": "Поиск имени начнётся, когда вы покинете это поле или нажмёте «Проверить».",
};
