import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Разрешить",
  "asked.connect": "Подключить",
  "asked.connectTitle": "Подключить этот сайт?",
  "asked.final": "Платёж нельзя отменить.",
  "asked.ownAddress": "Это ваш собственный адрес",
  "asked.paidTo": "Уплачено на",
  "asked.payAmount": "Заплатить {amount} XMR",
  "asked.payTitle": "Заплатить эту сумму?",
  "asked.prove": "Доказать",
  "asked.proveAbout": "Сайт узнает, что этот платёж сделали вы, и сколько пришло на этот адрес.",
  "asked.proveTitle": "Доказать платёж?",
  "asked.scroll": "Чтобы продолжить, прокрутите весь запрос.",
  "asked.signAbout": "Сообщение подписывается ключами субадреса, который известен этому сайту.",
  "asked.signTitle": "Подписать сообщение?",
  "asked.siteSays": "Сайт сообщает",
  "asked.tooLittle": "В кошельке меньше этой суммы с комиссией. Сначала получите деньги или отклоните запрос.",
  "asked.walletNamed": "кошелёк {name}",
  "consent.alreadyAnswered": "На этот запрос уже ответили",
  "consent.notNow": "Не сейчас",
  "consent.noWalletYet": "У вас пока нет кошелька",
  "consent.oneMoment": "Одну минуту",
  "consent.otherNetworks": "Ваши кошельки в других сетях здесь не показаны. Выберите сеть в настройках glim.",
  "consent.passwordOf": "Пароль кошелька {name}",
  "consent.setUpWallet": "Настроить кошелёк",
  "consent.unlockFirst": "Этот сайт прислал запрос. Разблокируйте кошелёк, чтобы его увидеть.",
  "consent.walletMissingTitle": "Кошелька этого сайта здесь нет",
  "sites.connection": "Кошелёк {wallet}, {network}, с {date}",
  "sites.disconnect": "Отключить",
  "sites.none": "Нет подключённых сайтов.",
  "asked.connectAbout":
    "Сайт получит новый субадрес кошелька {wallet}, созданный только для него. Он не увидит ваш баланс, историю и другие адреса.",
  "asked.ownAddressAbout": "Сайт не знает этого адреса, а доказательство раскрыло бы, что он ваш. Отклоните запрос.",
  "consent.makeFirst":
    "Этот сайт прислал запрос вашему кошельку. Сначала создайте или восстановите кошелёк; запрос подождёт здесь.",
  "consent.walletMissing":
    "Этот сайт подключён к кошельку {wallet} в сети {network}. Восстановите этот кошелёк под тем же именем или отключите сайт, чтобы он запросил снова.",
  "sites.about":
    "Каждый сайт знает один субадрес, созданный только для него, и может просить платежи, доказательства и подписи. Без вашего согласия ничего не происходит.",
};
