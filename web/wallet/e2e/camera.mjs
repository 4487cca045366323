// What the camera sees: QR codes, one after the other, again and again.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { encode } from "uqr";
import { inFirefox } from "./browser.mjs";

/**
 * Shows QR codes to the camera of a page. path is the file that Chromium plays; Firefox gets a drawn picture instead.
 */
export async function film(page, path, texts) {
  const codes = texts.map((text) => encode(text, { ecc: "M", border: 4 }));
  if (!inFirefox) return write(path, codes);
  await page.evaluate(
    (codes) => {
      navigator.mediaDevices.getUserMedia = async () => {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 640;
        const c = canvas.getContext("2d");
        let at = 0;
        const draw = () => {
          const { data, size } = codes[at++ % codes.length];
          const scale = Math.floor(canvas.width / size);
          c.fillStyle = "#fff";
          c.fillRect(0, 0, canvas.width, canvas.height);
          c.fillStyle = "#000";
          for (const [y, line] of data.entries())
            for (const [x, dark] of line.entries()) if (dark) c.fillRect(x * scale, y * scale, scale, scale);
        };
        draw();
        const stream = canvas.captureStream();
        const timer = setInterval(() => {
          if (stream.getTracks().every((track) => track.readyState === "ended")) clearInterval(timer);
          else draw();
        }, 300);
        return stream;
      };
    },
    codes.map(({ data, size }) => ({ data, size })),
  );
}

/** Writes the codes as a raw video, three frames per code. */
async function write(path, codes) {
  const [width, height] = [640, 640];
  const out = createWriteStream(path);
  out.write(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  const grey = Buffer.alloc((width * height) / 2, 128);
  for (const code of codes) {
    const scale = Math.floor(width / code.size);
    const light = Buffer.alloc(width * height, 255);
    for (const [y, line] of code.data.entries()) {
      for (const [x, dark] of line.entries()) {
        if (dark)
          for (let k = 0; k < scale; k++)
            light.fill(0, (y * scale + k) * width + x * scale, (y * scale + k) * width + (x + 1) * scale);
      }
    }
    for (let k = 0; k < 3; k++) {
      out.write("FRAME\n");
      out.write(light);
      out.write(grey);
    }
  }
  out.end();
  await once(out, "finish");
}
