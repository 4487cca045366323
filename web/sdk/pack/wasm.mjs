// Reads and writes the bytes of a WebAssembly module: numbers, sections, the initial memory, the instructions of a
// function. Source: WebAssembly Core Specification 2.0, section 5 (binary format).

export const section = { type: 1, import: 2, function: 3, start: 8, code: 10, data: 11, dataCount: 12 };

/** Returns the sections of a module, in their order. */
export function readSections(b) {
  const sections = [];
  for (let at = 8; at < b.length; ) {
    const id = b[at];
    const [size, start] = readUnsigned(b, at + 1);
    sections.push({ id, bytes: b.subarray(start, start + size) });
    at = start + size;
  }
  return sections;
}

/** Returns the module with these sections. */
export function writeSections(header, sections) {
  const parts = [header];
  for (const s of sections) parts.push(Buffer.from([s.id, ...unsigned(s.bytes.length)]), s.bytes);
  return Buffer.concat(parts);
}

/** Returns the initial memory of a program. */
export function readMemory(bytes) {
  let [count, at] = readUnsigned(bytes, 0);
  const segments = [];
  let end = 0;
  for (; count > 0; count--) {
    const [flags, f] = readUnsigned(bytes, at);
    if (flags !== 0 || bytes[f] !== 0x41) throw new Error("wasm: a data segment of another kind");
    const [offset, o] = readSigned(bytes, f + 1);
    if (bytes[o] !== 0x0b) throw new Error("wasm: a data segment of another kind");
    const [size, start] = readUnsigned(bytes, o + 1);
    segments.push([offset, bytes.subarray(start, start + size)]);
    end = Math.max(end, offset + size);
    at = start + size;
  }
  const memory = Buffer.alloc(end);
  for (const [offset, b] of segments) memory.set(b, offset);
  return memory;
}

/** Writes the initial memory as segments, without long runs of zeros: all memory is zero at first. */
export function writeMemory(memory) {
  const longZero = 64;
  const parts = [];
  let count = 0;
  for (let at = 0; at < memory.length; ) {
    while (at < memory.length && memory[at] === 0) at++;
    if (at === memory.length) break;
    let end = at;
    for (let zeros = 0, i = at; i < memory.length && zeros < longZero; i++) {
      zeros = memory[i] === 0 ? zeros + 1 : 0;
      if (zeros === 0) end = i + 1;
    }
    parts.push(Buffer.from([0, 0x41, ...signed(at), 0x0b, ...unsigned(end - at)]), memory.subarray(at, end));
    count++;
    at = end;
  }
  if (count > 100_000) throw new Error("wasm: more segments than browsers take");
  return { bytes: Buffer.concat([Buffer.from(unsigned(count)), ...parts]), count };
}

/** Splits a section that is a list, for example of functions, into its items; each is preceded by its size. */
export function readItems(bytes) {
  let [count, at] = readUnsigned(bytes, 0);
  const items = [];
  for (; count > 0; count--) {
    const [size, start] = readUnsigned(bytes, at);
    items.push(bytes.subarray(start, start + size));
    at = start + size;
  }
  return items;
}

export function writeItems(items) {
  const parts = [Buffer.from(unsigned(items.length))];
  for (const item of items) parts.push(Buffer.from(unsigned(item.length)), item);
  return Buffer.concat(parts);
}

/** Instructions by their first byte. */
export const op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Load: 0x28,
  i32Load8U: 0x2d,
  i32Store: 0x36,
  i32Const: 0x41,
  i64Const: 0x42,
  i32LtU: 0x49,
  i32Add: 0x6a,
  i32Mul: 0x6c,
  i32And: 0x71,
  i32Shl: 0x74,
  i64Or: 0x84,
};

/** Reads the body of a function: its local variables, as pairs of a count and a type, and its instructions. */
export function readFunction(b) {
  let [groups, at] = readUnsigned(b, 0);
  const locals = [];
  for (; groups > 0; groups--) {
    const [count, next] = readUnsigned(b, at);
    locals.push([count, b[next]]);
    at = next + 1;
  }
  const code = [];
  while (at < b.length) {
    const start = at;
    const code1 = b[at++];
    let value = null;
    const number = () => ([value, at] = readUnsigned(b, at));
    if (code1 === op.block || code1 === op.loop || code1 === op.if) value = b[at++];
    else if (code1 === op.br || code1 === op.brIf || code1 === op.call) number();
    else if (code1 >= op.localGet && code1 <= op.globalSet) number();
    else if (code1 === op.brTable) {
      const list = [];
      number();
      for (let n = value; n >= 0; n--) {
        number();
        list.push(value);
      }
      value = list;
    } else if (code1 === op.callIndirect || (code1 >= 0x28 && code1 <= 0x3e)) {
      number();
      number();
    } else if (code1 === 0x3f || code1 === 0x40) at++;
    else if (code1 === op.i32Const) [value, at] = readSigned(b, at);
    else if (code1 === op.i64Const) [value, at] = readLong(b, at);
    else if (code1 === 0x43) at += 4;
    else if (code1 === 0x44) at += 8;
    else if (code1 === 0xfc) {
      number();
      if (value > 11 || value === 8 || value === 9) throw new Error(`wasm: instruction 0xfc ${value}`);
      at += value === 10 ? 2 : value === 11 ? 1 : 0;
    } else if (
      code1 > 0xc4 ||
      (code1 > 0x11 && code1 < 0x20 && code1 !== 0x1a && code1 !== 0x1b) ||
      (code1 > 0x05 && code1 < 0x0b) ||
      code1 === 0x25 ||
      code1 === 0x26
    ) {
      throw new Error(`wasm: instruction ${code1}`);
    }
    code.push({ op: code1, value, bytes: b.subarray(start, at) });
  }
  return { locals, code };
}

export function readUnsigned(b, at) {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const c = b[at++];
    value += (c & 0x7f) * scale;
    if (c < 0x80) return [value, at];
  }
}

export function readSigned(b, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const c = b[at++];
    value |= (c & 0x7f) << shift;
    if (c < 0x80) return [shift < 25 && c & 0x40 ? value | (-1 << (shift + 7)) : value, at];
  }
}

function readLong(b, at) {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const c = b[at++];
    value |= BigInt(c & 0x7f) << shift;
    if (c < 0x80) return [BigInt.asIntN(64, c & 0x40 ? value | (-1n << (shift + 7n)) : value), at];
  }
}

export function unsigned(value) {
  const out = [];
  do {
    const c = value % 128;
    value = Math.floor(value / 128);
    out.push(value > 0 ? c | 0x80 : c);
  } while (value > 0);
  return out;
}

export function signed(value) {
  const out = [];
  for (;;) {
    const c = value & 0x7f;
    value >>= 7;
    if ((value === 0 && !(c & 0x40)) || (value === -1 && c & 0x40)) return [...out, c];
    out.push(c | 0x80);
  }
}
