package main

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
)

// where makes the compiler take what follows for the first line of one file, whatever the file.
const where = "line glim.go:1"

// onOneLine returns a source file with the same meaning all of which the compiler believes to be on the same line. Comments go, but
// those for the compiler.
func onOneLine(source []byte) ([]byte, error) {
	set := token.NewFileSet()
	var s scanner.Scanner
	var failure error
	s.Init(set.AddFile("", -1, len(source)), source, func(at token.Position, message string) {
		failure = fmt.Errorf("line %d: %s", at.Line, message)
	}, scanner.ScanComments)
	var out bytes.Buffer
	out.WriteString("//" + where + "\n")
	for {
		_, t, text := s.Scan()
		switch {
		case t == token.EOF:
			return out.Bytes(), failure
		case t == token.COMMENT && strings.HasPrefix(text, "//go:"):
			out.WriteString("\n" + text + "\n//" + where + "\n")
		case t == token.COMMENT:
			out.WriteByte(' ')
		case t == token.SEMICOLON:
			out.WriteByte(';') // also one that a line's end stood for
		case t.IsLiteral():
			out.WriteString(" " + text)
			if strings.Contains(text, "\n") {
				out.WriteString("/*" + where + ":1*/")
			}
		default:
			out.WriteString(" " + t.String())
		}
	}
}
