// A resolver for DNS over HTTPS on this machine, for tests.
import { createServer } from "node:http";

const pair = (n) => Buffer.of(n >> 8, n & 255);
const labels = (name) =>
  Buffer.concat([...name.split(".").flatMap((l) => [Buffer.of(l.length), Buffer.from(l)]), Buffer.of(0)]);

/** Returns the name that a query asks about. */
function nameIn(query) {
  const found = [];
  for (let at = 12; query[at] > 0; at += query[at] + 1)
    found.push(query.subarray(at + 1, at + 1 + query[at]).toString());
  return found.join(".");
}

/** Returns the response that a name stands for an address, if it has one. */
function response(name, { address, signed = true } = {}) {
  const text = Buffer.from(`oa1:xmr recipient_address=${address};`); // shorter than a string of a record can be
  const data = Buffer.concat([Buffer.of(text.length), text]);
  const record = [labels(name), pair(16), pair(1), Buffer.alloc(4), pair(data.length), data];
  const head = [pair(0), pair(signed ? 0x81a0 : 0x8180), pair(1), pair(address ? 1 : 0), pair(0), pair(0)];
  return Buffer.concat([...head, labels(name), pair(16), pair(1), ...(address ? record : [])]);
}

/**
 * Starts a resolver. names are the names that it knows, each with its address, whether it is signed, and perhaps a
 * promise that the response waits for; asked lists the names that it was asked about.
 */
export async function resolver(names) {
  const asked = [];
  const server = createServer(async (req, res) => {
    const name = nameIn(Buffer.from(new URL(req.url, "http://x").searchParams.get("dns") ?? "", "base64url"));
    asked.push(name);
    await names[name]?.wait;
    res.writeHead(200, { "content-type": "application/dns-message", "access-control-allow-origin": "*" });
    res.end(response(name, names[name]));
  });
  await new Promise((r) => server.listen(0, "127.0.0.1", r));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/dns-query`, asked, close };
}
