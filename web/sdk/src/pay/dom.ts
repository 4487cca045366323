/** Elements, made without text that is parsed, so that the strictest policy of a page allows it. */
import { encode } from "uqr";

const svgNamespace = "http://www.w3.org/2000/svg";

type Child = Node | string | undefined;

/** Makes an element with attributes and children. An attribute that is undefined is left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children.filter((c): c is Node | string => c !== undefined));
  return made;
}

function drawing(
  size: number,
  attributes: Record<string, string>,
  d: string,
  path: Record<string, string>,
): SVGElement {
  const svg = document.createElementNS(svgNamespace, "svg");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const line = document.createElementNS(svgNamespace, "path");
  line.setAttribute("d", d);
  for (const [key, value] of Object.entries(path)) line.setAttribute(key, value);
  svg.append(line);
  return svg;
}

/** Draws a QR code, dark on light in every theme, because readers expect that. */
export function qrCode(text: string, label: string): SVGElement {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  let d = "";
  for (const [y, line] of data.entries()) for (const [x, dark] of line.entries()) if (dark) d += `M${x} ${y}h1v1h-1z`;
  const attributes = { role: "img", "aria-label": label, "shape-rendering": "crispEdges", part: "code" };
  return drawing(size, attributes, d, { fill: "#000" });
}

const stroke = { fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round" };
const icon = (d: string): SVGElement => drawing(24, { width: "20", height: "20", "aria-hidden": "true" }, d, stroke);

export const icons = {
  pay: () => icon("M3 16h4V8l5 6 5-6v8h4"),
  close: () => icon("M6 6l12 12M18 6L6 18"),
  copy: () => icon("M9 9h10v11H9zM15 5H5v11"),
  code: () => icon("M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM19 19h1v1h-1z"),
};
