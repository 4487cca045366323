// The mark as PNG files, drawn from public/mark.svg for manifests that want pictures.
import { readFileSync } from "node:fs";
import { deflateSync, crc32 } from "node:zlib";

const text = readFileSync(new URL("./public/mark.svg", import.meta.url), "utf8");
const numbers = (name, pattern) => {
  const match = pattern.exec(text);
  if (!match) throw new Error(`mark.svg has no ${name} of the kind that can be drawn here`);
  return match.slice(1).map((s) => (s.startsWith("#") ? colour(s) : Number(s)));
};
const colour = (s) => [1, 3, 5].map((at) => Number.parseInt(s.slice(at, at + 2), 16));

const [side, , corner, ground] = numbers("rect", /<rect width="(\d+)" height="(\d+)" rx="(\d+)" fill="(#\w{6})"/);
// The letter: an arc over more than half a circle, against the clock, and a line from its end.
const [x1, y1, radius, x2, y2, x3] = numbers(
  "path",
  /d="M([\d.]+) ([\d.]+)A([\d.]+) [\d.]+ 0 1 0 ([\d.]+) ([\d.]+)H([\d.]+)" fill="none"/,
);
const [line, stroke] = numbers("line", /stroke="(#\w{6})" stroke-width="([\d.]+)"/);
const [lightX, lightY, lightRadius, light] = numbers(
  "circle",
  /<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)" fill="(#\w{6})"/,
);

// The centre of the arc is on the perpendicular through the middle of its chord. Source: SVG 2, appendix B.2.4.
const half = Math.hypot(x2 - x1, y2 - y1) / 2;
const along = Math.sqrt(radius ** 2 - half ** 2) / (2 * half);
const [centreX, centreY] = [(x1 + x2) / 2 - (y2 - y1) * along, (y1 + y2) / 2 + (x2 - x1) * along];

/** Distances of a point to the parts of the mark; negative inside. */
const toGround = (x, y, rounding) => {
  const [dx, dy] = [x, y].map((v) => Math.abs(v - side / 2) - side / 2 + rounding);
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - rounding;
};
const toLetter = (x, y) => {
  const side1 = (x1 - centreX) * (y - centreY) - (y1 - centreY) * (x - centreX);
  const side2 = (x2 - centreX) * (y - centreY) - (y2 - centreY) * (x - centreX);
  const inGap = side1 > 0 && side2 < 0;
  const arc = inGap
    ? Math.min(Math.hypot(x - x1, y - y1), Math.hypot(x - x2, y - y2))
    : Math.abs(Math.hypot(x - centreX, y - centreY) - radius);
  const bar = Math.hypot(x - Math.min(Math.max(x, x3), x2), y - y2);
  return Math.min(arc, bar) - stroke / 2;
};
const toLight = (x, y) => Math.hypot(x - lightX, y - lightY) - lightRadius;

/**
 * Returns the mark as a PNG of so many pixels in width and height. With whole, the ground fills the square, for systems
 * that cut icons to their own shape.
 */
export function mark(size, whole = false) {
  const scale = (side / size) * (whole ? 1.25 : 1); // such systems may cut off a tenth at each side
  const cover = (distance) => Math.min(1, Math.max(0, 0.5 - distance / scale));
  const rows = [];
  for (let row = 0; row < size; row++) {
    const bytes = Buffer.alloc(1 + 4 * size);
    for (let column = 0; column < size; column++) {
      const [x, y] = [column, row].map((v) => (v + 0.5 - size / 2) * scale + side / 2);
      const alpha = whole ? 1 : cover(toGround(x, y, corner));
      let pixel = ground;
      for (const [over, paint] of [
        [cover(toLetter(x, y)), line],
        [cover(toLight(x, y)), light],
      ])
        pixel = pixel.map((v, i) => v + (paint[i] - v) * over);
      bytes.set([...pixel, 255 * alpha].map(Math.round), 1 + 4 * column);
    }
    rows.push(bytes);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
