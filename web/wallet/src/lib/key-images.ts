import { Told } from "./errors.js";
import { t } from "./i18n.js";

/** Key images in the form of the operations import_key_images and export_key_images. */
export interface KeyImages {
  offset: number;
  signed_key_images: { key_image: string; signature: string }[];
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

// The latter has outputs of Monero's next hard fork.
const magics = [encode("Monero key image export"), encode("glim key images")];

/** Whether a file is that of monero-wallet-cli, Feather or glim, which is encrypted, and not the JSON of the RPC. */
export function isEncryptedFile(bytes: Uint8Array): boolean {
  return magics.some((magic) => magic.every((b, i) => bytes[i] === b));
}

const image = /^[0-9a-f]{64}$/i;
const signature = /^[0-9a-f]{128}$/i;

/**
 * Reads a file with the JSON of export_key_images, which earlier versions saved. It throws if the form is wrong; the
 * engine verifies the key images.
 */
export function keyImages(bytes: Uint8Array): KeyImages {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Told(t("keyImages.notFound"));
  }
  const { offset, signed_key_images: list } = (value ?? {}) as Record<string, unknown>;
  if (typeof offset !== "number" || !Number.isSafeInteger(offset) || offset < 0 || !Array.isArray(list))
    throw new Told(t("keyImages.notFound"));
  return {
    offset,
    signed_key_images: list.map((entry: unknown) => {
      const e = (entry ?? {}) as Record<string, unknown>;
      if (
        typeof e.key_image !== "string" ||
        typeof e.signature !== "string" ||
        !image.test(e.key_image) ||
        !signature.test(e.signature)
      ) {
        throw new Told(t("keyImages.notFound"));
      }
      return { key_image: e.key_image, signature: e.signature };
    }),
  };
}
