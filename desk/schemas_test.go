package desk

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/segment/tree"
)

var update = flag.Bool("update", false, "write the schemas and docs/json.md")

// documentTypes are the types of the documents. The field of a list of the catalogue is called as its part is.
var documentTypes = map[string]any{
	"inspect": InspectDocument{}, "protect": ProtectDocument{}, "choose": ChooseDocument{},
	"tabulate": Tabulated{}, "sweep": Swept{}, "evaluate": EvaluateDocument{}, "attack": AttackDocument{},
	"verify": VerifyDocument{}, "compare": CompareDocument{}, "reconstruct": Reconstructed{},
	"clusters": MinedDocument{}, "model": MinedDocument{}, "tree": tree.File{},
	"classified": Classified{}, "itemsets": ItemsetsDocument{}, "rules": RulesDocument{},
	"counts": CountsDocument{}, "quantiles": QuantilesDocument{}, "budget": BudgetDocument{},
	"estimates": EstimatesDocument{}, "methods": entries{}, "measures": entries{},
	"miners": entries{}, "generators": entries{}, "entry": EntryDocument{},
	"plan": protect.File{}, "law": modelfile.Model{}, "record": record.Record{},
	"joint": JointTried{}, "joint-record": JointRecord{}, "protocols": JointProtocols{},
	"signed-record": envelope{}, "details": nil,
}

// entries is a list of the catalogue.
type entries struct {
	Schema  string  `json:"schema"`
	Entries []Entry `json:"entries"`
}

// envelope is a record as it is signed: a DSSE envelope.
type envelope struct {
	Payload     string      `json:"payload"`     // the record, base64
	PayloadType string      `json:"payloadType"` // application/vnd.dither.record.v3+json
	Signatures  []signature `json:"signatures"`
}

// signature is an Ed25519 signature.
type signature struct {
	KeyID string `json:"keyid"` // the fingerprint of the key, as ssh-keygen -l prints it
	Sig   string `json:"sig"`   // base64
}

// withEmpty are the types of words of which the empty one is a value that no constant names.
var withEmpty = map[reflect.Type]bool{reflect.TypeFor[profile.Order](): true, reflect.TypeFor[profile.Remark](): true,
	reflect.TypeFor[measure.UnitKind](): true}

// blocks are the kinds of blocks of a model.
var blocks = []document.Block{
	document.Prose{},
	document.List{},
	document.Facts{},
	document.Reasons{},
	document.Figures{},
	document.Table{},
	document.Charts{},
	document.Part{},
	document.Group{},
	document.Fold{},
}

var marshaler = reflect.TypeFor[json.Marshaler]()

// schemaMaker makes schemas of types. What source says of them becomes descriptions and words to choose from.
type schemaMaker struct {
	t     *testing.T
	said  map[string]string // comment by "package.Type" and "package.Type.Field"
	words map[string][]any  // constants by "package.Type"
	read  map[string]bool   // packages

	file  bool                    // of what is written by its package, not by WriteJSON
	named map[string]reflect.Type // by name of the definition
	defs  jsonschema.Definitions
}

// schema is that of a document, indented.
func (m *schemaMaker) schema(s Schema) []byte {
	m.file = s.Name == "plan" || s.Name == "law"
	m.named, m.defs = map[string]reflect.Type{}, jsonschema.Definitions{}
	out := newObject()
	if s.Name == "details" {
		for _, e := range catalog.Measures() {
			if d, ok := detailTypes[e.Name]; ok {
				out.Properties.Set(e.Name, m.of(reflect.TypeOf(d)))
			}
		}
	} else {
		root := reflect.TypeOf(documentTypes[s.Name])
		name := strings.TrimPrefix(m.of(root).Ref, "#/$defs/")
		out = m.defs[name]
		delete(m.defs, name)
	}
	if all, list := out.Properties.Delete("entries"); list { // it is called as the part is
		out.Properties.Set(s.Name, all)
		out.Required = []string{"schema", s.Name}
	}
	if s.Version > 0 {
		out.Properties.Set("schema", &jsonschema.Schema{Const: s.ID()})
	}
	out.Version, out.ID, out.Title, out.Definitions = jsonschema.Version, jsonschema.ID(s.URI()), "dither "+s.Name, m.defs
	out.Description = strings.ToUpper(s.What[:1]) + s.What[1:] + "."
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	must.NoError(m.t, e.Encode(out))
	return text.Bytes()
}

// newObject is an object without keys, which admits none.
func newObject() *jsonschema.Schema {
	none := jsonschema.FalseSchema
	return &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: none}
}

// of returns the schema of a type; a struct becomes a definition.
func (m *schemaMaker) of(t reflect.Type) *jsonschema.Schema {
	for t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch w, writes := reflect.Zero(t).Interface().(interface{ Written() any }); {
	case t.Name() == "Number" && t.Kind() == reflect.Float64:
		return &jsonschema.Schema{Extras: map[string]any{"type": []string{"number", "null"}}}
	case t.Kind() == reflect.Pointer:
		return orNull(m.of(t.Elem()))
	case strings.HasPrefix(t.Name(), "Kept["):
		return m.of(t.Field(0).Type)
	case t.Kind() == reflect.Interface, t == reflect.TypeFor[json.RawMessage](), t == reflect.TypeFor[policy.Roles](),
		t == reflect.TypeFor[policy.Words]():
		return &jsonschema.Schema{}
	case t == reflect.TypeFor[document.Blocks]():
		return &jsonschema.Schema{Type: "array", Items: m.block()}
	case writes:
		return m.of(reflect.TypeOf(w.Written()))
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return &jsonschema.Schema{Type: "string"}
	case t.Implements(marshaler):
		m.t.Fatalf("%v writes its JSON itself: what it writes is not known", t)
	}
	one := func() *jsonschema.Schema { return m.of(t.Elem()) }
	switch t.Kind() {
	case reflect.Struct:
		return m.object(t)
	case reflect.Slice:
		if t == reflect.TypeFor[[]byte]() { // base64
			return &jsonschema.Schema{Type: "string"}
		}
		list := &jsonschema.Schema{Type: "array", Items: one()}
		if m.file { // which may hold a list that is nil
			return orNull(list)
		}
		return list
	case reflect.Array:
		n := uint64(t.Len())
		return &jsonschema.Schema{Type: "array", Items: one(), MinItems: &n, MaxItems: &n}
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: one()}
	case reflect.String:
		m.source(t)
		s := &jsonschema.Schema{Type: "string", Enum: m.words[key(t)]}
		if withEmpty[t] {
			s.Enum = append(s.Enum[:len(s.Enum):len(s.Enum)], "")
		}
		return s
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint64, reflect.Uint8:
		return &jsonschema.Schema{Type: "integer"}
	}
	m.t.Fatalf("no schema for %v", t)
	return nil
}

// block is a block of one of the kinds.
func (m *schemaMaker) block() *jsonschema.Schema {
	ref := &jsonschema.Schema{Ref: "#/$defs/Block"}
	if m.defs["Block"] != nil {
		return ref
	}
	any := &jsonschema.Schema{}
	m.defs["Block"] = any // before its parts, which hold blocks
	for _, b := range blocks {
		t, s := reflect.TypeOf(b), newObject()
		m.source(t)
		s.Description = m.said[key(t)]
		s.Properties.Set("kind", &jsonschema.Schema{Const: document.KindOf(b)})
		s.Required = []string{"kind"}
		m.fields(s, t)
		any.AnyOf = append(any.AnyOf, s)
	}
	return ref
}

// orNull admits null besides.
func orNull(s *jsonschema.Schema) *jsonschema.Schema {
	switch {
	case s.Type != "" && len(s.Enum) == 0:
		s.Extras = map[string]any{"type": []string{s.Type, "null"}}
		s.Type = ""
		return s
	case s.Extras != nil: // a number, or null
		return s
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
}

// object makes the definition of a struct and returns a reference to it.
func (m *schemaMaker) object(t reflect.Type) *jsonschema.Schema {
	name := cmp.Or(strings.TrimSuffix(t.Name(), "Document"), t.Name())
	name = strings.ToUpper(name[:1]) + name[1:]
	if had := m.named[name]; had != nil && had != t {
		base := path.Base(t.PkgPath())
		name = strings.ToUpper(base[:1]) + base[1:] + name
	}
	ref := &jsonschema.Schema{Ref: "#/$defs/" + name}
	if had := m.named[name]; had == t {
		return ref
	} else if had != nil {
		m.t.Fatalf("%v and %v are both called %s", had, t, name)
	}
	s := newObject()
	m.named[name], m.defs[name] = t, s
	m.source(t)
	s.Description = m.said[key(t)]
	m.fields(s, t)
	return ref
}

// fields adds the fields of a struct to an object, those of what it embeds in their place.
func (m *schemaMaker) fields(s *jsonschema.Schema, t reflect.Type) {
	m.source(t)
	for f := range t.Fields() {
		name, more, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case f.Anonymous && name == "":
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			m.fields(s, inner)
		case f.IsExported():
			if name == "" {
				m.t.Errorf("%v: the field %s has no name in JSON", t, f.Name)
			}
			p := m.of(f.Type)
			p.Description = m.said[key(t)+"."+f.Name]
			s.Properties.Set(name, p)
			if !strings.Contains(more, "omit") {
				s.Required = append(s.Required, name)
			}
		}
	}
}

func key(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }

const module = "github.com/dither-data/dither/"

// source reads the package of a type: its comments, and the constants of types of words.
func (m *schemaMaker) source(t reflect.Type) {
	dir, own := strings.CutPrefix(t.PkgPath(), module)
	if !own || m.read[t.PkgPath()] {
		return
	}
	m.read[t.PkgPath()] = true
	files := must.Get(filepath.Glob(filepath.Join("..", dir, "*.go")))(m.t)
	for _, name := range files {
		f := must.Get(parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments))(m.t)
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, spec := range g.Specs {
					m.declared(t.PkgPath(), g, spec)
				}
			}
		}
	}
}

func (m *schemaMaker) declared(pkg string, g *ast.GenDecl, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		about := s.Doc
		if about == nil && len(g.Specs) == 1 {
			about = g.Doc
		}
		m.said[pkg+"."+s.Name.Name] = plain(new(doc.Package).Synopsis(about.Text()))
		if of, ok := s.Type.(*ast.StructType); ok {
			for _, f := range of.Fields.List {
				for _, n := range f.Names {
					m.said[pkg+"."+s.Name.Name+"."+n.Name] = plain(f.Doc.Text() + f.Comment.Text())
				}
			}
		}
	case *ast.ValueSpec:
		if of, ok := s.Type.(*ast.Ident); ok && g.Tok == token.CONST {
			for _, v := range s.Values {
				if l, ok := v.(*ast.BasicLit); ok && l.Kind == token.STRING {
					word := must.Get(strconv.Unquote(l.Value))(m.t)
					m.words[pkg+"."+of.Name] = append(m.words[pkg+"."+of.Name], word)
				}
			}
		}
	}
}

var nothing = regexp.MustCompile(`\b(nil|NaN)\b`)

// plain is a comment as a reader of JSON takes it: on one line, and nothing is null.
func plain(comment string) string {
	comment = strings.Join(strings.Fields(comment), " ")
	if first, rest, ok := strings.Cut(comment, "Document "); ok && first != "" && !strings.Contains(first, " ") {
		comment = first + " " + rest
	}
	return nothing.ReplaceAllString(comment, "null")
}

func newSchemaMaker(t *testing.T) *schemaMaker {
	return &schemaMaker{t: t, said: map[string]string{}, words: map[string][]any{}, read: map[string]bool{}}
}

// TestSchemasAreCurrent: the schemas are those of the types, one of every document, and the page lists them;
// go generate rewrites both.
func TestSchemasAreCurrent(t *testing.T) {
	m := newSchemaMaker(t)
	made := map[string][]byte{}
	for _, s := range Schemas() {
		if s.Name != "policy" {
			made["schemas/"+s.Name+".json"] = m.schema(s)
		}
	}
	page := must.Get(os.ReadFile("../docs/json.md"))(t)
	made["../docs/json.md"] = pageWith(t, page)
	for name, want := range made {
		if *update {
			must.NoError(t, os.WriteFile(name, want, 0o644))
		} else if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go generate ./desk", name)
		}
	}
	if files, err := os.ReadDir("schemas"); err != nil || len(files) != len(made)-1 {
		t.Errorf("%d files of %d schemas, %v", len(files), len(made)-1, err)
	}
}

// pageWith replaces the table of documents in the page.
func pageWith(t *testing.T, page []byte) []byte {
	var table strings.Builder
	table.WriteString("| `dither schema` | field `schema` | what | of |\n|---|---|---|---|\n")
	for _, s := range Schemas() {
		id := "none"
		if s.Version > 0 {
			id = "`" + s.ID() + "`"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", s.Name, id, s.What, s.From)
	}
	from, rest, ok := bytes.Cut(page, []byte("<!-- documents -->\n"))
	_, to, end := bytes.Cut(rest, []byte("<!-- end -->\n"))
	if !ok || !end {
		t.Fatal("docs/json.md has no place for the table of documents")
	}
	return fmt.Appendf(nil, "%s<!-- documents -->\n%s<!-- end -->\n%s", from, table.String(), to)
}
