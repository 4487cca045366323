import { render } from "preact";
import { Connected } from "./lib/desktop.js";
import { speak } from "./lib/i18n.js";
import { Gone } from "./pages/gone.js";
import { Root } from "./root.js";

/** Shows the app with the engine of `glim app`, until that ends. */
export async function desktop(root: HTMLElement): Promise<void> {
  await speak("auto");
  let ended = false;
  const connected = await Connected.open(() => {
    ended = true;
    render(<Gone ended />, root);
  });
  if (!connected) return render(<Gone ended={false} />, root);
  const platform = await connected.platform();
  if (!ended) render(<Root start={(options) => connected.start(options)} platform={platform} />, root);
}
