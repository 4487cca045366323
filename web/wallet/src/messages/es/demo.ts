import type { demo as english } from "../en/demo.js";
import type { Translated } from "../types.js";

export const demo: Translated<typeof english> = {
  "demo.about":
    "La cadena, su minero y el otro monedero están en esta página. No se consulta ningún nodo y el dinero no vale nada.",
  "demo.again": "Empezar otra demo",
  "demo.answering": "Confirmado. {name} está devolviendo la mitad.",
  "demo.ask": "Pedir un pago",
  "demo.automatic": "Minar automáticamente cuando algo espera",
  "demo.banner": "<b>Dinero de juguete.</b> {state}",
  "demo.begin": "Pruébalo con dinero de juguete",
  "demo.beginAbout":
    "Un monedero con saldo y alguien a quien pagar, que te devuelve dinero. Sin contraseña, sin palabras semilla, sin dinero real.",
  "demo.end": "Terminar la demo",
  "demo.endAbout":
    "Esto elimina de este navegador la cadena y los monederos de la demo. Tus propios monederos permanecen.",
  "demo.endNow": "Terminar y eliminar",
  "demo.endTitle": "Terminar",
  "demo.ended": "La demo se ha eliminado",
  "demo.failed": "La demo no se inició",
  "demo.footer": "Dinero de juguete: no vale nada y solo está en este navegador.",
  "demo.idle": "Nada de esto tiene valor.",
  "demo.inPool": "El pago está en el pool",
  "demo.making": "Minando en esta página una cadena de dinero de juguete",
  "demo.mineAbout": "Un bloque confirma lo que espera en el pool. El dinero recibido se desbloquea tras diez bloques.",
  "demo.mineBlock": "Minar un bloque",
  "demo.mineBlocks": { one: "{count} bloque", other: "{count} bloques" },
  "demo.more": "Más para probar",
  "demo.noteAnswer": "{name}: gracias, aquí tienes la mitad de vuelta",
  "demo.noteCake": "Tarta de cumpleaños, encargada con antelación",
  "demo.noteCoffee": "Dos cafés y un cruasán",
  "demo.noteGift": "{name}: un regalo",
  "demo.noteRent": "Ada: mi mitad del alquiler",
  "demo.noteStart": "Dinero de juguete para empezar",
  "demo.noteTickets": "Reembolso de las entradas del concierto",
  "demo.opening": "Abriendo la demo",
  "demo.ownChain": "La demo tiene su propia cadena",
  "demo.ownChainAbout": "Funciona en esta página y no consulta ningún nodo. Para usar un nodo, termina la demo.",
  "demo.paid": "{name} ve tu pago en el pool. Un bloque lo confirma.",
  "demo.pay": "Pagar a {name}",
  "demo.payAbout":
    "Paga cualquier importe a {name} y observa: espera en el pool, un bloque lo confirma y la mitad vuelve.",
  "demo.payment": "Prueba un pago",
  "demo.pool": "Un pago espera en el pool. Un bloque lo confirma.",
  "demo.receive": "Recibir un pago",
  "demo.receiveAbout": "{name} te paga 0,75 XMR de juguete.",
  "demo.rent": "Alquiler",
  "demo.stored": "La demo se guarda en este navegador",
  "demo.storedAbout":
    "Su cadena y sus monederos permanecen hasta que la termines. Están separados de tus propios monederos.",
  "demo.title": "Demo",
  "demo.unlocking": {
    one: "Confirmado. El dinero se desbloquea en {count} bloque.",
    other: "Confirmado. El dinero se desbloquea en {count} bloques.",
  },
};
