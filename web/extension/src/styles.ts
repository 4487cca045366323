import "../../wallet/src/styles/tokens.css";
import "../../wallet/src/styles/base.css";
import "../../wallet/src/styles/layout.css";
import "../../wallet/src/styles/components.css";
