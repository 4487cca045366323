import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { App } from "./app.js";
import { demoKey, demoPlatform, takeOver, type DemoMode } from "./lib/demo.js";
import type { StartEngine } from "./lib/engine.js";
import type { Platform } from "./lib/platform.js";
import type { Settings } from "./lib/settings.js";

/** The app with the user's wallets or, in its place, with the demo. */
export function Root({ start, platform }: { start: StartEngine; platform: Platform }) {
  const [demo, show] = useState<boolean | undefined>(undefined);
  const [count, setCount] = useState(0);
  useEffect(() => {
    void platform.read(demoKey).then(
      (state) => show(Boolean(state) && platform.eraseDemo !== undefined),
      () => show(false),
    );
  }, [platform]);
  const apart = useMemo(() => demoPlatform(platform), [platform]);
  const mode = useMemo<DemoMode>(
    () => ({
      made: () => platform.write(demoKey, "ready"),
      ready: async () => (await platform.read(demoKey)) === "ready",
      async again() {
        const settings = await apart.read("settings");
        await platform.eraseDemo?.();
        await platform.write(demoKey, "making");
        if (settings) await apart.write("settings", settings);
        setCount((n) => n + 1);
      },
      async end() {
        await platform.eraseDemo?.();
        show(false);
      },
    }),
    [platform, apart],
  );
  const begin = useCallback(
    async (settings: Settings): Promise<void> => {
      await takeOver(platform, settings);
      await platform.write(demoKey, "making");
      show(true);
    },
    [platform],
  );
  if (demo === undefined) return null;
  return demo ? (
    <App key={`demo ${count}`} start={start} platform={apart} demo={mode} />
  ) : (
    <App key="own" start={start} platform={platform} {...(platform.eraseDemo && { onDemo: begin })} />
  );
}
