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

/** Returns a reader of QR codes. */
export async function qrReader(): Promise<ReadQR> {
  const own =
    "BarcodeDetector" in globalThis ? await BarcodeDetector.getSupportedFormats().catch((): string[] => []) : [];
  if (own.includes("qr_code")) {
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    return async (picture) => (await detector.detect(picture as ImageBitmapSource))[0]?.rawValue ?? "";
  }
  const { default: jsQR } = await import("jsqr");
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser cannot read pictures");
  return async (picture, width, height) => {
    // A larger picture takes longer and does not read better.
    const scale = Math.min(1, 900 / Math.max(width, height));
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return jsQR(data, canvas.width, canvas.height)?.data ?? "";
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
