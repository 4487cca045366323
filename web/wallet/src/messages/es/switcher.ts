import type { switcher as english } from "../en/switcher.js";
import type { Translated } from "../types.js";

export const switcher: Translated<typeof english> = {
  "switcher.about": "Los monederos abiertos siguen abiertos al cambiar. Bloquear los bloquea todos.",
  "switcher.aboutDemo": "También puedes ver los pagos desde el otro lado.",
  "switcher.button": "Monedero: {name}",
  "switcher.locked": "Bloqueado",
  "switcher.name": "Nombre",
  "switcher.nameAbout": "Se muestra en este navegador y se guarda en el archivo del monedero",
  "switcher.now": "Se muestra ahora",
  "switcher.open": "Abierto",
  "switcher.passwordOf": "Contraseña de {name}",
  "switcher.rename": "Cambiar nombre",
  "switcher.renameAbout": "Nada más cambia en el monedero.",
  "switcher.renameThis": "Cambiar el nombre de este monedero",
  "switcher.renamed": "El monedero tiene un nombre nuevo",
  "switcher.title": "Monederos",
};
