import type { switcher as english } from "../en/switcher.js";
import type { Translated } from "../types.js";

export const switcher: Translated<typeof english> = {
  "switcher.about": "Открытые кошельки остаются открытыми при переключении. Блокировка закрывает все.",
  "switcher.aboutDemo": "Платежи можно посмотреть и с другой стороны.",
  "switcher.button": "Кошелёк: {name}",
  "switcher.locked": "Заблокирован",
  "switcher.name": "Имя",
  "switcher.nameAbout": "Показывается в этом браузере и хранится в файле кошелька",
  "switcher.now": "Показан сейчас",
  "switcher.open": "Открыт",
  "switcher.passwordOf": "Пароль кошелька {name}",
  "switcher.rename": "Переименовать",
  "switcher.renameAbout": "Больше в кошельке ничего не изменится.",
  "switcher.renameThis": "Переименовать этот кошелёк",
  "switcher.renamed": "У кошелька новое имя",
  "switcher.title": "Кошельки",
};
