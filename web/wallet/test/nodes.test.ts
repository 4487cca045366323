import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { checkNode, judgeInfo, PublicNodes, rankNodes, type NodeCheck } from "../../sdk/src/nodes.js";

const node = (address: string, height: number, latency = 10, more: Partial<NodeCheck> = {}): NodeCheck => ({
  ...judgeInfo(address, { height, nettype: "mainnet", synchronized: true, version: "0.18" }, "mainnet", latency),
  ...more,
});
const order = (checks: NodeCheck[], preferred?: string): string[] =>
  rankNodes(checks, preferred).map((c) => `${c.address} ${c.state}`);

test("the fastest node with the height of most nodes is ranked first", () => {
  const nodes = [node("slow", 3000, 90), node("old", 2900, 1), node("fast", 3001, 20), node("boast", 9999, 2)];
  assert.deepEqual(order([...nodes, node("fair", 2995, 50)]), [
    "fast good",
    "fair good",
    "slow good",
    "old behind",
    "boast ahead",
  ]);
  assert.deepEqual(order(nodes.slice(0, 3), "slow").slice(0, 2), ["slow good", "fast good"], "the preferred one first");
  assert.deepEqual(order(nodes.slice(0, 3), "old").slice(0, 2), ["fast good", "slow good"], "only if it is usable");
  assert.deepEqual(order([]), []);
});

test("get_info tells why a node cannot be used", () => {
  const state = (info: Record<string, unknown>): string => judgeInfo("a", info, "mainnet", 1).state;
  const info = { height: 5, nettype: "mainnet", synchronized: true };
  assert.equal(state(info), "good");
  assert.equal(state({ ...info, nettype: "stagenet" }), "wrong-network");
  assert.equal(state({ ...info, synchronized: false }), "behind");
  for (const height of [0, -1, "x", undefined, Number.POSITIVE_INFINITY])
    assert.equal(state({ ...info, height }), "odd");
  assert.equal(judgeInfo("a", { ...info, nettype: "fakechain" }, "regtest", 1).state, "good");
});

test("a check names the cause of every failure", async (t) => {
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path.startsWith("/login")) return response.writeHead(401).end();
    if (path.startsWith("/large")) return response.end(" ".repeat(70_000));
    if (path.startsWith("/text")) return response.end("<html>");
    if (path.startsWith("/gone")) return response.destroy();
    if (path.startsWith("/silent")) return undefined;
    return response.end('{"height":7,"nettype":"mainnet"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const at = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const state = async (path: string): Promise<string> => (await checkNode(at + path, "mainnet")).state;
  assert.equal(await state(""), "good");
  assert.equal(await state("/login"), "login");
  assert.equal(await state("/large"), "odd");
  assert.equal(await state("/text"), "odd");
  assert.equal(await state("/gone"), "unreachable");
  assert.equal((await checkNode(`${at}/silent`, "mainnet", { timeout: 50 })).state, "unreachable");

  // A browser reports a response without CORS headers as a failure, but sends the request in the mode no-cors.
  t.mock.method(globalThis, "fetch", async (_: string, how: RequestInit) => {
    if (how.mode !== "no-cors") throw new TypeError("Failed to fetch");
    return new Response(null);
  });
  assert.equal(await state(""), "cors");
});

/** Public nodes whose behaviour a test sets: info by address, and requests that fail. */
function place(info: Record<string, NodeCheck>, preferred = "") {
  const p = {
    time: 0,
    asked: [] as string[],
    sent: [] as string[],
    broken: new Set<string>(),
    refusing: new Set<string>(),
    hang: undefined as Promise<never> | undefined,
    info,
    nodes: undefined as unknown as PublicNodes,
    post: (path = "/get_height", second = false): Promise<string> =>
      p.nodes
        .post(second, path, new Uint8Array(), "", new AbortController().signal)
        .then((a) => `${a.status} ${new TextDecoder().decode(a.body)}`),
  };
  p.nodes = new PublicNodes(Object.keys(info), preferred, {
    check: async (address) => {
      p.asked.push(address);
      return p.info[address] ?? assert.fail(address);
    },
    send: async (url, _body, _authorization, signal) => {
      const address = url.slice(0, url.indexOf("/"));
      p.sent.push(url);
      if (p.broken.has(address)) throw new Error("broken");
      if (p.hang && address === "a")
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      const status = p.refusing.has(address) ? 503 : 200;
      return { status, body: new TextEncoder().encode(address), challenge: null };
    },
    now: () => p.time,
    mix: (list) => [...list],
  });
  return p;
}
const three = (): Record<string, NodeCheck> => ({ a: node("a", 100, 1), b: node("b", 100, 2), c: node("c", 100, 3) });

test("requests go to the best node, and to the next one when it fails", async () => {
  const p = place(three());
  assert.equal(await p.post(), "200 a");
  assert.equal(await p.post("/get_info", true), "200 b");
  p.broken.add("a");
  assert.equal(await p.post(), "200 b", "the request is repeated at the next node");
  const { first, second } = await p.nodes.state();
  assert.deepEqual([first, second], ["b", "c"], "the two nodes are never the same");
  p.refusing.add("b");
  assert.equal(await p.post(), "200 c");
  p.broken.clear();
  p.refusing.clear();
  p.time += 1000;
  assert.equal(await p.post(), "200 c", "it stays where it works");
});

test("a transaction is not sent to another node without being asked to", async () => {
  const p = place(three());
  await p.post();
  p.broken.add("a");
  await assert.rejects(p.post("/sendrawtransaction"), /broken/);
  assert.deepEqual(p.sent, ["a/get_height", "a/sendrawtransaction"]);
  assert.equal(await p.post("/sendrawtransaction"), "200 b");
});

test("a node that stops answering is left, with its pending requests", async () => {
  const p = place(three());
  await p.post();
  p.hang = Promise.race([]);
  const pending = p.post();
  p.info.a = node("a", 0, 0, { state: "unreachable" });
  p.time += 30_000;
  assert.equal((await p.nodes.state()).first, "b");
  assert.equal(await pending, "200 b");
});

test("a node that falls behind is replaced", async () => {
  const p = place(three());
  await p.post();
  for (const name of ["b", "c"]) p.info[name] = node(name, 200, 5);
  p.time += 30_000;
  const { first, nodes } = await p.nodes.state();
  assert.equal(first, "b");
  assert.equal(nodes.find((n) => n.address === "a")?.state, "behind");
});

test("a node that lacks blocks does not replace the nodes that had them", async () => {
  const p = place({ a: node("a", 100), b: node("b", 100), old: node("old", 5) });
  await p.post();
  for (const name of ["a", "b"]) p.info[name] = node(name, 0, 0, { state: "unreachable" });
  p.time += 30_000;
  const { first, nodes } = await p.nodes.state(true);
  assert.equal(first, "");
  assert.equal(nodes.find((n) => n.address === "old")?.state, "behind");
});

test("no more nodes are asked than are needed", async () => {
  const info = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((n, i) => [n, node(n, 100, i)] as const));
  const p = place(info);
  const { nodes } = await p.nodes.state();
  assert.deepEqual(p.asked, ["a", "b", "c", "d"]);
  assert.equal(nodes.find((n) => n.address === "f")?.state, "unasked");
  p.asked.length = 0;
  p.time += 30_000;
  await p.nodes.state();
  assert.deepEqual(p.asked, ["a", "b"], "later only those in use");
  p.asked.length = 0;
  await p.nodes.state(true);
  assert.deepEqual(p.asked, ["a", "b", "c", "d", "e", "f"], "all of them on request");
});

test("the preferred node is used whenever it works", async () => {
  const p = place(three(), "c");
  assert.equal(await p.post(), "200 c");
  p.broken.add("c");
  assert.equal(await p.post(), "200 a");
  p.broken.clear();
  p.time += 400_000;
  assert.equal((await p.nodes.state()).first, "c");
});

test("without a usable node requests fail, and nodes are asked again later", async () => {
  const p = place({ a: node("a", 0, 0, { state: "unreachable" }) });
  await assert.rejects(p.post(), /no public node/);
  await assert.rejects(p.post(), /no public node/);
  assert.deepEqual(p.asked, ["a"]);
  p.info.a = node("a", 100);
  p.time += 6000;
  assert.equal(await p.post(), "200 a");
  await assert.rejects(p.post("/get_info", true), /no public node/, "one node does not confirm itself");
});
