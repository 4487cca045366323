import assert from "node:assert/strict";
import { test } from "node:test";
import type { EngineWallet } from "../src/lib/engine.js";
import {
  keepNames,
  loadNames,
  nameOfOpen,
  possibleName,
  readName,
  renamed,
  shownName,
  writeName,
} from "../src/lib/names.js";

const platform = () => {
  const kept = new Map<string, string>();
  return {
    kept,
    read: async (key: string) => kept.get(key),
    write: async (key: string, value: string) => void kept.set(key, value),
  };
};

/** A wallet with attributes. */
const wallet = (all: Record<string, string> = {}): Pick<EngineWallet, "rpc"> => ({
  rpc: {
    getAttribute: async ({ key }: { key: string }) => {
      if (!(key in all))
        throw { kind: "contract", code: -45, reason: "AttributeNotFound", message: "attribute not found" };
      return { value: all[key] };
    },
    setAttribute: async ({ key, value }: { key: string; value: string }) => void Object.assign(all, { [key]: value }),
  } as unknown as EngineWallet["rpc"],
});

test("a wallet has its file's name until it is renamed, in its own database only", async () => {
  const here = platform();
  let names = await loadNames(here);
  assert.equal(shownName(names, "glim", "My wallet"), "My wallet");
  names = renamed(names, "glim", "My wallet", "Savings");
  await keepNames(here, names);
  names = await loadNames(here);
  assert.equal(shownName(names, "glim", "My wallet"), "Savings");
  assert.equal(shownName(names, "glim-stagenet", "My wallet"), "My wallet");
  assert.deepEqual(renamed(names, "glim", "My wallet", undefined), {});
  assert.deepEqual(renamed(names, "glim", "My wallet", "My wallet"), {});
});

test("names that cannot be are neither shown nor stored", async () => {
  const here = platform();
  for (const bad of ["", " a", "a ", "a/b", "a\\b", "a\nb", "\u0000", "x".repeat(65)])
    assert.ok(!possibleName(bad), bad);
  for (const good of ["a", "Crème brûlée", "财布", "x".repeat(64)]) assert.ok(possibleName(good), good);
  for (const odd of ["", "[", "null", "7", '["a"]', '{"glim/a":7,"glim/b":"x/y","glim/c":"fine"}']) {
    here.kept.set("names", odd);
    const names = await loadNames(here);
    assert.equal(shownName(names, "glim", "a"), "a", odd);
    assert.equal(shownName(names, "glim", "b"), "b", odd);
    if (odd.includes("fine")) assert.equal(shownName(names, "glim", "c"), "fine");
  }
});

test("the name travels in the wallet's file", async () => {
  const file = wallet();
  assert.equal(await readName(file), undefined);
  await writeName(file, "Savings");
  assert.equal(await readName(file), "Savings");
  assert.equal(await readName(wallet({ "glim.name": "a/b" })), undefined);
  // It counts where no other name is stored; a wallet that does not tell it is shown by its file.
  const open = Object.assign(file, { name: "a" });
  assert.equal(await nameOfOpen({}, "", open), "Savings");
  assert.equal(await nameOfOpen({ "glim/a": "Purse" }, "glim", open), "Purse");
  const closed = { name: "a", rpc: { getAttribute: () => Promise.reject(new Error("closed")) } } as unknown;
  assert.equal(await nameOfOpen({}, "", closed as typeof open), "a");
});
