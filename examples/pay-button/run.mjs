// Serves the shop. With a port it keeps serving for your own browser; without one it opens the shop in Chromium, which
// has no wallet, presses the button, and prints the link that it shows and the page's text.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const sdk = new URL("../../web/sdk/", import.meta.url);
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://page");
  const file = pathname.startsWith("/glim/")
    ? new URL(`dist/${pathname.slice(6)}`, sdk)
    : new URL(`.${pathname === "/" ? "/index.html" : pathname}`, import.meta.url);
  try {
    const text = await readFile(fileURLToPath(file));
    response.writeHead(200, { "content-type": types[extname(file.pathname)] ?? "application/octet-stream" }).end(text);
  } catch {
    response.writeHead(404).end();
  }
});

const [, , port] = process.argv;
server.listen(Number(port ?? 0), "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}/`;
  if (port !== undefined) return console.log(`open ${url}`);
  const { chromium } = createRequire(sdk)("playwright-core");
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    timeout: 300_000,
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(300_000);
    await page.goto(url);
    await page.getByRole("button", { name: "Pay 0.25 XMR" }).click();
    console.log(await page.getByRole("dialog").getByRole("link").getAttribute("href"));
    console.log(await page.locator("pre").innerText());
  } finally {
    await browser.close();
    server.close();
  }
});
