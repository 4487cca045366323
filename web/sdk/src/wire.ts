/** JSON as wallet services send it: with 64-bit numbers, which JSON.parse would round. */

/** Returns JSON text in which whole numbers of 16 digits or more are strings, so that none loses digits. */
export function quoted(text: string): string {
  let out = "";
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const c = text[at] as string;
    if (c === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
      at++;
    } else if (c === "-" || (c >= "0" && c <= "9")) {
      const start = at++;
      let whole = true;
      for (; at < text.length && /[\d.eE+-]/.test(text[at] as string); at++) whole &&= /\d/.test(text[at] as string);
      if (whole && at - start >= 16) {
        out += `${text.slice(from, start)}"${text.slice(start, at)}"`;
        from = at;
      }
    } else at++;
  }
  return out + text.slice(from);
}
