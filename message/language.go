package message

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Only English is part of every program; package words has the others.
//
//go:embed words/en.yaml
var words embed.FS

// Language is the templates of one language. In a template {name} stands for an argument, and {name:form|form} for the
// form of a word that the count of that name takes, in which # stands for the count: {n:# record|# records},
// {n:is|are}. The forms follow in the order in which the file names them. {^name} begins with a capital. <person> and
// <people>, <Person> and <People> stand for whom the sentence speaks of (Sentence.Among).
type Language struct {
	tag       string
	forms     []string
	templates map[string][]piece
	of        string // whom sentences speak of; empty for people
	lacking   *bool  // is set where a sentence is not in the language; nil where nobody asks
}

// piece is a part of a template: words, an argument, or the forms of a count.
type piece struct {
	words   string
	name    string
	forms   []string
	capital bool
}

// English is the language of the terminal and of all pages. It is a variable for tests that reword it.
var English = sync.OnceValue(func() *Language {
	l, err := Load("en")
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return l
})

// rule is what a language has of its own besides words: the form that a count takes and the signs of numbers, those of
// numfmt where there are none. It is that of CLDR; the tables of all languages would add half a megabyte to every
// program.
type rule struct {
	one   int // the largest count that takes the form "one"; no count is negative
	least int // and the smallest
	signs *strings.Replacer
}

// rules are those of the languages that have a file.
var rules = map[string]rule{
	"en": {one: 1, least: 1},
	"de": {one: 1, least: 1, signs: strings.NewReplacer(",", ".", ".", ",")},
	"fr": {one: 1, signs: strings.NewReplacer(",", "\u202f", ".", ",", " %", "\u202f%")},
}

var pluralForms = []string{"zero", "one", "two", "few", "many", "other"}

// Load reads the templates of a language by its tag. Its errors name the key that is wrong.
func Load(tag string) (*Language, error) {
	data, err := words.ReadFile("words/" + tag + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("there are no sentences in %q: %w", tag, err)
	}
	return Read(tag, data)
}

// Read reads the templates of a language from a file. The file is YAML, and of YAML keeps to what read reads.
func Read(tag string, data []byte) (*Language, error) {
	if _, ok := rules[tag]; !ok {
		return nil, fmt.Errorf("sentences in %s: no rule says which form of a word a count takes", tag)
	}
	l := &Language{tag: tag, templates: map[string][]piece{}}
	return l, l.read(string(data))
}

// read takes a file line by line: forms in brackets, parts that are indented by two spaces each, and texts in quotes.
// Every start of the program reads its sentences, and a reader of all of YAML takes fifty times as long.
func (l *Language) read(text string) error {
	var under []string // the keys of the parts that the line may be in
	for n, line := range strings.Split(text, "\n") {
		entry := strings.TrimSpace(line)
		if entry == "" || entry[0] == '#' {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " "))
		key, value, ok := strings.Cut(entry, ":")
		if !ok || indent%2 != 0 || indent/2 > len(under) {
			return fmt.Errorf("sentences in %s: line %d is not a key and a text, two spaces inside its part", l.tag, n+1)
		}
		under = append(under[:indent/2], strings.Trim(key, `"`))
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		if err := l.add(under, value); err != nil {
			return fmt.Errorf("sentences in %s: line %d: %s: %w", l.tag, n+1, strings.Join(under, "."), err)
		}
		under = under[:indent/2]
	}
	return nil
}

// add takes what stands at a key: the forms, or a text. The keys of a text are joined by points.
func (l *Language) add(keys []string, value string) error {
	if len(keys) == 1 && keys[0] == "forms" {
		l.forms = strings.Split(strings.Trim(value, "[]"), ", ")
		for _, f := range l.forms {
			if !slices.Contains(pluralForms, f) {
				return fmt.Errorf("%q is not a plural form", f)
			}
		}
		return nil
	}
	key := strings.Join(keys[1:], ".")
	if keys[0] != "sentences" || key == "" || l.templates[key] != nil {
		return errors.New("is not under \"sentences:\", or is there twice")
	}
	text, err := unquote(value)
	if err != nil {
		return err
	}
	l.templates[key], err = l.parse(text)
	return err
}

// unquote reads a text in double or in single quotes.
func unquote(s string) (string, error) {
	inner, single := strings.CutPrefix(s, "'")
	inner, ends := strings.CutSuffix(inner, "'")
	if single && ends && !strings.Contains(strings.ReplaceAll(inner, "''", ""), "'") {
		return strings.ReplaceAll(inner, "''", "'"), nil
	}
	text, err := strconv.Unquote(s)
	if err != nil || s[0] != '"' {
		return "", errors.New("is not a text in quotes")
	}
	return text, nil
}

// parse takes a template apart.
func (l *Language) parse(s string) (out []piece, err error) {
	for s != "" {
		words, rest, found := strings.Cut(s, "{")
		if words != "" {
			out = append(out, piece{words: words})
		}
		if !found {
			return out, nil
		}
		inside, after, closed := strings.Cut(rest, "}")
		p := piece{}
		var forms string
		var counts bool
		if p.name, forms, counts = strings.Cut(inside, ":"); counts {
			p.forms = strings.Split(forms, "|")
		}
		p.name, p.capital = strings.CutPrefix(p.name, "^")
		switch {
		case !closed || p.name == "":
			return nil, fmt.Errorf("{%s is not closed, or names nothing", inside)
		case counts && len(p.forms) != len(l.forms):
			return nil, fmt.Errorf("{%s} has %d forms, the language %d", inside, len(p.forms), len(l.forms))
		}
		out, s = append(out, p), after
	}
	return out, nil
}

// ofPeople has the words for whom sentences speak of where nobody says.
const ofPeople = "subject.people"

// subjects writes the words for whom a sentence speaks of in their places.
func (l *Language) subjects(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	for n, word := range []string{"person", "people"} {
		for _, w := range []string{word, strings.ToUpper(word[:1]) + word[1:]} {
			if at := "<" + w + ">"; strings.Contains(text, at) {
				says := Say(cmp.Or(l.of, ofPeople)).Count("n", n+1)
				p := piece{capital: w != word}
				text = strings.ReplaceAll(text, at, l.fill(&p, says))
			}
		}
	}
	return text
}

// Say writes a sentence. A key that the language lacks is written itself; a test sees to it that there is none.
func (l *Language) Say(s Sentence) string {
	t := s.its()
	if t.of != "" && t.of != l.of {
		own := *l
		own.of, t.of = t.of, ""
		return own.Say(Sentence{&t})
	}
	pieces, ok := l.templates[t.key]
	switch {
	case t.whole:
		t.whole = false
		return whole(l.Say(Sentence{&t}))
	case len(t.args) == 1 && t.args[0].name == said: // a value alone, or words that were read
		return t.args[0].value.In(l)
	case t.key == "":
		return ""
	case !ok:
		if l.lacking != nil {
			*l.lacking = true
		}
		return "[" + t.key + "]"
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.name == "" {
			b.WriteString(l.subjects(p.words))
			continue
		}
		k := slices.IndexFunc(t.args, func(a argument) bool { return a.name == p.name })
		if k < 0 {
			b.WriteString("[" + p.name + "]")
			continue
		}
		b.WriteString(l.fill(&p, t.args[k].value))
	}
	return b.String()
}

// fill writes an argument in its place.
func (l *Language) fill(p *piece, v Value) string {
	s := v.In(l)
	if n, counts := v.(count); counts && p.forms != nil {
		s = strings.ReplaceAll(l.subjects(p.forms[l.form(int(n))]), "#", s)
	}
	if p.capital {
		r, n := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(r)) + s[n:]
	}
	return s
}

// form is the place of the form that a count takes.
func (l *Language) form(n int) int {
	form, r := "other", rules[l.tag]
	if r.least <= n && n <= r.one {
		form = "one"
	}
	if k := slices.Index(l.forms, form); k >= 0 {
		return k
	}
	return len(l.forms) - 1
}

// Tag is that of the language, as pages name it.
func (l *Language) Tag() string { return l.tag }

// Tell writes a sentence in the language or, where the language lacks it or a part of it, all of it in English, and
// returns the tag of the language that it is in.
func (l *Language) Tell(s Sentence) (text, tag string) {
	own, lacking := *l, false
	own.lacking = &lacking
	if text = own.Say(s); !lacking {
		return text, l.tag
	}
	return s.String(), English().tag
}

// Digits writes a number, as numfmt writes it, with the signs of the language.
func (l *Language) Digits(number string) string {
	if signs := rules[l.tag].signs; signs != nil {
		return signs.Replace(number)
	}
	return number
}

// chain joins sentences two by two by a template.
func (l *Language) chain(all []Sentence, key string) (out string) {
	for k, s := range all {
		if out = cmp.Or(out, l.Say(s)); k > 0 {
			out = l.Say(Say(key).Text("rest", out).Part("last", s))
		}
	}
	return out
}

// list joins names: a, b and c.
func (l *Language) list(all []string) string {
	n := len(all)
	if n < 2 {
		return strings.Join(all, "")
	}
	return l.Say(Say("list.and").Text("rest", strings.Join(all[:n-1], ", ")).Text("last", all[n-1]))
}
