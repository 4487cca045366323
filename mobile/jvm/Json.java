package glim.jvm;

/** Reads the engine's JSON as far as the test needs it; apps have their own JSON library. */
final class Json {
    private Json() {}

    /** Returns the first member with this name anywhere in the text, without quotes, or null. */
    static String get(String json, String name) {
        int at = json.indexOf('"' + name + "\":");
        if (at < 0) return null;
        at += name.length() + 3;
        if (json.charAt(at) == '"') {
            StringBuilder b = new StringBuilder();
            for (int i = at + 1; json.charAt(i) != '"'; i++) {
                char c = json.charAt(i);
                if (c == '\\') {
                    c = json.charAt(++i);
                    switch (c) {
                        case 'n': c = '\n'; break;
                        case 'u': c = (char) Integer.parseInt(json.substring(i + 1, i + 5), 16); i += 4; break;
                        default: break;
                    }
                }
                b.append(c);
            }
            return b.toString();
        }
        int end = at;
        while (",]}".indexOf(json.charAt(end)) < 0) end++;
        return json.substring(at, end);
    }

    static long number(String json, String name) { return Long.parseLong(get(json, name)); }

    /** Counts how often one text occurs in another. */
    static int count(String json, String part) {
        int n = 0;
        for (int at = json.indexOf(part); at >= 0; at = json.indexOf(part, at + 1)) n++;
        return n;
    }

    static String quote(String s) {
        StringBuilder b = new StringBuilder("\"");
        for (char c : s.toCharArray()) {
            if (c == '"' || c == '\\' || c < ' ') b.append(String.format("\\u%04x", (int) c));
            else b.append(c);
        }
        return b.append('"').toString();
    }
}
