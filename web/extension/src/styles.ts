import "../../wallet/src/styles/tokens.css";
import "../../wallet/src/styles/base.css";
import "../../wallet/src/styles/layout.css";
import "../../wallet/src/styles/controls.css";
import "../../wallet/src/styles/surfaces.css";
import "../../wallet/src/styles/content.css";
import "../../wallet/src/styles/overlays.css";
import "../../wallet/src/styles/pages.css";
