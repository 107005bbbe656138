package message

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/internal/testkit/must"
)

// code is what the builders say.
type code struct {
	fset *token.FileSet
	// by call of Say: the arguments that follow it at once, with the method that adds each
	chain map[ast.Node]map[string]string
	texts map[string]bool // every text, which may be a key
	heads []string        // keys of heads of columns
	begin []string        // how keys begin that are put together
}

// readCode reads the source of this package and of all that import it.
func readCode(t *testing.T) *code {
	t.Helper()
	c := &code{fset: token.NewFileSet(), chain: map[ast.Node]map[string]string{}, texts: map[string]bool{}}
	must.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(source, []byte("dither/message\"")) && filepath.Dir(path) != "../message" {
			return err
		}
		file, err := parser.ParseFile(c.fset, path, source, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, c.see)
		return nil
	}))
	return c
}

func (c *code) see(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BasicLit:
		c.texts[literal(n)] = true
	case *ast.CallExpr:
		if called(n) == "columns" && len(n.Args) > 1 && literal(n.Args[0]) != "" {
			for _, a := range n.Args[1:] {
				key, _, _ := strings.Cut(literal(a), " ")
				c.heads = append(c.heads, literal(n.Args[0])+"."+key)
			}
		}
		c.follow(n)
	}
	return true
}

// follow takes down the arguments of a chain of calls that begins with Say.
func (c *code) follow(call *ast.CallExpr) {
	args := map[string]string{}
	for at := call; ; {
		if called(at) == "Say" && len(at.Args) == 1 {
			if sum, ok := at.Args[0].(*ast.BinaryExpr); ok {
				c.begin = append(c.begin, leftmost(sum))
			}
			if len(args) >= len(c.chain[at]) { // the longest chain of all that begin here
				c.chain[at] = args
			}
			return
		}
		method, ok := at.Fun.(*ast.SelectorExpr)
		if !ok || len(at.Args) < 2 {
			return
		}
		inner, ok := method.X.(*ast.CallExpr)
		if !ok {
			return
		}
		args[literal(at.Args[0])] = method.Sel.Name
		at = inner
	}
}

// leftmost is the text that a sum of texts begins with; what is in a variable ends a key as no other does.
func leftmost(sum *ast.BinaryExpr) string {
	if inner, ok := sum.X.(*ast.BinaryExpr); ok {
		return leftmost(inner)
	}
	if s := literal(sum.X); s != "" {
		return s
	}
	return "\x00"
}

// called is the name of what is called, without the package.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if _, ok := f.X.(*ast.Ident); ok {
			return f.Sel.Name
		}
	}
	return ""
}

func literal(e ast.Expr) string {
	if s, ok := e.(*ast.BasicLit); ok && s.Kind == token.STRING {
		text, _ := strconv.Unquote(s.Value)
		return text
	}
	return ""
}

// TestEverySentence: a key that the code says is in the file with just these arguments, what has forms is a count, and
// no key is in the file that nobody says.
func TestEverySentence(t *testing.T) {
	english, c := English(), readCode(t)
	said := maps.Clone(c.texts)
	for key, args := range inPages(t) {
		said[key] = true
		if asked := argumentsOf(english.templates[key]); english.templates[key] == nil || !slices.Equal(asked, args) {
			t.Errorf("a page says %q with %q, and the file has it with %q", key, args, asked)
		}
	}
	for _, key := range c.heads {
		if said[key] = true; english.templates[key] == nil {
			t.Errorf("a table has the head %q, which the file lacks", key)
		}
	}
	for call, args := range c.chain {
		key := literal(call.(*ast.CallExpr).Args[0])
		if key == "" {
			continue // put together, or chosen before
		}
		at := c.fset.Position(call.Pos())
		template := english.templates[key]
		if template == nil {
			t.Errorf("%s: %q is not in the file", at, key)
			continue
		}
		asked := map[string]bool{}
		for _, p := range template {
			if p.name == "" {
				continue
			}
			asked[p.name] = true
			if args[p.name] == "" {
				t.Errorf("%s: %q asks for {%s}, which is not given", at, key, p.name)
			} else if p.forms != nil && args[p.name] != "Count" {
				t.Errorf("%s: %q has forms for {%s}, which is no count but added by %s", at, key, p.name, args[p.name])
			}
		}
		for given := range args {
			if !asked[given] {
				t.Errorf("%s: %q does not say %q", at, key, given)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(english.templates)) {
		put := slices.ContainsFunc(c.begin, func(b string) bool { return strings.HasPrefix(key, b) })
		if !said[key] && !put && !slices.Contains(spoken, key) {
			t.Errorf("nobody says %q", key)
		}
	}
}

// inPage is what a template says: the key, and the arguments in turn, those of text being names.
var (
	inPage   = regexp.MustCompile(`\{\{say "([^"]+)"([^}]*)\}\}`)
	anyNamed = regexp.MustCompile(` "([a-z]+)" `)
)

// inPages are the keys that the templates of the workbench say, with the names of the arguments.
func inPages(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	pages, err := filepath.Glob("../workbench/pages/*.html")
	if err != nil || len(pages) < 5 {
		t.Fatal(pages, err)
	}
	for _, path := range pages {
		text := must.Get(os.ReadFile(path))(t)
		for _, m := range inPage.FindAllStringSubmatch(string(text), -1) {
			args := []string{}
			for _, a := range anyNamed.FindAllStringSubmatch(m[2], -1) {
				args = append(args, a[1])
			}
			slices.Sort(args)
			out[m[1]] = args
		}
	}
	return out
}

// argumentsOf are the names of the arguments of a template, each once.
func argumentsOf(template []piece) []string {
	names := map[string]bool{}
	for _, p := range template {
		if p.name != "" {
			names[p.name] = true
		}
	}
	return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(names))))
}

// guided is how the keys begin of all that the guided path of the workbench says, and the verdict on it: what is in
// every language.
var guided = regexp.MustCompile(`^(stop|sentence|capital|list|state|subject|by|verdict|remark|read|suggested|why|workbench|` +
	`demand\.fewer)(\.|$)`)

// TestEveryLanguage: each language has the sentences of the guided path, all of them and no others, each with the
// arguments of the English one; and what has several forms has them of a number that has some in English, too.
func TestEveryLanguage(t *testing.T) {
	english := English()
	for tag := range rules {
		data := must.Get(os.ReadFile(filepath.Join("words", tag+".yaml")))(t)
		l := must.Get(Read(tag, data))(t)
		for _, key := range slices.Sorted(maps.Keys(english.templates)) {
			if l.templates[key] == nil {
				if guided.MatchString(key) && english.templates[key] != nil {
					t.Errorf("%s lacks %q", tag, key)
				}
				continue
			}
			if got, want := argumentsOf(l.templates[key]), argumentsOf(english.templates[key]); !slices.Equal(got, want) {
				t.Errorf("%s: %q says %q, and in English %q", tag, key, got, want)
			}
		}
		for key, template := range l.templates {
			if tag != "en" && (!guided.MatchString(key) || english.templates[key] == nil) {
				t.Errorf("%s has %q, which is not said on the path", tag, key)
			}
			for _, p := range template {
				if p.forms != nil && !slices.ContainsFunc(english.templates[key], func(e piece) bool { return e.name == p.name }) {
					t.Errorf("%s: %q has forms of {%s}", tag, key, p.name)
				}
			}
		}
	}
}

// TestTell: a sentence is in one language, numbers in it are written with the signs of that language, and what a
// language lacks, be it a part, is in English.
func TestTell(t *testing.T) {
	read := func(tag, text string) *Language {
		return must.Get(Read(tag, []byte("forms: [one, other]\nsentences:\n"+text)))(t)
	}
	de := read("de", "  list:\n    quoted: \"„{name}“\"\n    more: \"{names} und {n} weitere\"\n")
	fr := read("fr", "  list:\n    further: \"{first} et {n:# colonne|# colonnes}\"\n")
	for _, c := range []struct {
		l         *Language
		s         Sentence
		text, tag string
	}{
		{de, Say("list.quoted").Name("name", "1,5"), "„1,5“", "de"},
		{de, Say("list.more").Part("names", Share(0.1234)).Count("n", 12345), "12,3 % und 12.345 weitere", "de"},
		{de, Say("list.more").Part("names", Say("list.or").Text("rest", "a").Text("last", "b")).Count("n", 12345),
			"a, or b and 12,345 more", "en"},
		{fr, Say("list.further").Name("first", "a").Count("n", 0), "a et 0 colonne", "fr"},
		{fr, Say("list.further").Name("first", "a").Count("n", 12345), "a et 12\u202f345 colonnes", "fr"},
		{fr, Say("list.quoted").Name("name", "a"), "\"a\"", "en"},
	} {
		if text, tag := c.l.Tell(c.s); text != c.text || tag != c.tag {
			t.Errorf("%q in %s, expected %q in %s", text, tag, c.text, c.tag)
		}
	}
}

// spoken are the keys that the language itself says.
var spoken = []string{"list.and", "list.or", "list.columns"}

// TestForms: a count chooses the form of a word, a name is written as it is, and a begin has a capital.
func TestForms(t *testing.T) {
	l, err := Read("en", []byte("forms: [one, other]\nsentences:\n  a:\n    b: \"{^who} {n:has # record|have # records} "+
		"of {whole}\"\n"))
	must.NoError(t, err)
	for n, want := range map[int]string{0: "They have 0 records of {n} #", 1: "They has 1 record of {n} #",
		1234: "They have 1,234 records of {n} #"} {
		if got := l.Say(Say("a.b").Text("who", "they").Count("n", n).Name("whole", "{n} #")); got != want {
			t.Errorf("%d: %q, expected %q", n, got, want)
		}
	}
	if got := l.Say(Say("lacking")) + l.Say(Say("a.b").Text("who", "we")); got != "[lacking]We [n] of [whole]" {
		t.Errorf("%q", got)
	}
}

// TestIsYAML: the reader of plain lines reads what a reader of all of YAML reads.
func TestIsYAML(t *testing.T) {
	data := must.Get(words.ReadFile("words/en.yaml"))(t)
	for name, text := range map[string]string{
		"en.yaml": string(data),
		"quotes": "# of texts\nforms: [one, other]\n\nsentences:\n  a:\n    b: \"say \\\"{x}\\\" \\\\ \\n\"\n" +
			"    c: 'it''s: \"\\n\"'\n  \"on\": \"\"\n",
	} {
		var file struct {
			Forms     []string       `yaml:"forms"`
			Sentences map[string]any `yaml:"sentences"`
		}
		if err := yaml.UnmarshalWithOptions([]byte(text), &file, yaml.Strict()); err != nil {
			t.Fatal(name, err)
		}
		want := &Language{tag: "en", forms: file.Forms, templates: map[string][]piece{}}
		flatten(t, want, "", file.Sentences)
		got, err := Read("en", []byte(text))
		if err != nil {
			t.Fatal(name, err)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(Language{}, piece{})); d != "" {
			t.Errorf("%s: YAML (-) is not what is read (+):\n%s", name, d)
		}
	}
}

// flatten adds the templates of a part that a reader of YAML read.
func flatten(t *testing.T, l *Language, under string, part map[string]any) {
	t.Helper()
	for key, v := range part {
		if inner, ok := v.(map[string]any); ok {
			flatten(t, l, under+key+".", inner)
			continue
		}
		pieces := must.Get(l.parse(v.(string)))(t)
		l.templates[under+key] = pieces
	}
}

// TestWrongFile: a file that is wrong says where.
func TestWrongFile(t *testing.T) {
	const begin = "forms: [one, other]\nsentences:\n"
	for text, want := range map[string]string{
		"forms: [one, some]\n":               "some",
		begin + "  a:\n    b: 1\n":           "a.b: is not a text",
		begin + "  a:\n    b: \"{n:x}\"\n":   "1 forms",
		begin + "  a: \"{n\"\n":              "not closed",
		begin + "  a: \"{} empty\"\n":        "names nothing",
		begin + "more: \"x\"\n":              "more: is not under",
		"sentences: \"x\"\n":                 "sentences: is not under",
		begin + "  a: \"x\"\n  a: \"y\"\n":   "line 4: sentences.a: is not under \"sentences:\", or is there twice",
		begin + "  a: \"x\"\n    b: \"y\"\n": "line 4 is not",
		begin + "   a: \"x\"\n":              "line 3 is not",
		begin + "  a\n":                      "line 3 is not",
		begin + "  a: \"x\" # why\n":         "not a text in quotes",
		begin + "  a: 'it's'\n":              "not a text in quotes",
		begin + "  a: 'x\n":                  "not a text in quotes",
		begin + "  a: `x`\n":                 "not a text in quotes",
		begin + "  a: \"x\n":                 "not a text in quotes",
	} {
		if _, err := Read("en", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Load("xx"); err == nil {
		t.Error("a language without a file is read")
	}
}

// TestSharedSentence: a sentence that others are made of stays as it was.
func TestSharedSentence(t *testing.T) {
	s := Say("a").Text("w", "").Text("x", "").Text("z", "1")
	one, two := s.Text("y", "2"), s.Text("y", "3")
	if got := one.of.args[3].value.In(English()) + two.of.args[3].value.In(English()); len(s.of.args) != 3 || got != "23" {
		t.Errorf("%q, and the first has %d arguments", got, len(s.of.args))
	}
}

// TestAmong: a sentence speaks of people unless it is said to speak of others, and so do those it is made of, but for
// those of which it was said before; what is kept in a file still does.
func TestAmong(t *testing.T) {
	l := must.Get(Read("en", []byte("forms: [one, other]\nsentences:\n  subject:\n    people: \"{n:person|people}\"\n"+
		"    records: \"{n:record|records}\"\n    households: \"{n:household|households}\"\n"+
		"  a: \"<People> of {n:# <person>|# <people>}, <a> < {part}\"\n  b: \"one <person>\"\n")))(t)
	s := Say("a").Count("n", 2).Part("part", Say("b"))
	own := Say("a").Count("n", 1).Part("part", Say("b").Among("subject.households"))
	for _, c := range []struct {
		s    Sentence
		want string
	}{
		{s, "People of 2 people, <a> < one person"},
		{s.Among(""), "People of 2 people, <a> < one person"},
		{s.Among("subject.records"), "Records of 2 records, <a> < one record"},
		{own.Among("subject.records"), "Records of 1 record, <a> < one household"},
		{own, "People of 1 person, <a> < one household"},
		{s.Among("subject.records").Whole(), "Records of 2 records, <a> < one record."},
		{AllAmong([]Sentence{s}, "subject.records")[0], "Records of 2 records, <a> < one record"},
		{s.Among("subject.records").Among("subject.households"), "Households of 2 households, <a> < one household"},
	} {
		if got := l.Say(c.s); got != c.want {
			t.Errorf("%q, expected %q", got, c.want)
		}
		data := must.Get(json.Marshal(Stored(c.s)))(t)
		var back Stored
		if err := json.Unmarshal(data, &back); err != nil || l.Say(Sentence(back)) != c.want {
			t.Errorf("%s is read as %q, %v", data, l.Say(Sentence(back)), err)
		}
	}
	if !(Sentence{}).Among("subject.records").Empty() {
		t.Error("nothing says something")
	}
}

// TestSubjectsAreKnown: what stands in angle brackets in a template is a word for whom it speaks of.
func TestSubjectsAreKnown(t *testing.T) {
	words := regexp.MustCompile(`<[A-Za-z' ]+>`)
	for key, pieces := range English().templates {
		for _, p := range pieces {
			for _, w := range words.FindAllString(strings.Join(append(p.forms, p.words), " "), -1) {
				if !slices.Contains([]string{"<person>", "<people>", "<Person>", "<People>"}, w) {
					t.Errorf("%s has %s", key, w)
				}
			}
		}
	}
}
