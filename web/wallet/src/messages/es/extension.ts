import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Permitir",
  "asked.connect": "Conectar",
  "asked.connectTitle": "¿Conectar este sitio?",
  "asked.final": "Un pago no se puede deshacer.",
  "asked.ownAddress": "Esa dirección es tuya",
  "asked.paidTo": "Pagado a",
  "asked.payAmount": "Pagar {amount} XMR",
  "asked.payTitle": "¿Pagar esta cantidad?",
  "asked.prove": "Probarlo",
  "asked.proveAbout": "El sitio sabrá que hiciste este pago y cuánto se pagó a esta dirección.",
  "asked.proveTitle": "¿Probar un pago?",
  "asked.scroll": "Desplázate por toda la solicitud para continuar.",
  "asked.signAbout": "El mensaje se firma con las claves de la subdirección que conoce este sitio.",
  "asked.signTitle": "¿Firmar un mensaje?",
  "asked.siteSays": "El sitio dice",
  "asked.tooLittle": "El monedero tiene menos que esta cantidad y la comisión. Recibe dinero primero o rechaza.",
  "asked.walletNamed": "el monedero {name}",
  "consent.alreadyAnswered": "Esta solicitud ya se ha respondido",
  "consent.notNow": "Ahora no",
  "consent.noWalletYet": "Aún no tienes ningún monedero",
  "consent.oneMoment": "Un momento",
  "consent.otherNetworks": "Aquí no se muestran tus monederos de otras redes. Elige la red en los ajustes de glim.",
  "consent.passwordOf": "Contraseña de {name}",
  "consent.setUpWallet": "Configurar un monedero",
  "consent.unlockFirst": "Este sitio envió una solicitud. Desbloquea tu monedero para verla.",
  "consent.walletMissingTitle": "El monedero de este sitio no está aquí",
  "sites.connection": "Monedero {wallet}, {network}, desde {date}",
  "sites.disconnect": "Desconectar",
  "sites.none": "No hay ningún sitio conectado.",
  "asked.connectAbout":
    "El sitio recibe una subdirección nueva del monedero {wallet}, creada solo para él. No puede ver tu saldo, tu historial ni tus otras direcciones.",
  "asked.ownAddressAbout": "El sitio no conoce esta dirección y la prueba revelaría que es tuya. Rechaza la solicitud.",
  "consent.makeFirst":
    "Este sitio envió una solicitud a tu monedero. Crea o restaura uno primero; mientras tanto, la solicitud espera aquí.",
  "consent.walletMissing":
    "Este sitio está conectado al monedero {wallet} en {network}. Restaura ese monedero con el mismo nombre, o desconecta el sitio y deja que lo pida otra vez.",
  "sites.about":
    "Cada sitio conoce una subdirección, creada solo para él, y puede pedirte pagos, pruebas y firmas. Nada ocurre sin tu consentimiento.",
};
