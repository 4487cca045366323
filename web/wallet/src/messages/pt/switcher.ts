import type { switcher as english } from "../en/switcher.js";
import type { Translated } from "../types.js";

export const switcher: Translated<typeof english> = {
  "switcher.about": "Carteiras abertas continuam abertas quando você troca. Bloquear bloqueia todas.",
  "switcher.aboutDemo": "Você também pode ver os pagamentos do outro lado.",
  "switcher.button": "Carteira: {name}",
  "switcher.locked": "Bloqueada",
  "switcher.name": "Nome",
  "switcher.nameAbout": "Mostrado neste navegador e guardado no arquivo da carteira",
  "switcher.now": "Mostrada agora",
  "switcher.open": "Aberta",
  "switcher.passwordOf": "Senha de {name}",
  "switcher.rename": "Renomear",
  "switcher.renameAbout": "Nada mais muda na carteira.",
  "switcher.renameThis": "Renomear esta carteira",
  "switcher.renamed": "A carteira tem um novo nome",
  "switcher.title": "Carteiras",
};
