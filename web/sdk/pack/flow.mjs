// Rewrites the code of a Go program so that it compresses better and does the same: what Go expresses with numbers that
// differ from place to place is expressed uniformly. This reduces the compressed code by a sixth.
//
// Go compiles a function to a loop around nested blocks. The function's only parameter selects the block at which to
// continue, which is how a goroutine returns to where it waited. Calls therefore store their position in the program's
// own stack, and jumps go through the loop's head. Source: Go's src/cmd/internal/obj/wasm/wasmobj.go (preprocess,
// assemble).
//
// - A callee may request that the stack is unwound. Go's call then leaves the outermost block, at whose end 1 is
// returned; that branch is longer
//   the deeper the call is nested. Here, 1 is returned at once.
// - A jump ahead leaves a block. It does not need to go through the loop's head, and becomes faster.
// - The position that a call stores is the function's number and the block's. The former is kept in a local variable.

import { op, readFunction, signed, unsigned } from "./wasm.mjs";

const firstFunction = 0x1000; // the number of a program's first function
const i64 = 0x7e;
const empty = 0x40; // the type of a block without results

/** Returns the rewritten body of a function, given its number and how many parameters it has. */
export function rewrite(body, number, parameters) {
  const { locals, code } = readFunction(body);
  const shape = parameters === 1 ? shapeOf(code) : null;
  if (shape === null) return body;
  const own = BigInt(firstFunction + number);
  const place = (c) => c.op === op.i64Const && c.value >> 16n === own;
  const based = code.some(place);
  const out = [];
  const put = (...bytes) => out.push(Buffer.from(bytes));
  if (based) locals.unshift([1, i64]);
  put(...unsigned(locals.length), ...locals.flatMap(([count, type]) => [...unsigned(count), type]));
  if (based) put(op.i64Const, ...signed((firstFunction + number) << 16), op.localSet, 1);

  let depth = 0; // number of blocks around an instruction
  for (let i = 0; i < code.length; i++) {
    const c = code[i];
    if (c.op === op.end) depth--;
    const ahead = shape.direct ? jump(code, i, depth, shape) : null;
    if (ahead !== null && ahead < Math.min(depth, shape.open)) {
      put(op.br, ...unsigned(depth - 1 - ahead));
      i += 2;
    } else if (shape.unwind && c.op === op.brIf && c.value === depth - 1) {
      put(op.if, empty, op.i32Const, 1, op.return, op.end);
    } else if (based && c.op >= op.localGet && c.op <= op.localTee && c.value >= 1) {
      put(c.op, ...unsigned(c.value + 1));
    } else if (place(c)) {
      put(op.i64Const, ...signed(Number(c.value & 0xffffn)), op.localGet, 1, op.i64Or);
    } else {
      out.push(c.bytes);
    }
    if (c.op === op.block || c.op === op.loop || c.op === op.if) depth++;
    if (i === shape.table) shape.open = depth; // number of open blocks that jumps may leave
    if (c.op === op.end) shape.open = Math.min(shape.open, depth);
  }
  return Buffer.concat(out);
}

/** Returns the layout of a function, or null if it is not that of a function that can be resumed. */
function shapeOf(code) {
  let at = code[0].op === op.globalGet && code[1].op === op.localSet ? 2 : 0; // the stack pointer
  const table = code.findIndex((c) => c.op === op.brTable);
  if (table < 0) return null;
  const blocks = 1 + Math.max(...code[table].value);
  const outer = table - 1 - blocks - at; // the blocks around the jump table
  const kinds = code.slice(at, at + Math.max(outer, 0)).map((c) => c.op);
  const loop = kinds.at(-1) === op.loop;
  const unwind = kinds[0] === op.block;
  if (outer !== (loop ? 1 : 0) + (unwind ? 1 : 0)) return null;
  for (at += outer; at < table - 1; at++) if (code[at].op !== op.block || code[at].value !== empty) return null;
  if (code[table - 1].op !== op.localGet || code[table - 1].value !== 0) return null;
  const tail = code.slice(-4).map((c) => c.op);
  if (
    unwind &&
    (tail[0] !== op.unreachable || tail[1] !== op.end || tail[2] !== op.i32Const || code.at(-2).value !== 1)
  )
    return null;
  // Only the loop's head may read where a jump goes.
  const asked = code.some(
    (c, i) =>
      c.op === op.localGet &&
      c.value === 0 &&
      i !== table - 1 &&
      !(code[i - 2].op === op.localSet && code[i - 2].value === 0),
  );
  return {
    table,
    unwind,
    direct: loop && !asked,
    head: unwind ? 1 : 0,
    outer,
    blocks,
    targets: code[table].value,
    open: 0,
  };
}

/** Returns the depth of the block whose end is a jump's target, or null if there is no jump at i. */
function jump(code, i, depth, { head, outer, blocks, targets }) {
  const [to, set, br] = [code[i], code[i + 1], code[i + 2]];
  if (
    to.op !== op.i32Const ||
    set?.op !== op.localSet ||
    set.value !== 0 ||
    br?.op !== op.br ||
    br.value !== depth - 1 - head
  )
    return null;
  return outer + blocks - 1 - targets[Math.min(to.value, targets.length - 1)];
}
