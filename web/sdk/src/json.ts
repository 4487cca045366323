/**
 * JSON between a page and the engine. 64-bit numbers are bigint here; they are sent as digits and received as strings.
 * The list of operations defines which strings are numbers.
 */

/** Any JSON value, where an operation does not define a type. */
export type JSONValue = string | number | boolean | null | JSONValue[] | { [member: string]: JSONValue };

/**
 * The shapes of objects: object name to member name to type. "n" is a 64-bit number, a name is an object, and "[]"
 * after either is a list.
 */
export type Shapes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Writes a request. Undefined members are left out. It throws a TypeError if JSON cannot carry a number exactly. */
export function write(value: unknown): string {
  switch (typeof value) {
    case "bigint":
      return value.toString();
    case "number":
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
        throw new TypeError("a number in the request is not exact; use a bigint");
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

/** Reads a response of the given shape. */
export function read(text: string, shape: string, shapes: Shapes): unknown {
  return revive(JSON.parse(text), shape, shapes);
}

function revive(value: unknown, shape: string, shapes: Shapes): unknown {
  if (shape === "" || value === null) return value;
  if (shape === "n") {
    if (typeof value !== "string" && typeof value !== "number") throw new TypeError("the engine returned no number");
    return BigInt(value);
  }
  if (shape.endsWith("[]")) {
    if (!Array.isArray(value)) throw new TypeError("the engine returned no list");
    const inner = shape.slice(0, -2);
    return inner === "" ? value : value.map((element: unknown) => revive(element, inner, shapes));
  }
  const members = shapes[shape];
  if (members === undefined || !isRecord(value)) throw new TypeError(`the engine returned no ${shape}`);
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
