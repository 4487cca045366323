import { readdirSync } from "node:fs";
import { defineConfig } from "vite";

// Builds the unit tests, one program per file, for `node --test`; the frames of QR codes, which
// a test films; and the English messages, of which a test makes a language with long words.
export default defineConfig({
  build: {
    ssr: true,
    outDir: "dist-test",
    target: "node20",
    rollupOptions: {
      input: Object.fromEntries([
        ["frames", new URL("./src/lib/frames.ts", import.meta.url).pathname],
        ["english", new URL("./src/messages/en.ts", import.meta.url).pathname],
        ...readdirSync(new URL("./test", import.meta.url))
          .filter((name) => name.endsWith(".test.ts"))
          .map((name) => [name.slice(0, -3), new URL(`./test/${name}`, import.meta.url).pathname] as const),
      ]),
      output: { entryFileNames: "[name].mjs" },
    },
  },
});
