package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"glim/scripts/gen/describe"
)

// typescript writes a service as a module of web/sdk: its objects, its codes, a class with a method for every operation, and what the
// text of an answer does not say by itself: which of its strings are numbers, and which lists were left out because they are empty.
func typescript(s *describe.Service) []byte {
	w := &tsWriter{s: s}
	class := strings.ToUpper(s.Name[:1]) + s.Name[1:] + "Operations"
	w.line("// Written by scripts/gen from core/%srpc: make gen writes it again.", s.Name)
	w.line("")
	if w.usesJSON() {
		w.line(`import type { JSONValue, Shapes } from "./json.js";`)
	} else {
		w.line(`import type { Shapes } from "./json.js";`)
	}
	w.line(`import { Operations, type Ask, type CallOptions } from "./operation.js";`)
	w.line("")
	w.doc("", "Numbers of the failures that the "+s.Name+" service states.")
	w.line("export const Code = {")
	for _, c := range s.Codes {
		w.doc("  ", c.Doc)
		w.line("  %s: %d,", c.Name, c.Value)
	}
	w.line("} as const;")
	for i := range s.Types {
		w.object(&s.Types[i])
	}
	w.shapes()
	w.line("")
	w.doc("", "Every operation of the "+s.Name+" service. What is left out of params is its default.")
	w.line("export class %s extends Operations {", class)
	w.line("  constructor(ask: Ask) {")
	w.line("    super(ask, shapes);")
	w.line("  }")
	for _, op := range s.Operations {
		w.line("")
		w.operation(op)
	}
	w.line("}")
	return w.b.Bytes()
}

type tsWriter struct {
	s *describe.Service
	b bytes.Buffer
}

func (w *tsWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *tsWriter) usesJSON() bool {
	return slices.ContainsFunc(w.s.Types, func(t describe.Type) bool {
		return slices.ContainsFunc(t.Fields, func(f describe.Field) bool { return f.Value.Kind == describe.JSON })
	})
}

var tsCode = regexp.MustCompile(`\bCode([A-Z]\w*)`)

// doc writes a comment in lines that fit.
func (w *tsWriter) doc(indent, text string) {
	if text == "" {
		return
	}
	text = strings.ReplaceAll(tsCode.ReplaceAllString(text, "Code.$1"), "*/", "* /")
	const width = 124
	if len(indent)+len(text)+7 <= width && !strings.Contains(text, "\n") {
		w.line("%s/** %s */", indent, text)
		return
	}
	w.line("%s/**", indent)
	for p := range strings.SplitSeq(text, "\n") {
		line := indent + " *"
		for word := range strings.FieldsSeq(p) {
			if len(line)+1+len(word) > width {
				w.line("%s", line)
				line = indent + " *"
			}
			line += " " + word
		}
		w.line("%s", line)
	}
	w.line("%s */", indent)
}

// object writes a type as answers have it, or, when only requests do, with members that may be absent.
func (w *tsWriter) object(t *describe.Type) {
	w.line("")
	w.doc("", t.Doc)
	if len(t.Fields) == 0 {
		w.line("export type %s = Record<string, never>;", t.Name)
		return
	}
	w.line("export interface %s {", t.Name)
	for _, f := range t.Fields {
		doc, mark, typ := f.Doc, "", w.answerType(f.Value)
		switch {
		case !t.Response:
			mark, typ = "?", w.requestType(f.Value)
			if f.Default != "" {
				if doc = strings.TrimSuffix(doc, "."); doc != "" {
					doc += "; "
				}
				doc += f.Default + " when absent"
			}
		case f.Optional:
			mark = "?"
		case f.Nullable:
			typ += " | null"
		}
		w.doc("  ", doc)
		w.line("  %s%s: %s;", f.Name, mark, typ)
	}
	w.line("}")
}

func (w *tsWriter) scalar(v describe.Value) string {
	switch v.Kind {
	case describe.Bool:
		return "boolean"
	case describe.Integer, describe.Float:
		return "number"
	case describe.Big:
		return "bigint"
	case describe.String:
		return "string"
	case describe.JSON:
		return "JSONValue"
	}
	panic("unreachable: what is no list and no object is one of these")
}

func (w *tsWriter) answerType(v describe.Value) string {
	switch v.Kind {
	case describe.Object:
		return v.Type
	case describe.List:
		return w.answerType(*v.Elem) + "[]"
	}
	return w.scalar(v)
}

func (w *tsWriter) requestType(v describe.Value) string {
	switch v.Kind {
	case describe.Object:
		if w.s.Find(v.Type).Response {
			return "Partial<" + v.Type + ">" // the same object in an answer is complete
		}
		return v.Type
	case describe.List:
		return "readonly " + w.requestType(*v.Elem) + "[]"
	}
	return w.scalar(v)
}

// shape names what revive of json.ts has to do with a value; empty for nothing.
func (w *tsWriter) shape(v describe.Value) string {
	switch v.Kind {
	case describe.Big:
		return "n"
	case describe.Object:
		if w.isPlain(v.Type) {
			return ""
		}
		return v.Type
	case describe.List:
		return w.shape(*v.Elem) + "[]"
	}
	return ""
}

// isPlain reports whether an object is what JSON.parse makes of it.
func (w *tsWriter) isPlain(name string) bool {
	return !slices.ContainsFunc(w.s.Find(name).Fields, func(f describe.Field) bool { return w.shape(f.Value) != "" })
}

func (w *tsWriter) shapes() {
	w.line("")
	w.doc("", "What the text of an answer does not say: the members that are numbers of 64 bits, n, lists, [], and objects that have such.")
	w.line("export const shapes: Shapes = {")
	for i := range w.s.Types {
		t := &w.s.Types[i]
		if !t.Response || w.isPlain(t.Name) {
			continue
		}
		var members []string
		for _, f := range t.Fields {
			if shape := w.shape(f.Value); shape != "" {
				members = append(members, fmt.Sprintf("%s: %q", f.Name, shape))
			}
		}
		w.line("  %s: { %s },", t.Name, strings.Join(members, ", "))
	}
	w.line("};")
}

func (w *tsWriter) operation(op describe.Operation) {
	doc := op.Doc
	if len(op.Aliases) > 0 {
		doc += "\nOther names: " + strings.Join(op.Aliases, ", ") + "."
	}
	w.doc("  ", doc)
	params := w.requestType(op.Request)
	if op.Request.Kind == describe.Object {
		params += " = {}"
	}
	answer := w.answerType(op.Response)
	if op.Response.Kind == describe.Object && len(w.s.Find(op.Response.Type).Fields) == 0 {
		answer = "void"
	}
	name := op.Name
	if op.Path {
		name = "/" + name
	}
	w.line("  %s(params: %s, options?: CallOptions): Promise<%s> {", camel(op.Name), params, answer)
	w.line("    return this.call(%q, params, %q, options);", name, w.shape(op.Response))
	w.line("  }")
}

// camel returns the name of an operation as the name of a method.
func camel(name string) string {
	words := strings.Split(name, "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}
