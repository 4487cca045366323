import { useEffect, useMemo, useState } from "preact/hooks";
import { encode } from "uqr";
import type { Codes } from "../lib/frames.js";
import { Button } from "./button.js";
import { t } from "../lib/i18n.js";

/** A QR code, dark on white in every theme, because readers expect that. */
export function QR({ text, label, large = false }: { text: string; label: string; large?: boolean }) {
  const { path, size } = useMemo(() => draw(text), [text]);
  return (
    <figure class={`qr${large ? " large" : ""}`}>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
        <path d={path} fill="#000" />
      </svg>
    </figure>
  );
}

function draw(text: string): { path: string; size: number } {
  const code = encode(text, { ecc: "M", border: 0 });
  let path = "";
  code.data.forEach((line, y) => {
    for (let x = 0; x < line.length; x++) {
      if (!line[x]) continue;
      let end = x;
      while (line[end + 1]) end++;
      path += `M${x} ${y}h${end - x + 1}v1h-${end - x + 1}z`;
      x = end;
    }
  });
  return { path, size: code.size };
}

/** A sequence of QR codes, for data that is too large for one. */
export function AnimatedQR({ frames, label }: { frames: Codes; label: string }) {
  const [at, set] = useState(0);
  const [paused, pause] = useState(false);
  useEffect(() => {
    set(0);
    if (frames.length < 2 || paused) return;
    const timer = setInterval(() => set((n) => (n + 1) % frames.length), 220);
    return () => clearInterval(timer);
  }, [frames, paused]);
  const text = frames.at(Math.min(at, frames.length - 1));
  return (
    <div class="stack tight">
      <QR text={text} label={label} large />
      {frames.length > 1 && (
        <div class="row between">
          <span class="hint num">{t("qr.code", { number: at + 1, all: frames.length })}</span>
          <span class="row">
            {paused && (
              <Button small onClick={() => set((at + 1) % frames.length)}>
                {t("qr.next")}
              </Button>
            )}
            <Button small onClick={() => pause(!paused)} aria-pressed={paused}>
              {paused ? t("qr.resume") : t("qr.pause")}
            </Button>
          </span>
        </div>
      )}
    </div>
  );
}
