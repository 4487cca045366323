import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "Permitir",
  "asked.connect": "Conectar",
  "asked.connectAbout":
    "El sitio recibe una subdirección nueva del monedero {wallet}, creada solo para él. No puede ver tu saldo, tu historial ni tus otras direcciones.",
  "asked.connectTitle": "¿Conectar este sitio?",
  "asked.final": "Un pago no se puede deshacer.",
  "asked.linkRecipient": "Destinatario, según el enlace",
  "asked.linkSays": "El enlace dice",
  "asked.ownAddress": "Esa dirección es tuya",
  "asked.ownAddressAbout": "El sitio no conoce esta dirección y la prueba revelaría que es tuya. Rechaza la solicitud.",
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
  "consent.makeFirst":
    "Este sitio envió una solicitud a tu monedero. Crea o restaura uno primero; mientras tanto, la solicitud espera aquí.",
  "consent.noWalletYet": "Aún no tienes ningún monedero",
  "consent.notNow": "Ahora no",
  "consent.oneMoment": "Un momento",
  "consent.otherNetworks": "Aquí no se muestran tus monederos de otras redes. Elige la red en los ajustes de glim.",
  "consent.passwordOf": "Contraseña de {name}",
  "consent.setUpWallet": "Configurar un monedero",
  "consent.unlockFirst": "Este sitio envió una solicitud. Desbloquea tu monedero para verla.",
  "consent.walletMissing":
    "Este sitio está conectado al monedero {wallet} en {network}. Restaura ese monedero con el mismo nombre, o desconecta el sitio y deja que lo pida otra vez.",
  "consent.walletMissingTitle": "El monedero de este sitio no está aquí",
  "link.damaged":
    "Has pulsado en este sitio un enlace de pago incompleto o dañado. Pide otro al sitio, o su dirección.",
  "link.howMuch": "¿Cuánto quieres pagar?",
  "link.howMuchAbout": "Has pulsado un enlace de pago en este sitio. Deja el importe a tu elección.",
  "link.makeFirst":
    "Has pulsado un enlace de pago en este sitio. Primero crea o restaura un monedero; mientras tanto, el pago espera aquí.",
  "link.otherNetwork":
    "Has pulsado en este sitio un enlace de pago cuya dirección no es de {network}, la red de tu monedero.",
  "link.sentAbout": "El sitio no sabe por tu monedero que has pagado. Verá el pago cuando llegue.",
  "link.title": "Enlaces de pago",
  "link.unlockFirst": "Has pulsado un enlace de pago en este sitio. Desbloquea tu monedero para ver el pago.",
  "link.unusable": "Este enlace no se puede pagar",
  "link.want": "Abrir en este monedero los enlaces de pago de los sitios",
  "link.wantAbout":
    "Cuando pulsas un enlace que empieza por monero:, el pago se muestra en una ventana del monedero, donde lo aceptas o lo rechazas. El sitio no sabe qué eliges.",
  "names.alikeAbout": "Su nombre, {name}, se parece al del sitio conectado {other}.",
  "names.foreignAbout": "Su nombre está escrito en otro alfabeto, con letras que parecen iguales.",
  "names.insideAbout":
    "Su nombre, {name}, contiene el del sitio conectado {other}, pero la última parte de un nombre decide de quién es.",
  "names.isNot": "Este sitio no es {other}",
  "names.mixed": "El nombre de este sitio mezcla alfabetos",
  "names.mixedAbout": "Los navegadores pueden mostrarlo como {name}. Algunas de sus letras parecen de otro alfabeto.",
  "names.nearAbout": "Su nombre, {name}, se diferencia en un carácter del nombre del sitio conectado {other}.",
  "sites.about":
    "Cada sitio conoce una subdirección, creada solo para él, y puede pedirte pagos, pruebas y firmas. Nada ocurre sin tu consentimiento.",
  "sites.connection": "Monedero {wallet}, {network}, desde {date}",
  "sites.disconnect": "Desconectar",
  "sites.none": "No hay ningún sitio conectado.",
};
