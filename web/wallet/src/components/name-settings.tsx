import { useState } from "preact/hooks";
import { useApp, useWork } from "../lib/context.js";
import { t } from "../lib/i18n.js";
import { resolverAddress } from "../lib/settings.js";
import { Button } from "./button.js";
import { TextField } from "./field.js";
import { Form } from "./form.js";
import { Failed, Notice } from "./notice.js";

/** The settings of OpenAlias names: whether they are looked up, and by which resolver. */
export function NameSettings() {
  const { settings, change, platform, say } = useApp();
  const [text, setText] = useState(settings.resolver);
  const work = useWork();
  const resolver = resolverAddress(text);
  return (
    <Form
      busy={work.busy}
      class="stack"
      onSubmit={(e) => {
        e.preventDefault();
        if (resolver === undefined || resolver === settings.resolver) return;
        // The request must come first, while the browser knows that the user acted.
        const allowed = resolver === "" ? undefined : platform.allow?.([resolver]).catch(() => false);
        void work.run(async () => {
          await allowed;
          await change({ resolver });
          setText(resolver);
          say(resolver === "" ? t("openalias.off") : t("openalias.on"));
        });
      }}
    >
      <TextField
        label={t("openalias.resolver")}
        optional
        mono
        inputMode="url"
        value={text}
        onValue={setText}
        placeholder="https://dns.example/dns-query"
        error={resolver === undefined ? t("openalias.resolverLike") : undefined}
        hint={settings.resolver === "" ? undefined : t("openalias.turnOff")}
      />
      <Notice icon="eye">{t("openalias.sees")}</Notice>
      <Failed error={work.error} />
      <div class="row">
        <Button
          type="submit"
          busy={work.busy}
          aria-label={t("settings.actionOn", { action: t("common.save"), what: t("openalias.title") })}
          disabled={resolver === undefined || resolver === settings.resolver}
        >
          {t("common.save")}
        </Button>
      </div>
    </Form>
  );
}
