import type { updates as english } from "../en/updates.js";
import type { Translated } from "../types.js";

export const updates: Translated<typeof english> = {
  "updates.about": "Al actualizar se recarga la página y se bloquea el monedero.",
  "updates.apply": "Actualizar ahora",
  "updates.later": "Más tarde",
  "updates.ready": "Hay una versión nueva lista.",
};
