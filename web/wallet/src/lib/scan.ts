// Reads QR codes: with the browser's own detector if it has one, otherwise with a library that is loaded on demand.

interface Detector {
  detect(source: ImageBitmapSource): Promise<{ rawValue: string }[]>;
}
declare const BarcodeDetector: {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};

/** Reads one QR code in a picture; "" if it finds no code. */
export type ReadQR = (picture: CanvasImageSource, width: number, height: number) => Promise<string>;

/** The largest side of a picture in which the library looks for a code, in pixels: a larger one takes longer. */
const largest = 1280;
/** How long the library may try again with a picture in which it has found no code yet, in milliseconds. */
const patience = 40;

/** Returns a reader of QR codes. */
export async function qrReader(): Promise<ReadQR> {
  const own =
    "BarcodeDetector" in globalThis ? await BarcodeDetector.getSupportedFormats().catch((): string[] => []) : [];
  if (own.includes("qr_code")) {
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    return async (picture) => (await detector.detect(picture as ImageBitmapSource))[0]?.rawValue ?? "";
  }
  const { decodeQR } = await import("qr/decode.js");
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser cannot read pictures");
  return async (picture, width, height) => {
    const scale = Math.min(1, largest / Math.max(width, height));
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    try {
      return decodeQR({ data, width: canvas.width, height: canvas.height }, { format: "RGBA", timeLimit: patience });
    } catch {
      return ""; // how the library says that there is no code
    }
  };
}

/** Reads the QR code in an image file; "" if it finds no code. */
export async function readImage(read: ReadQR, bytes: Uint8Array): Promise<string> {
  const bitmap = await createImageBitmap(new Blob([bytes as BlobPart]));
  try {
    return await read(bitmap, bitmap.width, bitmap.height);
  } finally {
    bitmap.close();
  }
}
