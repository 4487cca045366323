import { useEffect, useRef } from "preact/hooks";

/** Calls idle after so many minutes without input; 0 means never. Time during which the device was asleep counts. */
export function useIdle(minutes: number, idle: () => void): void {
  const call = useRef(idle);
  call.current = idle;
  useEffect(() => {
    if (minutes <= 0) return;
    let last = Date.now();
    const touch = (): void => {
      // After a sleep, the first input may arrive before the timer: it must not count as activity during that time.
      if (Date.now() - last < minutes * 60_000) last = Date.now();
    };
    const timer = setInterval(() => {
      last = Math.min(last, Date.now()); // the clock was set back
      if (Date.now() - last >= minutes * 60_000) call.current();
    }, 5_000);
    const events = ["pointerdown", "keydown", "wheel", "touchstart"] as const;
    for (const e of events) addEventListener(e, touch, { passive: true, capture: true });
    return () => {
      clearInterval(timer);
      for (const e of events) removeEventListener(e, touch, { capture: true });
    };
  }, [minutes]);
}
