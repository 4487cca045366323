/**
 * JSON between a page and the engine: numbers of 64 bits are bigint here, digits on the way there and strings on the way back. Which
 * strings are numbers is never guessed: the list of operations says it.
 */

/** What an operation leaves open: anything JSON can hold. */
export type JSONValue = string | number | boolean | null | JSONValue[] | { [member: string]: JSONValue };

/** By the name of an object, and of its member: "n" a number of 64 bits, a name an object, "[]" behind either a list of them. */
export type Shapes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Writes a request. Members that are undefined are left out; a number that JSON cannot carry exactly is a TypeError. */
export function write(value: unknown): string {
  switch (typeof value) {
    case "bigint":
      return value.toString();
    case "number":
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
        throw new TypeError("a number in the request is not exact: use a bigint");
      }
      return String(value);
    case "string":
    case "boolean":
      return JSON.stringify(value);
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
      return (
        "{" +
        Object.entries(value)
          .filter(([, member]) => member !== undefined)
          .map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`)
          .join(",") +
        "}"
      );
  }
  throw new TypeError(`a ${typeof value} is no part of a request`);
}

/** Reads an answer of a shape. */
export function read(text: string, shape: string, shapes: Shapes): unknown {
  return revive(JSON.parse(text), shape, shapes);
}

function revive(value: unknown, shape: string, shapes: Shapes): unknown {
  if (shape === "" || value === null) return value;
  if (shape === "n") {
    if (typeof value !== "string" && typeof value !== "number") throw new TypeError("the engine answered no number");
    return BigInt(value);
  }
  if (shape.endsWith("[]")) {
    if (!Array.isArray(value)) throw new TypeError("the engine answered no list");
    const inner = shape.slice(0, -2);
    return inner === "" ? value : value.map((element: unknown) => revive(element, inner, shapes));
  }
  const members = shapes[shape];
  if (members === undefined || !isRecord(value)) throw new TypeError(`the engine answered no ${shape}`);
  for (const [name, inner] of Object.entries(members)) {
    const member = value[name];
    if (member !== undefined) value[name] = revive(member, inner, shapes);
    else if (inner.endsWith("[]")) value[name] = []; // empty lists are left out
  }
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
