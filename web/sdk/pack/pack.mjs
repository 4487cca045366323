// Makes a Go program in WebAssembly smaller to download, without changing what it does.
import { rewrite } from "./flow.mjs";
import { clearTables } from "./tables.mjs";
import {
  readItems,
  readMemory,
  readSections,
  readUnsigned,
  section,
  unsigned,
  writeItems,
  writeMemory,
  writeSections,
} from "./wasm.mjs";

/**
 * Returns the packed program and the names of its functions by number. It throws if the program does not have this Go
 * version's layout.
 */
export function pack(program) {
  const sections = readSections(program);
  const find = (id) => {
    const found = sections.filter((s) => s.id === id);
    if (found.length !== 1) throw new Error(`pack: ${found.length} sections of kind ${id}`);
    return found[0];
  };
  if (sections.some((s) => s.id === section.start)) throw new Error("pack: the program has a start of its own");
  const [types, imports, functions, code, data] = [
    section.type,
    section.import,
    section.function,
    section.code,
    section.data,
  ].map(find);
  const parameters = readTypes(types.bytes);
  let [count, at] = readUnsigned(functions.bytes, 0);
  const kinds = [];
  for (; count > 0; count--) {
    let kind;
    [kind, at] = readUnsigned(functions.bytes, at);
    kinds.push(kind);
  }
  const memory = readMemory(data.bytes);
  const { names, start } = clearTables(memory);
  const segments = writeMemory(memory);
  data.bytes = segments.bytes;
  for (const s of sections) if (s.id === section.dataCount) s.bytes = Buffer.from(unsigned(segments.count));

  const bodies = readItems(code.bytes);
  // The program's own functions come first: Go's linker numbers them as the table of functions does.
  code.bytes = writeItems([...bodies.map((b, i) => rewrite(b, i, parameters[kinds[i]])), start]);
  const nothing = parameters.length; // the type of a function without parameters and results
  types.bytes = Buffer.concat([
    Buffer.from(unsigned(nothing + 1)),
    types.bytes.subarray(unsigned(nothing).length),
    Buffer.from([0x60, 0, 0]),
  ]);
  functions.bytes = Buffer.from([...unsigned(kinds.length + 1), ...[...kinds, nothing].flatMap(unsigned)]);
  const imported = readUnsigned(imports.bytes, 0)[0];
  const before = sections.findIndex((s) => s.id > section.start && s.id !== section.dataCount);
  sections.splice(before, 0, { id: section.start, bytes: Buffer.from(unsigned(imported + bodies.length)) });
  const packed = writeSections(program.subarray(0, 8), sections);
  if (!WebAssembly.validate(packed)) throw new Error("pack: the packed file is not a valid program");
  return { program: packed, names };
}

/** Returns the number of parameters of each function type. */
function readTypes(b) {
  let [count, at] = readUnsigned(b, 0);
  const parameters = [];
  for (; count > 0; count--) {
    if (b[at++] !== 0x60) throw new Error("pack: a type of another kind");
    let list;
    for (let n = 0; n < 2; n++) {
      [list, at] = readUnsigned(b, at);
      if (n === 0) parameters.push(list);
      at += list;
    }
  }
  return parameters;
}
