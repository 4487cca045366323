// Package describe turns the lists of operations into plain data for generators of clients: names, members, types and
// defaults from the values, and comments from the source.
package describe

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// Service is the wallet or daemon service.
type Service struct {
	Name       string // wallet or daemon
	Operations []Operation
	Types      []Type // all objects of requests and answers, by name
	Codes      []Code // error codes, in the order of the source
}

// Operation is an operation of a service.
type Operation struct {
	Name       string // in the protocol
	GoName     string // of its Go variable, such as GetBalance
	Aliases    []string
	Doc        string
	Path       bool // called at /NAME; otherwise a JSON-RPC method
	Restricted bool // not available in a restricted service
	Request    Value
	Response   Value
}

// Kind is the JSON type of a value.
type Kind string

// The kinds. Integer has at most 32 bits, Big has 64 and is a string if the host sets rpc.Options.BigStrings.
const (
	Bool    Kind = "bool"
	Integer Kind = "integer"
	Big     Kind = "big"
	Float   Kind = "float"
	String  Kind = "string"
	JSON    Kind = "json" // any value
	List    Kind = "list"
	Object  Kind = "object"
)

// Value is the type of a member, a request or an answer.
type Value struct {
	Kind   Kind
	Signed bool   // of Integer and Big
	Bits   int    // of Integer and Big
	Elem   *Value // of List
	Type   string // of Object: the name of a Type
}

// Type is a JSON object.
type Type struct {
	Name   string
	Doc    string
	Fields []Field // in the order of the source, including those of embedded structs
	// Request and Response say where it occurs. In requests every member is optional and has a default.
	Request, Response bool
}

// Field is a member of an object.
type Field struct {
	Name   string // in JSON
	GoName string
	Doc    string
	Value  Value
	// Default is the JSON default of an absent member of a request; empty for the zero value.
	Default string
	// Optional members are omitted from answers if they are zero. Empty lists are always omitted, which is not recorded
	// here.
	Optional bool
	// Nullable members may be null in answers.
	Nullable bool
}

// Code is an error code.
type Code struct {
	Name  string // without the prefix Code
	Value int
	Doc   string
}

// Find returns the type with a name, which must exist.
func (s *Service) Find(name string) *Type {
	i := slices.IndexFunc(s.Types, func(t Type) bool { return t.Name == name })
	return &s.Types[i]
}

// Wallet describes the wallet service without the named operations. root is the folder of the module.
func Wallet(root string, without ...string) (*Service, error) {
	src, err := read(root, "core/walletrpc", "core/rpc")
	if err != nil {
		return nil, err
	}
	s := &Service{Name: "wallet"}
	for _, m := range append(walletrpc.Methods(), walletrpc.Beyond()...) {
		if slices.Contains(without, m.Name) {
			continue
		}
		err := s.add(src, Operation{Name: m.Name, Aliases: m.Aliases, Restricted: m.Restricted}, m.Request, m.Response)
		if err != nil {
			return nil, err
		}
	}
	return s, s.finish(src)
}

// Daemon describes the JSON operations of a daemon. Of operations with the same name it has the JSON-RPC one. root is
// the folder of the module.
func Daemon(root string) (*Service, error) {
	src, err := read(root, "core/daemonrpc", "core/rpc")
	if err != nil {
		return nil, err
	}
	s := &Service{Name: "daemon"}
	all := daemonrpc.Operations()
	for _, m := range all {
		twin := slices.ContainsFunc(all, func(o *rpc.Operation) bool {
			return o.Name == m.Name && o.Wire == rpc.JSONRPC
		})
		if m.Wire == rpc.Binary || strings.HasSuffix(m.Name, ".bin") || m.Wire == rpc.Path && twin {
			continue
		}
		op := Operation{Name: m.Name, Aliases: m.Aliases, Restricted: m.Restricted, Path: m.Wire == rpc.Path}
		if err := s.add(src, op, m.Request, m.Response); err != nil {
			return nil, err
		}
	}
	return s, s.finish(src)
}

func (s *Service) add(src *source, op Operation, request, response reflect.Type) (err error) {
	v, ok := src.operation(op.Name, op.Path)
	if !ok {
		return fmt.Errorf("describe: no variable declares %s", op.Name)
	}
	op.GoName, op.Doc = v.name, v.doc
	if op.Request, err = s.value(src, request, true); err != nil {
		return err
	}
	if op.Response, err = s.value(src, response, false); err != nil {
		return err
	}
	s.Operations = append(s.Operations, op)
	return nil
}

func (s *Service) finish(src *source) error {
	slices.SortFunc(s.Types, func(a, b Type) int { return strings.Compare(a.Name, b.Name) })
	s.Codes = src.codes
	if len(s.Codes) == 0 {
		return fmt.Errorf("describe: %s has no codes", s.Name)
	}
	return nil
}

var (
	rawType  = reflect.TypeFor[json.RawMessage]()
	textType = reflect.TypeFor[encoding.TextMarshaler]()
)

func (s *Service) value(src *source, t reflect.Type, request bool) (Value, error) {
	if t == rawType {
		return Value{Kind: JSON}, nil
	}
	if t.Implements(textType) {
		return Value{Kind: String}, nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.value(src, t.Elem(), request)
	case reflect.Bool:
		return Value{Kind: Bool}, nil
	case reflect.String:
		return Value{Kind: String}, nil
	case reflect.Float64:
		return Value{Kind: Float}, nil
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return Value{Kind: Integer, Bits: t.Bits()}, nil
	case reflect.Int8, reflect.Int16, reflect.Int32:
		return Value{Kind: Integer, Bits: t.Bits(), Signed: true}, nil
	case reflect.Uint64:
		return Value{Kind: Big, Bits: 64}, nil
	case reflect.Int64:
		return Value{Kind: Big, Bits: 64, Signed: true}, nil
	case reflect.Slice:
		elem, err := s.value(src, t.Elem(), request)
		return Value{Kind: List, Elem: &elem}, err
	case reflect.Struct:
		return Value{Kind: Object, Type: t.Name()}, s.object(src, t, request)
	}
	return Value{}, fmt.Errorf("describe: unsupported kind of type: %s", t)
}

func (s *Service) object(src *source, t reflect.Type, request bool) error {
	i := slices.IndexFunc(s.Types, func(known Type) bool { return known.Name == t.Name() })
	if i >= 0 && (request && s.Types[i].Request || !request && s.Types[i].Response) {
		return nil
	}
	if i < 0 {
		decl, ok := src.types[t.Name()]
		if !ok {
			return fmt.Errorf("describe: %s is declared in another package", t)
		}
		i = len(s.Types)
		s.Types = append(s.Types, Type{Name: t.Name(), Doc: decl.doc})
	}
	s.Types[i].Request = s.Types[i].Request || request
	s.Types[i].Response = s.Types[i].Response || !request
	fields, err := s.fields(src, t, request)
	s.Types[i].Fields = fields
	return err
}

func (s *Service) fields(src *source, t reflect.Type, request bool) (fields []Field, err error) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			inner, err := s.fields(src, f.Type, request)
			if err != nil {
				return nil, err
			}
			fields = append(fields, inner...)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		v, err := s.value(src, f.Type, request)
		if err != nil {
			return nil, err
		}
		optional := strings.Contains(options, "omitempty")
		field := Field{Name: name, GoName: f.Name, Doc: src.types[t.Name()].fields[f.Name], Value: v,
			Optional: optional,
			Nullable: f.Type.Kind() == reflect.Pointer && !optional}
		if text, ok := f.Tag.Lookup("default"); ok {
			field.Default = text
			if v.Kind == String {
				quoted, err := json.Marshal(text)
				if err != nil {
					return nil, err
				}
				field.Default = string(quoted)
			}
		}
		fields = append(fields, field)
	}
	return fields, nil
}
