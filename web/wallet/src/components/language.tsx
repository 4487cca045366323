import { useApp } from "../lib/context.js";
import { languageFor, t } from "../lib/i18n.js";
import { languages } from "../messages/languages.js";
import { SelectField } from "./field.js";

/** Returns the text of the choice "auto" with the language that it means. */
function automatic(): string {
  return t("language.auto", { language: languages.find(([code]) => code === languageFor("auto"))?.[1] ?? "" });
}

/** Chooses the language of the app. Each is shown by its own name. */
export function LanguageField() {
  const { settings, change } = useApp();
  return (
    <SelectField
      label={t("language.language")}
      value={settings.language}
      onValue={(language) => void change({ language })}
      options={[["auto", automatic()], ...languages]}
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
      <option value="auto">{automatic()}</option>
      {languages.map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
