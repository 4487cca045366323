import { readdirSync } from "node:fs";
import { defineConfig } from "vite";

// Builds the unit tests, one program a file, for `node --test`.
export default defineConfig({
  build: {
    ssr: true,
    outDir: "dist-test",
    target: "node20",
    rollupOptions: {
      input: Object.fromEntries(
        readdirSync(new URL("./test", import.meta.url))
          .filter((name) => name.endsWith(".test.ts"))
          .map((name) => [name.slice(0, -3), new URL("./test/" + name, import.meta.url).pathname]),
      ),
      output: { entryFileNames: "[name].mjs" },
    },
  },
});
