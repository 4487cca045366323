import { render } from "preact";
import { Glim } from "glim";
import { App } from "./app.js";
import { webPage } from "./lib/platform.js";

render(<App start={(options, onFailed) => Glim.start({ ...options, onFailed })} platform={webPage()} />, document.getElementById("app")!);
