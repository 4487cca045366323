package describe

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// source is what only the source text of packages has: comments, names of variables, constants.
type source struct {
	types     map[string]declared
	variables []variable
	codes     []Code
}

type declared struct {
	doc    string
	fields map[string]string // comments by Go name
}

// variable declares an operation.
type variable struct {
	name, doc string
	operation string
	path      bool
}

// read reads packages of the module at root: types and operations of the first, codes of all.
func read(root string, packages ...string) (*source, error) {
	s := &source{types: map[string]declared{}}
	for i, pkg := range packages {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*.go"))
		if err != nil {
			return nil, err
		}
		slices.Sort(names)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			if err := s.file(f, i == 0); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return s, nil
}

func (s *source) file(f *ast.File, all bool) error {
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range decl.Specs {
			doc := decl.Doc
			switch x := spec.(type) {
			case *ast.TypeSpec:
				if x.Doc != nil {
					doc = x.Doc
				}
				if all {
					s.typeDecl(x, doc)
				}
			case *ast.ValueSpec:
				if x.Doc != nil {
					doc = x.Doc
				}
				if decl.Tok == token.CONST {
					if err := s.constants(x); err != nil {
						return err
					}
				} else if all {
					s.variable(x, doc)
				}
			}
		}
	}
	return nil
}

func (s *source) typeDecl(x *ast.TypeSpec, doc *ast.CommentGroup) {
	d := declared{doc: Sentence(x.Name.Name, doc.Text()), fields: map[string]string{}}
	if body, ok := x.Type.(*ast.StructType); ok {
		for _, f := range body.Fields.List {
			text := f.Doc.Text()
			if text == "" {
				text = f.Comment.Text()
			}
			for _, name := range f.Names {
				d.fields[name.Name] = Sentence(name.Name, text)
			}
		}
	}
	s.types[x.Name.Name] = d
}

// constants adds the constants whose names start with Code. They must be numbers.
func (s *source) constants(x *ast.ValueSpec) error {
	for i, name := range x.Names {
		short, ok := strings.CutPrefix(name.Name, "Code")
		if !ok || short == "" || i >= len(x.Values) {
			continue
		}
		text, sign := x.Values[i], 1
		if minus, ok := text.(*ast.UnaryExpr); ok && minus.Op == token.SUB {
			text, sign = minus.X, -1
		}
		lit, ok := text.(*ast.BasicLit)
		if !ok || lit.Kind != token.INT {
			return fmt.Errorf("describe: %s is not a number", name.Name)
		}
		n, err := strconv.Atoi(lit.Value)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(s.codes, func(c Code) bool { return c.Name == short }) {
			short = "RPC" + short // a code of JSON-RPC with the name of another code
		}
		s.codes = append(s.codes, Code{short, sign * n, Sentence(name.Name, x.Comment.Text())})
	}
	return nil
}

// variable adds x if it declares an operation: the first string of its value is the operation name.
func (s *source) variable(x *ast.ValueSpec, doc *ast.CommentGroup) {
	if len(x.Names) != 1 || len(x.Values) != 1 {
		return
	}
	v := variable{name: x.Names[0].Name, doc: Sentence(x.Names[0].Name, doc.Text())}
	ast.Inspect(x.Values[0], func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Ident:
			v.path = v.path || x.Name == "Path" // called at a plain path
		case *ast.BasicLit:
			if x.Kind == token.STRING && v.operation == "" {
				if text, err := strconv.Unquote(x.Value); err == nil {
					v.operation = text
				}
			}
		}
		return true
	})
	if v.operation != "" {
		s.variables = append(s.variables, v)
	}
}

func (s *source) operation(name string, path bool) (variable, bool) {
	i := slices.IndexFunc(s.variables, func(v variable) bool { return v.operation == name && v.path == path })
	if i < 0 {
		return variable{}, false
	}
	return s.variables[i], true
}

// Sentence returns a comment without the name that it starts with, one paragraph on each line. The first word after the
// name, without a leading "is", is capitalised; other comments are unchanged.
func Sentence(name, comment string) string {
	var paragraphs []string
	for p := range strings.SplitSeq(strings.TrimSpace(comment), "\n\n") {
		paragraphs = append(paragraphs, strings.Join(strings.Fields(p), " "))
	}
	text := strings.Join(paragraphs, "\n")
	rest, ok := strings.CutPrefix(text, name+" ")
	if !ok {
		return text
	}
	text = strings.TrimPrefix(strings.TrimPrefix(rest, "is "), "are ")
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
