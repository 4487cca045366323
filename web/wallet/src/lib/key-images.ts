/** Key images as the operations import_key_images and export_key_images have them. */
export interface KeyImages {
  offset: number;
  signed_key_images: { key_image: string; signature: string }[];
}

/** Returns key images as a file: the JSON of export_key_images. */
export function keyImagesFile(k: KeyImages): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(k));
}

const image = /^[0-9a-f]{64}$/i;
const signature = /^[0-9a-f]{128}$/i;

/** Reads such a file. What is none is an error; whether the images are right is for the engine to say. */
export function keyImages(bytes: Uint8Array): KeyImages {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error("this file holds no key images");
  }
  const { offset, signed_key_images: list } = (value ?? {}) as Record<string, unknown>;
  if (typeof offset !== "number" || !Number.isSafeInteger(offset) || offset < 0 || !Array.isArray(list)) throw new Error("this file holds no key images");
  return {
    offset,
    signed_key_images: list.map((entry: unknown) => {
      const e = (entry ?? {}) as Record<string, unknown>;
      if (typeof e.key_image !== "string" || typeof e.signature !== "string" || !image.test(e.key_image) || !signature.test(e.signature)) {
        throw new Error("this file holds no key images");
      }
      return { key_image: e.key_image, signature: e.signature };
    }),
  };
}
