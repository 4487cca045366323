/**
 * Decodes the labels of internationalised domain names, which the browser gives in their form for the DNS. Source:
 * RFC 3492, sections 5, 6.1 and 6.2.
 */

const [base, lowest, highest, skew, damp, firstBias, firstPoint] = [36, 1, 26, 38, 700, 72, 128];
/** The longest label of a domain name. Source: RFC 1035, section 2.3.4. */
const longest = 63;

/** Returns a label for people, such as "bücher" for "xn--bcher-kva". A label that cannot be decoded stays as it is. */
export function readable(label: string): string {
  if (!label.startsWith("xn--") || label.length > longest) return label;
  return decode(label.slice("xn--".length)) ?? label;
}

function decode(text: string): string | undefined {
  const cut = text.lastIndexOf("-");
  const points = [...text.slice(0, Math.max(cut, 0))].map((c) => c.codePointAt(0) ?? 0);
  let [point, i, bias] = [firstPoint, 0, firstBias];
  for (let at = cut + 1; at < text.length; ) {
    const start = i;
    let weight = 1;
    for (let k = base; ; k += base) {
      const digit = "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(text.charAt(at++) || "-");
      if (digit < 0) return undefined;
      i += digit * weight;
      const threshold = Math.min(Math.max(k - bias, lowest), highest);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    bias = adapt(i - start, points.length + 1, start === 0);
    point += Math.floor(i / (points.length + 1));
    i %= points.length + 1;
    if (point > 0x10ffff) return undefined;
    points.splice(i++, 0, point);
  }
  return String.fromCodePoint(...points);
}

function adapt(delta: number, count: number, first: boolean): number {
  let d = first ? Math.floor(delta / damp) : delta >> 1;
  d += Math.floor(d / count);
  let k = 0;
  for (; d > ((base - lowest) * highest) / 2; k += base) d = Math.floor(d / (base - lowest));
  return k + Math.floor(((base - lowest + 1) * d) / (d + skew));
}
