// Removes from a Go program's table of functions what only stack traces use, and lets the program itself rebuild the
// regular parts when it starts. This reduces the download by nearly a fifth. Go's own linker cannot strip them on any
// platform.
//
// - Names, files, line numbers and tables of inlined functions and arguments: references to them become "none", and
// bytes without references
//   become zeros, which the data section omits. Names that the runtime looks up are kept.
// - The numbers of functions, the offsets of their descriptions, and the index from code positions to functions.
//
// Source of the layout: Go's src/runtime/symtab.go (pcHeader, moduledata, findfuncbucket), src/runtime/runtime2.go
// (_func), src/internal/abi/symtab.go (PCDATA_…, FUNCDATA_…), src/cmd/link/internal/ld/pcln.go.

import { op, signed } from "./wasm.mjs";

const magic = 0xfffffff1;
const none = 0xffffffff;
const unexpected = (what) => new Error(`pack: ${what} is laid out in another way than this Go version does it`);

// Tables of a function, by number, that only stack traces and preemption by signals use; WebAssembly has no signals.
const unneededValues = new Set([0, 2, 3]); // UnsafePoint, InlTreeIndex, ArgLiveIndex
const unneededData = new Set([3, 5, 6, 7]); // InlTree, ArgInfo, ArgLiveInfo, WrapInfo

// Names that the runtime compares: "runtime." marks its own goroutines, and it finds the arguments of the other two in
// another way.
const runtimes = "runtime.";
const wanted = ["reflect.makeFuncStub", "reflect.methodValueCall"];

// Offsets of the members of a function's description.
const at = {
  entry: 0,
  name: 4,
  pcsp: 16,
  pcfile: 20,
  pcln: 24,
  npcdata: 28,
  unit: 32,
  startLine: 36,
  nfuncdata: 43,
  pcdata: 44,
};

/**
 * Clears the tables in a program's initial memory. Returns the names of the functions by number, and the body of a
 * function that rebuilds the regular parts and must be called before anything else.
 */
export function clearTables(memory) {
  const t = findTable(memory);
  const names = clearNames(memory, t);
  const used = new Set();
  const data = new Map(); // offset of a table to whether it is needed
  for (const f of t.functions) {
    const values = memory.readUInt32LE(f + at.npcdata);
    const tables = memory[f + at.nfuncdata];
    if (values > 8 || tables > 8) throw unexpected("the table of functions");
    used.add(memory.readUInt32LE(f + at.pcsp));
    for (let n = 0; n < values; n++) {
      const reference = f + at.pcdata + 4 * n;
      if (unneededValues.has(n)) memory.writeUInt32LE(0, reference);
      else used.add(memory.readUInt32LE(reference));
    }
    for (let n = 0; n < tables; n++) {
      const reference = f + at.pcdata + 4 * values + 4 * n;
      const offset = memory.readUInt32LE(reference);
      if (offset === none) continue;
      data.set(offset, data.get(offset) || !unneededData.has(n));
      if (unneededData.has(n)) memory.writeUInt32LE(none, reference);
    }
    for (const member of [at.pcfile, at.pcln, at.unit, at.startLine]) memory.writeUInt32LE(0, f + member);
  }
  used.delete(0);
  clearValues(memory, t, used);
  clearData(memory, t, data);
  memory.fill(0, t.units, t.values);
  return { names, start: leaveRegular(memory, t) };
}

/** Finds the table of functions and the module data that describes it. */
function findTable(memory) {
  const mark = Buffer.alloc(8);
  mark.writeUInt32LE(magic);
  mark[6] = 1; // bytes per unit of code positions
  mark[7] = 8; // bytes of a pointer
  const header = memory.indexOf(mark);
  if (header < 0 || memory.indexOf(mark, header + 1) >= 0) throw unexpected("the table of functions");
  const number = (a) => Number(memory.readBigUInt64LE(a));
  const member = (n) => number(header + 8 + 8 * n);
  const count = member(0);
  const [names, units, values, table] = [3, 4, 6, 7].map((n) => header + member(n));

  // The module data begins with the addresses of the header and of the names.
  const begin = Buffer.alloc(16);
  begin.writeBigUInt64LE(BigInt(header), 0);
  begin.writeBigUInt64LE(BigInt(names), 8);
  const module = memory.indexOf(begin);
  if (module < 0 || number(module + 8 * 10) !== values || number(module + 8 * 16) !== table)
    throw unexpected("the module's description");
  const index = number(module + 8 * 19);
  const data = number(module + 8 * 40);
  const functions = [];
  for (let i = 0; i < count; i++) functions.push(table + memory.readUInt32LE(table + 8 * i + 4));
  if (data < functions.at(-1) || index < data) throw unexpected("the module's description");
  return { names, units, values, table, data, index, functions };
}

/** Clears the functions' names except those that the runtime compares. */
function clearNames(memory, { names, units, functions }) {
  const texts = functions.map((f) => {
    const from = names + memory.readUInt32LE(f + at.name);
    return memory.toString("utf8", from, memory.indexOf(0, from));
  });
  memory.fill(0, names, units);
  const places = new Map();
  let place = 1; // the first byte stands for no name
  for (const name of [runtimes, ...wanted]) {
    places.set(name, place);
    place += memory.write(name, names + place, "latin1") + 1;
  }
  for (const [i, f] of functions.entries()) {
    memory.writeUInt32LE(places.get(texts[i].startsWith(runtimes) ? runtimes : texts[i]) ?? 0, f + at.name);
  }
  return texts;
}

/** Clears the tables by code position that are not used. */
function clearValues(memory, { values, table }, used) {
  let end = values + 1; // the first byte stands for "none"
  for (const offset of [...used].sort((a, b) => a - b)) {
    const start = values + offset;
    if (start < end) continue; // tables with the same end may share it
    memory.fill(0, end, start);
    end = endOfValues(memory, start);
  }
  memory.fill(0, end, table);
}

/** A table of values is a sequence of pairs of variable-length numbers, up to a zero that is not the first number. */
function endOfValues(memory, at) {
  for (let first = true; ; first = false) {
    if (!first && memory[at] === 0) return at + 1;
    for (let n = 0; n < 2; n++) {
      while (memory[at] & 0x80) at++;
      at++;
    }
  }
}

/** Clears the unneeded tables that functions refer to; each ends where the next begins. */
function clearData(memory, t, needed) {
  const offsets = [...needed.keys()].sort((a, b) => a - b);
  for (let i = 0; i + 1 < offsets.length; i++) {
    if (!needed.get(offsets[i])) memory.fill(0, t.data + offsets[i], t.data + offsets[i + 1]);
  }
}

const first = 0x1000; // the number of a program's first function
// a function has this many buckets of the index, because code positions count from 2^16 times its number
const span = 16;
const bucket = 20; // bytes of a bucket: the first function's number, and sixteen differences from it, which are zero

/**
 * Clears what follows from a function's number or the size of its description, and returns the code that rebuilds it.
 */
function leaveRegular(memory, { table, index, functions }) {
  let description = functions[0];
  const regulars = functions.slice(0, -1); // the index ends within the last function
  regulars.forEach((f, i) => {
    const entry = first + i;
    let regular =
      f === description && memory.readUInt32LE(f + at.entry) === entry && memory.readUInt32LE(table + 8 * i) === entry;
    for (let b = 0; b < span; b++) {
      const from = index + (i * span + b) * bucket;
      regular &&= memory.readUInt32LE(from) === i && memory.subarray(from + 4, from + bucket).every((c) => c === 0);
      memory.fill(0, from, from + bucket);
    }
    if (!regular) throw unexpected("the index of functions");
    memory.writeUInt32LE(0, f + at.entry);
    memory.fill(0, table + 8 * i, table + 8 * i + 8);
    description =
      (description + at.pcdata + 4 * (memory.readUInt32LE(f + at.npcdata) + memory[f + at.nfuncdata]) + 7) & -8;
  });
  const [i, f, b] = [0, 1, 2]; // a function's number, its description, an end in the index
  const constant = (n) => [op.i32Const, ...signed(n)];
  const get = (n) => [op.localGet, n];
  const add = (n) => [...constant(n), op.i32Add];
  const store = [op.i32Store, 2, 0];
  const row = [...get(i), ...constant(3), op.i32Shl, ...add(table)]; // the function's row of the table
  return Buffer.from([
    1,
    3,
    0x7f, // three local variables of 32 bits
    ...constant(functions[0]),
    op.localSet,
    f,
    ...constant(index),
    op.localSet,
    b,
    op.loop,
    0x40,
    ...row,
    ...get(i),
    ...add(first),
    ...store,
    ...row,
    ...get(f),
    ...add(-table),
    op.i32Store,
    2,
    4,
    ...get(f),
    ...get(i),
    ...add(first),
    ...store,
    ...get(f),
    ...add(at.pcdata + 7),
    ...get(f),
    op.i32Load,
    2,
    at.npcdata,
    ...get(f),
    op.i32Load8U,
    0,
    at.nfuncdata,
    op.i32Add,
    ...constant(2),
    op.i32Shl,
    op.i32Add,
    ...constant(-8),
    op.i32And,
    op.localSet,
    f,
    op.loop,
    0x40,
    ...get(b),
    ...get(i),
    ...store,
    ...get(b),
    ...add(bucket),
    op.localTee,
    b,
    // until the function's buckets are written: index + (i+1)*span*bucket
    ...get(i),
    ...add(1),
    ...constant(span * bucket),
    op.i32Mul,
    ...add(index),
    op.i32LtU,
    op.brIf,
    0,
    op.end,
    ...get(i),
    ...add(1),
    op.localTee,
    i,
    ...constant(regulars.length),
    op.i32LtU,
    op.brIf,
    0,
    op.end,
    op.end,
  ]);
}
