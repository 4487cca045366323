package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"glim/scripts/gen/describe"
)

// swift writes a service for mobile/swift: its objects, its codes, a type with a function for every operation.
func swift(s *describe.Service) []byte {
	w := &swiftWriter{s: s}
	w.line("// Written by scripts/gen from core/%srpc: make gen writes it again.", s.Name)
	w.line("")
	w.line("import Foundation")
	w.line("")
	w.doc("", "Numbers of the failures that the "+s.Name+" service states.")
	w.line("public enum Code {")
	for _, c := range s.Codes {
		w.doc("    ", c.Doc)
		name := lower(c.Name)
		if name == "internal" { // a keyword
			name = "`internal`"
		}
		w.line("    public static let %s = %d", name, c.Value)
	}
	w.line("}")
	w.line("")
	w.line("extension RPC {")
	first := true
	for i := range s.Types {
		if t := &s.Types[i]; len(t.Fields) > 0 {
			if !first {
				w.line("")
			}
			first = false
			w.object(t)
		}
	}
	w.line("}")
	w.line("")
	w.doc("", "Every operation of the "+s.Name+" service. What is left out of a request is its default.")
	w.line("public struct %sOperations: Sendable {", strings.ToUpper(s.Name[:1])+s.Name[1:])
	w.line("    let ask: RPC.Ask")
	for _, op := range s.Operations {
		w.line("")
		w.operation(op)
	}
	w.line("}")
	return w.b.Bytes()
}

type swiftWriter struct {
	s *describe.Service
	b bytes.Buffer
}

func (w *swiftWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

var swiftKeywords = []string{"as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
	"else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
	"internal", "is", "let", "nil", "open", "operator", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
	"struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while"}

func (w *swiftWriter) doc(indent, text string) {
	if text == "" {
		return
	}
	text = codeWord.ReplaceAllStringFunc(text, func(s string) string { return "Code." + lower(strings.TrimPrefix(s, "Code")) })
	for _, l := range wrapped(text, 124-len(indent)) {
		w.line("%s", strings.TrimRight(indent+"/// "+l, " "))
	}
}

func swiftWord(name string) string {
	if slices.Contains(swiftKeywords, name) {
		return "`" + name + "`"
	}
	return name
}

func (w *swiftWriter) typeOf(v describe.Value) string {
	switch v.Kind {
	case describe.Bool:
		return "Bool"
	case describe.Integer, describe.Big:
		if v.Signed {
			return fmt.Sprintf("Int%d", v.Bits)
		}
		return fmt.Sprintf("UInt%d", v.Bits)
	case describe.Float:
		return "Double"
	case describe.String:
		return "String"
	case describe.JSON:
		return "JSONValue"
	case describe.List:
		return "[" + w.typeOf(*v.Elem) + "]"
	}
	return v.Type
}

func (w *swiftWriter) object(t *describe.Type) {
	var names []string
	for _, f := range t.Fields {
		names = append(names, swiftWord(humps(f.Name)))
	}
	once(t, names)
	codable := "Codable"
	switch {
	case !t.Request:
		codable = "Decodable"
	case !t.Response:
		codable = "Encodable"
	}
	w.doc("    ", t.Doc)
	if secret(t) {
		codable += ", Secretive"
	}
	w.line("    public struct %s: %s, Hashable, Sendable {", t.Name, codable)
	for i, f := range t.Fields {
		typ := w.typeOf(f.Value)
		if may(f) {
			typ += "?"
		}
		w.doc("        ", f.Doc)
		w.line("        public var %s: %s", names[i], typ)
	}
	w.line("")
	w.line("        enum CodingKeys: String, CodingKey {")
	for i, f := range t.Fields {
		w.line("            case %s = %q", names[i], f.Name)
	}
	w.line("        }")
	if t.Request {
		w.initialiser(t, names)
		w.encoding(t, names)
	}
	if t.Response {
		w.decoding(t, names)
	}
	w.line("    }")
}

// initial returns a JSON default as Swift writes it.
func (w *swiftWriter) initial(f describe.Field) string {
	if f.Value.Kind == describe.Object && !may(f) {
		return f.Value.Type + "()"
	}
	if text := absent(f); text != "" {
		return text // numbers, texts, switches and empty lists are written alike
	}
	return "nil"
}

func (w *swiftWriter) initialiser(t *describe.Type, names []string) {
	w.line("")
	w.line("        public init(")
	for i, f := range t.Fields {
		typ, end := w.typeOf(f.Value), ","
		if may(f) {
			typ += "?"
		}
		if i+1 == len(t.Fields) {
			end = ""
		}
		w.line("            %s: %s = %s%s", names[i], typ, w.initial(f), end)
	}
	w.line("        ) {")
	for _, n := range names {
		w.line("            self.%s = %s", n, n)
	}
	w.line("        }")
}

func (w *swiftWriter) encoding(t *describe.Type, names []string) {
	w.line("")
	w.line("        public func encode(to encoder: Encoder) throws {")
	w.line("            var to = encoder.container(keyedBy: CodingKeys.self)")
	for i, f := range t.Fields {
		call, value := "encode", names[i]
		if may(f) {
			call = "encodeIfPresent"
		}
		if f.Value.Kind == describe.Big {
			if value = "Big(" + names[i] + ")"; may(f) {
				value = names[i] + ".map { Big($0) }"
			}
		} else if f.Value.Kind == describe.List && f.Value.Elem.Kind == describe.Big {
			value = names[i] + ".map { Big($0) }"
		}
		w.line("            try to.%s(%s, forKey: .%s)", call, value, names[i])
	}
	w.line("        }")
}

func (w *swiftWriter) decoding(t *describe.Type, names []string) {
	w.line("")
	w.line("        public init(from decoder: Decoder) throws {")
	w.line("            let from = try decoder.container(keyedBy: CodingKeys.self)")
	for i, f := range t.Fields {
		w.line("            %s = %s", names[i], w.reading(f, names[i]))
	}
	w.line("        }")
}

func (w *swiftWriter) reading(f describe.Field, name string) string {
	v := f.Value
	call, suffix := "decode", ""
	if may(f) {
		call = "decodeIfPresent"
	}
	typ := w.typeOf(v)
	switch {
	case v.Kind == describe.Big:
		typ, suffix = "Big<"+typ+">", ".value"
		if may(f) {
			suffix = "?.value"
		}
	case v.Kind == describe.List:
		call = "decodeIfPresent" // those that are empty are left out
		if v.Elem.Kind == describe.Big {
			typ, suffix = "[Big<"+w.typeOf(*v.Elem)+">]", "?.map { $0.value }"
		} else if v.Elem.Kind == describe.List && v.Elem.Elem.Kind == describe.Big {
			typ, suffix = "[[Big<"+w.typeOf(*v.Elem.Elem)+">]]", "?.map { $0.map { $0.value } }"
		}
		suffix += " ?? []"
	}
	return fmt.Sprintf("try from.%s(%s.self, forKey: .%s)%s", call, typ, name, suffix)
}

func (w *swiftWriter) operation(op describe.Operation) {
	w.doc("    ", op.Doc)
	params, pass := "", "RPC.Nothing()"
	if !isEmpty(w.s, op.Request) {
		params, pass = fmt.Sprintf("_ params: RPC.%s = .init()", op.Request.Type), "params"
	}
	name := swiftWord(lower(op.GoName))
	if isEmpty(w.s, op.Response) {
		w.line("    public func %s(%s) async throws {", name, params)
		w.line("        _ = try await ask(%q, RPC.write(%s))", op.Name, pass)
	} else {
		w.line("    public func %s(%s) async throws -> RPC.%s {", name, params, op.Response.Type)
		w.line("        try RPC.read(await ask(%q, RPC.write(%s)))", op.Name, pass)
	}
	w.line("    }")
}
