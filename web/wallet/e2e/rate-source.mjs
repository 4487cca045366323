// A source of exchange rates on this machine, for tests.
import { createServer } from "node:http";

/**
 * Starts a source. asked lists the requests that it got; price is what it answers with, or undefined if it fails.
 * Returns it with the list of sources that contains it.
 */
export async function rateSource() {
  const source = { asked: [], price: 151.93 };
  const server = createServer((request, response) => {
    source.asked.push({ method: request.method, url: request.url, headers: request.headers });
    const currency = request.url.split("/").at(-1);
    response.writeHead(source.price === undefined ? 500 : 200, {
      "content-type": "application/json",
      "access-control-allow-origin": "*",
    });
    response.end(JSON.stringify({ monero: { [currency]: source.price ?? 0 } }));
  });
  await new Promise((r) => server.listen(0, "127.0.0.1", r));
  const { port } = server.address();
  const rates = {
    sources: [
      {
        id: "local",
        name: "Local",
        url: `http://127.0.0.1:${port}/rate/{currency}`,
        rate: ["monero", "{currency}"],
        currencies: ["USD", "EUR"],
        sees: { en: "It sees your IP address, and nothing else." },
        terms: "https://source.example/terms",
        note: { en: "A source for tests." },
      },
    ],
  };
  return Object.assign(source, { rates, origin: `http://127.0.0.1:${port}`, close: () => server.close() });
}
