import { useApp } from "../lib/context.js";
import { t } from "../lib/i18n.js";
import { languages } from "../messages/languages.js";
import { SelectField } from "./field.js";

/** Chooses the language of the app. Each is shown by its own name. */
export function LanguageField() {
  const { settings, change } = useApp();
  return (
    <SelectField
      label={t("language.language")}
      value={settings.language}
      onValue={(language) => void change({ language })}
      options={[["auto", t("language.auto")], ...languages]}
    />
  );
}

/** The same choice in one line, for pages without an open wallet. */
export function LanguageChoice() {
  const { settings, change } = useApp();
  return (
    <select
      class="language"
      aria-label={t("language.language")}
      value={settings.language}
      onChange={(e) => void change({ language: e.currentTarget.value })}
    >
      <option value="auto">{t("language.auto")}</option>
      {languages.map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
