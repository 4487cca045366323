// Takes the line numbers out of a Go program in WebAssembly. They are an eighth of what is downloaded, and only told by the trace of a
// crash, which still has the names of functions. Go's own linker strips them from no platform.
//
// The table of functions says where a function's tables of lines and files are: those references become "none", and bytes nothing
// else refers to become zeros, which the data section then leaves out.
// Source of the layout: Go's src/runtime/symtab.go (pcHeader, _func), src/cmd/link/internal/ld/pcln.go.

const magic = 0xfffffff1;
const pageOf = { data: 11, dataCount: 12 };

/** Returns program without line numbers. Throws when it is not laid out as this Go version does it. */
export function strip(program) {
  const sections = readSections(program);
  const data = sections.find((s) => s.id === pageOf.data);
  if (!data) throw new Error("strip: no data section");
  const memory = readMemory(data.bytes);
  clearLines(memory);
  const segments = writeMemory(memory);
  const parts = [program.subarray(0, 8)];
  for (const s of sections) {
    const bytes = s.id === pageOf.data ? segments.bytes : s.id === pageOf.dataCount ? unsigned(segments.count) : s.bytes;
    parts.push(Buffer.from([s.id]), unsigned(bytes.length), bytes);
  }
  return Buffer.concat(parts);
}

function readSections(b) {
  const sections = [];
  for (let at = 8; at < b.length; ) {
    const id = b[at];
    const [size, start] = readUnsigned(b, at + 1);
    sections.push({ id, bytes: b.subarray(start, start + size) });
    at = start + size;
  }
  return sections;
}

/** The memory a program starts with. */
function readMemory(section) {
  let [count, at] = readUnsigned(section, 0);
  const segments = [];
  let end = 0;
  for (; count > 0; count--) {
    const [flags, f] = readUnsigned(section, at);
    if (flags !== 0 || section[f] !== 0x41) throw new Error("strip: a data segment of another kind");
    const [offset, o] = readSigned(section, f + 1);
    if (section[o] !== 0x0b) throw new Error("strip: a data segment of another kind");
    const [size, start] = readUnsigned(section, o + 1);
    segments.push([offset, section.subarray(start, start + size)]);
    end = Math.max(end, offset + size);
    at = start + size;
  }
  const memory = Buffer.alloc(end);
  for (const [offset, bytes] of segments) memory.set(bytes, offset);
  return memory;
}

function clearLines(memory) {
  const header = findTable(memory);
  const word = (n) => Number(memory.readBigUInt64LE(header + 8 + 8 * n));
  const functions = word(0);
  const values = header + word(6);
  const table = header + word(7);
  const used = new Set();
  for (let i = 0; i < functions; i++) {
    const f = table + memory.readUInt32LE(table + 8 * i + 4);
    if (memory.readUInt32LE(f) !== memory.readUInt32LE(table + 8 * i)) throw new Error("strip: the table of functions is laid out in another way");
    const pcsp = f + 16, pcfile = f + 20, pcln = f + 24, npcdata = memory.readUInt32LE(f + 28), startLine = f + 36, pcdata = f + 44;
    if (npcdata > 8) throw new Error("strip: the table of functions is laid out in another way");
    used.add(memory.readUInt32LE(pcsp));
    for (let n = 0; n < npcdata; n++) used.add(memory.readUInt32LE(pcdata + 4 * n));
    memory.writeUInt32LE(0, pcfile);
    memory.writeUInt32LE(0, pcln);
    memory.writeUInt32LE(0, startLine);
  }
  used.delete(0);
  let at = values + 1; // the first byte stands for "none"
  for (const offset of [...used].sort((a, b) => a - b)) {
    const start = values + offset;
    if (start < at) continue; // tables may end alike, and share it
    memory.fill(0, at, start);
    at = endOfValues(memory, start);
  }
  memory.fill(0, at, table);
}

function findTable(memory) {
  const mark = Buffer.alloc(8);
  mark.writeUInt32LE(magic);
  mark[6] = 1; // bytes an instruction counts from
  mark[7] = 8; // bytes of a pointer
  const at = memory.indexOf(mark);
  if (at < 0 || memory.indexOf(mark, at + 1) >= 0) throw new Error("strip: no table of functions that this knows");
  return at;
}

/** A table of values is pairs of variable-length numbers, up to a zero that is not the first. */
function endOfValues(memory, at) {
  for (let first = true; ; first = false) {
    if (!first && memory[at] === 0) return at + 1;
    for (let n = 0; n < 2; n++) {
      while (memory[at] & 0x80) at++;
      at++;
    }
  }
}

/** Writes memory as segments that leave out what is zero for long, as all memory is before. */
function writeMemory(memory) {
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
    parts.push(Buffer.from([0, 0x41]), signed(at), Buffer.from([0x0b]), unsigned(end - at), memory.subarray(at, end));
    count++;
    at = end;
  }
  if (count > 100_000) throw new Error("strip: more segments than browsers take");
  return { bytes: Buffer.concat([unsigned(count), ...parts]), count };
}

function readUnsigned(b, at) {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const c = b[at++];
    value += (c & 0x7f) * scale;
    if (c < 0x80) return [value, at];
  }
}

function readSigned(b, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const c = b[at++];
    value |= (c & 0x7f) << shift;
    if (c < 0x80) return [shift < 25 && c & 0x40 ? value | (-1 << (shift + 7)) : value, at];
  }
}

function unsigned(value) {
  const out = [];
  do {
    const c = value % 128;
    value = Math.floor(value / 128);
    out.push(value > 0 ? c | 0x80 : c);
  } while (value > 0);
  return Buffer.from(out);
}

function signed(value) {
  const out = [];
  for (;;) {
    const c = value & 0x7f;
    value >>= 7;
    if ((value === 0 && !(c & 0x40)) || (value === -1 && c & 0x40)) return Buffer.from([...out, c]);
    out.push(c | 0x80);
  }
}
