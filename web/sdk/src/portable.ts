/** Wallet files as texts, because the extension's pages exchange messages as JSON. */

/** Encodes bytes in base64. */
export function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // An argument list has a limited length.
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return btoa(parts.join(""));
}

/** Decodes base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/** Whether bytes begin like the file of a wallet. Source: core/journal/header.go. */
export function isWallet(bytes: Uint8Array): boolean {
  const [start, version] = [String.fromCharCode(...bytes.subarray(0, 7)), bytes[7]];
  return start === "glimlog" && (version === 1 || version === 2);
}
