package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"glim/scripts/gen/describe"
)

// kotlin writes a service for mobile/kotlin: its objects, its codes, a class with a function for every operation.
func kotlin(s *describe.Service) []byte {
	w := &ktWriter{s: s}
	w.line("// Written by scripts/gen from core/%srpc: make gen writes it again.", s.Name)
	w.line("")
	w.line("package glim.rpc")
	w.line("")
	w.doc("", "Numbers of the failures that the "+s.Name+" service states.")
	w.line("object Code {")
	for _, c := range s.Codes {
		w.doc("    ", c.Doc)
		w.line("    const val %s = %d", shout(c.Name), c.Value)
	}
	w.line("}")
	for i := range s.Types {
		if t := &s.Types[i]; len(t.Fields) > 0 {
			w.object(t)
		}
	}
	w.line("")
	w.doc("", "Every operation of the "+s.Name+" service. What is left out of a request is its default.")
	w.line("class %sOperations(private val ask: Ask) {", strings.ToUpper(s.Name[:1])+s.Name[1:])
	for i, op := range s.Operations {
		if i > 0 {
			w.line("")
		}
		w.operation(op)
	}
	w.line("}")
	return w.b.Bytes()
}

type ktWriter struct {
	s *describe.Service
	b bytes.Buffer
}

func (w *ktWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

var (
	codeWord   = regexp.MustCompile(`\bCode([A-Z]\w*)`)
	ktKeywords = []string{"as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is",
		"null", "object", "package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof", "val", "var", "when", "while"}
)

func (w *ktWriter) doc(indent, text string) {
	if text == "" {
		return
	}
	text = codeWord.ReplaceAllStringFunc(text, func(s string) string { return "Code." + shout(strings.TrimPrefix(s, "Code")) })
	text = strings.ReplaceAll(strings.ReplaceAll(text, "*/", "* /"), "/*", "/ *")
	lines := wrapped(text, 124-len(indent))
	if len(lines) == 1 && len(indent)+len(lines[0]) <= 117 {
		w.line("%s/** %s */", indent, lines[0])
		return
	}
	w.line("%s/**", indent)
	for _, l := range lines {
		w.line("%s", strings.TrimRight(indent+" * "+l, " "))
	}
	w.line("%s */", indent)
}

func ktName(f describe.Field) string {
	name := humps(f.Name)
	if slices.Contains(ktKeywords, name) {
		return "`" + name + "`"
	}
	return name
}

func (w *ktWriter) typeOf(v describe.Value) string {
	switch v.Kind {
	case describe.Bool:
		return "Boolean"
	case describe.Integer:
		if v.Bits < 32 || v.Signed {
			return "Int"
		}
		return "Long"
	case describe.Big:
		if v.Signed {
			return "Long"
		}
		return "ULong"
	case describe.Float:
		return "Double"
	case describe.String:
		return "String"
	case describe.JSON:
		return "Any" // what Json.read returns
	case describe.List:
		return "List<" + w.typeOf(*v.Elem) + ">"
	}
	return v.Type
}

// initial returns a JSON default as Kotlin writes it.
func (w *ktWriter) initial(f describe.Field) string {
	text := absent(f)
	switch {
	case text == "":
		return "null"
	case text == "[]":
		return "emptyList()"
	case f.Value.Kind == describe.Big && !f.Value.Signed:
		return text + "uL"
	case w.typeOf(f.Value) == "Long":
		return text + "L"
	case f.Value.Kind == describe.Float && !strings.Contains(text, "."):
		return text + ".0"
	case f.Value.Kind == describe.String:
		return strings.ReplaceAll(text, "$", `\$`)
	}
	return text
}

func (w *ktWriter) object(t *describe.Type) {
	var names []string
	for _, f := range t.Fields {
		names = append(names, ktName(f))
	}
	once(t, names)
	w.line("")
	w.doc("", t.Doc)
	w.line("data class %s(", t.Name)
	for i, f := range t.Fields {
		typ := w.typeOf(f.Value)
		if may(f) {
			typ += "?"
		}
		if t.Request {
			if object := f.Value.Kind == describe.Object; object && !may(f) {
				typ += " = " + f.Value.Type + "()"
			} else {
				typ += " = " + w.initial(f)
			}
		}
		w.doc("    ", f.Doc)
		w.line("    val %s: %s,", names[i], typ)
	}
	w.b.Truncate(w.b.Len() - 2) // a comma before the end is for later Kotlins
	w.line("")
	w.line(")%s {", map[bool]string{true: " : Parameters"}[t.Request])
	if t.Request {
		w.line("    override fun write(to: JsonWriter) {")
		for i, f := range t.Fields {
			w.line("        %s", w.writing(f, names[i]))
		}
		w.line("    }")
	}
	if secret(t) {
		if t.Request {
			w.line("")
		}
		w.line("    override fun toString() = \"%s(…)\"", t.Name)
	}
	if t.Response {
		if t.Request || secret(t) {
			w.line("")
		}
		w.line("    companion object {")
		w.line("        internal fun read(from: JsonObject) = %s(", t.Name)
		for i, f := range t.Fields {
			end := ","
			if i+1 == len(t.Fields) {
				end = ""
			}
			w.line("            %s = %s%s", names[i], w.reading(f), end)
		}
		w.line("        )")
		w.line("    }")
	}
	w.line("}")
}

func (w *ktWriter) writing(f describe.Field, name string) string {
	if f.Value.Kind == describe.List {
		if f.Value.Elem.Kind == describe.List {
			panic("gen: lists of lists in requests are not written yet")
		}
		return fmt.Sprintf("to.list(%q, %s) { element(it) }", f.Name, name)
	}
	call := map[describe.Kind]string{describe.Bool: "bool", describe.Integer: "number", describe.Float: "number", describe.Big: "big",
		describe.String: "text", describe.JSON: "any", describe.Object: "value"}[f.Value.Kind]
	return fmt.Sprintf("to.%s(%q, %s)", call, f.Name, name)
}

func (w *ktWriter) reading(f describe.Field) string {
	suffix := ""
	if may(f) {
		suffix = "OrNull"
	}
	switch f.Value.Kind {
	case describe.List:
		return fmt.Sprintf("from.list(%q) { %s }", f.Name, w.readElement(*f.Value.Elem))
	case describe.Object:
		return fmt.Sprintf("from.value%s(%q) { %s.read(it) }", suffix, f.Name, f.Value.Type)
	case describe.JSON:
		return fmt.Sprintf("from.any(%q)", f.Name)
	}
	return fmt.Sprintf("from.%s%s(%q)", w.reader(f.Value), suffix, f.Name)
}

// reader names the function of JsonObject for a scalar; that of a lone value has an As before it.
func (w *ktWriter) reader(v describe.Value) string {
	typ := w.typeOf(v)
	if v.Kind == describe.Big && v.Signed {
		return "signed"
	}
	return map[string]string{"Boolean": "bool", "Int": "int", "Long": "long", "ULong": "big", "Double": "double", "String": "text"}[typ]
}

func (w *ktWriter) readElement(v describe.Value) string {
	switch v.Kind {
	case describe.Object:
		return v.Type + ".read(Json.asObject(it))"
	case describe.List:
		return "Json.asList(it) { " + w.readElement(*v.Elem) + " }"
	case describe.JSON:
		return "it"
	}
	r := w.reader(v)
	return "Json.as" + strings.ToUpper(r[:1]) + r[1:] + "(it)"
}

func (w *ktWriter) operation(op describe.Operation) {
	w.doc("    ", op.Doc)
	params, pass := "", `"{}"`
	if !isEmpty(w.s, op.Request) {
		params, pass = fmt.Sprintf("params: %s = %s()", op.Request.Type, op.Request.Type), "Json.write(params)"
	}
	name := lower(op.GoName)
	if isEmpty(w.s, op.Response) {
		w.line("    suspend fun %s(%s) {", name, params)
		w.line("        ask(%q, %s)", op.Name, pass)
		w.line("    }")
		return
	}
	w.line("    suspend fun %s(%s): %s =", name, params, op.Response.Type)
	w.line("        %s.read(Json.asObject(Json.read(ask(%q, %s))))", op.Response.Type, op.Name, pass)
}
