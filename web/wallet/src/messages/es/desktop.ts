import type { desktop as english } from "../en/desktop.js";
import type { Translated } from "../types.js";

export const desktop: Translated<typeof english> = {
  "desktop.about":
    "Un monedero de Monero que funciona en tu ordenador. Encuentra tus pagos y firma con tus claves aquí mismo. Solo necesita un nodo para leer la cadena y para enviar.",
  "desktop.ended": "glim se ha cerrado",
  "desktop.endedNext": "Tus monederos están cerrados. Inicia glim de nuevo para abrirlos. Puedes cerrar esta página.",
  "desktop.files": "Tus monederos son archivos de este ordenador",
  "desktop.filesAbout":
    "Están en la carpeta {folder}. Los comandos de glim también pueden abrirlos mientras no estén abiertos aquí.",
  "desktop.footer": "Tus claves permanecen en este ordenador. Nadie más puede restaurarlas por ti.",
  "desktop.quit": "Salir de glim",
  "desktop.quitAbout": "glim sigue escaneando cuando cierras esta página. Al salir se cierran todos los monederos.",
  "desktop.used": "Esta dirección ya se ha usado",
  "desktop.usedNext":
    "Una dirección de glim abre una página, una sola vez. Inicia glim de nuevo para obtener otra; si glim ya está en marcha, sigue funcionando.",
};
