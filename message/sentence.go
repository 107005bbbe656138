// Package message holds what dither says as sentences: keys of templates with typed arguments, never text. The
// templates stand in one file per language, words/LANGUAGE.yaml. A language turns a sentence into text, and nothing
// turns text back into it.
package message

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/text/numfmt"
)

// Sentence is a template of the language file with typed arguments, or, without a key, a single value. It is never
// text: a language turns it into text, and nothing turns text back into it. The zero Sentence says nothing.
type Sentence struct {
	of *template // shared and never changed: a sentence is handed on in many places, and so is small; nil says nothing
}

// template is what a sentence is made of.
type template struct {
	key   string
	args  []argument
	whole bool   // with a capital and a full stop
	of    string // whom it speaks of, as Among has it
}

// its is what a sentence is made of.
func (s Sentence) its() template {
	if s.of == nil {
		return template{}
	}
	return *s.of
}

// argument is a value with the name that the template has for it; a sentence without a key has one without a name.
type argument struct {
	name  string
	value Value
}

// Value is an argument that can be written in a language, such as a figure with its interval.
type Value interface{ In(l *Language) string }

// The types of arguments.
type (
	count  int     // of things, which decides between the forms of a word
	amount float64 // of things, in fractions
	share  float64 // in [0, 1]
	name   string  // from a file or a policy, written as it is there
	text   string  // that another package wrote
	names  []string
	some   struct { // the first of many names
		names []string
		all   int
	}
	parts struct {
		all     []Sentence
		between string
	}
	choices []Sentence
	number  struct{ value, step float64 }
	fixed   struct {
		value    float64
		decimals int
	}
	percent fixed // the same, in per cent: a share, whose sign the template has
	rounded struct {
		value  float64
		digits int
	}
)

func (v count) In(l *Language) string  { return l.Digits(numfmt.Count(float64(v))) }
func (v amount) In(l *Language) string { return l.Digits(numfmt.Count(float64(v))) }
func (v share) In(l *Language) string  { return l.Digits(numfmt.Percent(float64(v))) }
func (v name) In(*Language) string     { return string(v) }
func (v text) In(*Language) string     { return string(v) }
func (v names) In(l *Language) string  { return l.list(v) }
func (v number) In(l *Language) string { return l.Digits(numfmt.Number(v.value, v.step)) }
func (v fixed) In(l *Language) string  { return l.Digits(numfmt.Fixed(v.value, v.decimals)) }

func (v percent) In(l *Language) string { return fixed(v).In(l) }

func (v rounded) In(l *Language) string { return l.Digits(numfmt.Rounded(v.value, v.digits)) }

func (v some) In(l *Language) string {
	if left := v.all - len(v.names); left > 0 {
		return l.Say(Say("list.columns").Text("first", strings.Join(v.names, ", ")).Count("n", left))
	}
	return l.list(v.names)
}

func (v parts) In(l *Language) string {
	var all []string
	for _, s := range v.all {
		all = append(all, l.Say(s))
	}
	return strings.Join(all, v.between)
}

func (v choices) In(l *Language) string { return l.chain(v, "list.or") }

func (s Sentence) In(l *Language) string { return l.Say(s) }

// Say begins a sentence by the key of its template. Its arguments are added by the methods, each under the name that
// the template has for it. Neither is put in the place of its call: there are so many calls that programs would be
// larger by the hundredth part.
//
//go:noinline
func Say(key string) Sentence { return Sentence{&template{key: key}} }

func (s Sentence) with(argumentName string, v Value) Sentence {
	t := s.its()
	t.args = append(slices.Clip(t.args), argument{argumentName, v})
	return Sentence{&t}
}

// Count adds a number of things. A template may choose a form of a word by it.
//
//go:noinline
func (s Sentence) Count(as string, n int) Sentence { return s.with(as, count(n)) }

// Amount adds a number of things that may be a fraction, as of people who are found by ties.
//
//go:noinline
func (s Sentence) Amount(as string, n float64) Sentence { return s.with(as, amount(n)) }

// Share adds a share in [0, 1], which is written in per cent.
//
//go:noinline
func (s Sentence) Share(as string, v float64) Sentence { return s.with(as, share(v)) }

// Number adds a number in the digits that tell it from its neighbours on a scale of this step; 0 takes seven
// significant digits.
//
//go:noinline
func (s Sentence) Number(as string, v, step float64) Sentence { return s.with(as, number{v, step}) }

// Fixed adds a number with so many decimals.
//
//go:noinline
func (s Sentence) Fixed(as string, v float64, decimals int) Sentence {
	return s.with(as, fixed{v, decimals})
}

// Percent adds a share that is in per cent already, with so many decimals; the sign stands in the template.
//
//go:noinline
func (s Sentence) Percent(as string, v float64, decimals int) Sentence {
	return s.with(as, percent{v, decimals})
}

// Digits adds a number with so many significant digits.
//
//go:noinline
func (s Sentence) Digits(as string, v float64, digits int) Sentence {
	return s.with(as, rounded{v, digits})
}

// Term adds a number with so many significant digits, or as many as it takes for -1, as a formula has it that users may
// copy: without separators, and with the minus of keyboards.
//
//go:noinline
func (s Sentence) Term(as string, v float64, digits int) Sentence {
	return s.with(as, text(strconv.FormatFloat(v, 'g', digits, 64)))
}

// Figure adds a figure with its interval, or any other value that brings its own words.
//
//go:noinline
func (s Sentence) Figure(as string, f Value) Sentence { return s.with(as, f) }

// Name adds a name from a file or a policy.
//
//go:noinline
func (s Sentence) Name(as, v string) Sentence { return s.with(as, name(v)) }

// Names adds a list of names.
//
//go:noinline
func (s Sentence) Names(as string, v []string) Sentence { return s.with(as, names(v)) }

// Columns adds the names of columns, of which it writes so many at most, and how many more there are.
//
//go:noinline
func (s Sentence) Columns(as string, v []string, most int) Sentence {
	return s.with(as, some{v[:min(most, len(v))], len(v)})
}

// Listed adds names apart by commas.
//
//go:noinline
func (s Sentence) Listed(as string, v []string) Sentence {
	all := make([]Sentence, len(v))
	for k, n := range v {
		all[k] = Name(n)
	}
	return s.with(as, parts{all, ", "})
}

// Quoted adds names in quotation marks, apart by commas.
//
//go:noinline
func (s Sentence) Quoted(as string, v []string) Sentence {
	all := make([]Sentence, len(v))
	for k, n := range v {
		all[k] = Quoted(n)
	}
	return s.with(as, parts{all, ", "})
}

// Text adds words that another package wrote, such as the title of a technique.
//
//go:noinline
func (s Sentence) Text(as, v string) Sentence { return s.with(as, text(v)) }

// Parts adds sentences, apart by semicolons.
//
//go:noinline
func (s Sentence) Parts(as string, v []Sentence) Sentence { return s.with(as, parts{v, "; "}) }

// Choices adds what may be done, apart by the word or.
//
//go:noinline
func (s Sentence) Choices(as string, v []Sentence) Sentence { return s.with(as, choices(v)) }

// Part adds a sentence.
//
//go:noinline
func (s Sentence) Part(as string, v Sentence) Sentence { return s.with(as, v) }

// Empty reports whether the sentence says nothing.
func (s Sentence) Empty() bool { return s.of == nil || s.of.key == "" && len(s.of.args) == 0 }

// Whole is the sentence with a capital and a full stop, which a template that is part of others does not have.
func (s Sentence) Whole() Sentence {
	if s.Empty() {
		return s
	}
	t := *s.of
	t.whole = true
	return Sentence{&t}
}

// Among is the sentence with the words for what it speaks of in place of people: the template that has them, such as
// subject.records, chooses one by a count. Sentences that it is made of follow, but for those that have words of their
// own. An empty one leaves it as it is.
func (s Sentence) Among(words string) Sentence {
	if s.Empty() || words == "" {
		return s
	}
	t := *s.of
	t.of = words
	return Sentence{&t}
}

// AllAmong is Among of each.
func AllAmong(all []Sentence, words string) []Sentence {
	if words == "" {
		return all
	}
	out := make([]Sentence, len(all))
	for k, s := range all {
		out[k] = s.Among(words)
	}
	return out
}

// Key is that of the template; empty for a value alone.
func (s Sentence) Key() string { return s.its().key }

// Mentions reports whether a name is among the arguments of the sentence, or of those that it is made of.
func (s Sentence) Mentions(n string) bool {
	in := func(s Sentence) bool { return s.Mentions(n) }
	return slices.ContainsFunc(s.its().args, func(a argument) bool {
		switch v := a.value.(type) {
		case name:
			return string(v) == n
		case names:
			return slices.Contains(v, n)
		case some:
			return slices.Contains(v.names, n)
		case Sentence:
			return v.Mentions(n)
		case parts:
			return slices.ContainsFunc(v.all, in)
		case choices:
			return slices.ContainsFunc(v, in)
		}
		return false
	})
}

// Named is the name that the sentence has as an argument; empty where it has none of that kind.
func (s Sentence) Named(as string) string {
	for _, a := range s.its().args {
		if v, ok := a.value.(name); ok && a.name == as {
			return string(v)
		}
	}
	return ""
}

// IsName reports whether the sentence is a name alone, which may be written from right to left.
func (s Sentence) IsName() bool {
	t := s.its()
	if t.key != "" || len(t.args) != 1 {
		return false
	}
	_, is := t.args[0].value.(name)
	return is
}

// String is the sentence in English.
func (s Sentence) String() string { return English().Say(s) }

//go:noinline
func alone(v Value) Sentence { return Sentence{&template{args: []argument{{"", v}}}} }

// Name is a name from a file or a policy alone; nothing for an empty one.
func Name(s string) Sentence {
	if s == "" {
		return Sentence{}
	}
	return alone(name(s))
}

// Text is what another package wrote, as it is; nothing for an empty text.
func Text(s string) Sentence {
	if s == "" {
		return Sentence{}
	}
	return alone(text(s))
}

// Of is a value that brings its own words alone.
func Of(v Value) Sentence { return alone(v) }

// Choices is what may be done, apart by the word or; nothing for nothing.
func Choices(all []Sentence) Sentence {
	if len(all) == 0 {
		return Sentence{}
	}
	return alone(choices(all))
}

// Apart is sentences apart by semicolons; nothing for nothing.
func Apart(all []Sentence) Sentence {
	if len(all) == 0 {
		return Sentence{}
	}
	return alone(parts{all, "; "})
}

// Texts is Text of each.
func Texts(all []string) (out []Sentence) {
	for _, s := range all {
		out = append(out, Text(s))
	}
	return out
}

// Written is each in English.
func Written(all []Sentence) []string {
	out := make([]string, len(all))
	for k, s := range all {
		out[k] = s.String()
	}
	return out
}

// AllWhole is each that says something as a whole sentence.
func AllWhole(all []Sentence) (out []Sentence) {
	for _, s := range all {
		if !s.Empty() {
			out = append(out, s.Whole())
		}
	}
	return out
}

// Given is what another package wrote, as a whole sentence: with a capital and a full stop.
func Given(s string) Sentence { return Text(whole(s)) }

// Listed is sentences apart by commas.
func Listed(all []Sentence) Sentence {
	if all == nil {
		return Sentence{}
	}
	return alone(parts{all, ", "})
}

// First is sentences apart by commas, so many of them at most, and how many more there are.
func First(all []Sentence, most int) Sentence {
	if len(all) <= most {
		return Listed(all)
	}
	return Say("list.more").Part("names", Listed(all[:most])).Count("n", len(all)-most)
}

// Quoted is a name in quotation marks.
func Quoted(s string) Sentence { return Say("list.quoted").Name("name", s) }

// Column is the name of a column in quotation marks with its figure behind it.
func Column(s string, figure Sentence) Sentence {
	return Say("list.column").Name("column", s).Part("figure", figure)
}

// After is sentences one after another; those that say nothing are left out.
func After(all ...Sentence) Sentence {
	all = slices.DeleteFunc(slices.Clone(all), Sentence.Empty)
	if len(all) == 1 {
		return all[0]
	}
	return alone(parts{all, " "})
}

// Series is sentences apart by points, as of figures in a row.
func Series(all []Sentence) Sentence {
	if all == nil {
		return Sentence{}
	}
	return alone(parts{all, " · "})
}

// Alike reports whether two sentences differ in their figures alone: they have one template, and the same words in it.
func (s Sentence) Alike(o Sentence) bool {
	a, b := s.its(), o.its()
	return a.key == b.key && a.whole == b.whole && slices.EqualFunc(a.args, b.args, func(a, b argument) bool {
		return a.name == b.name && alike(a.value, b.value)
	})
}

func alike(v, w Value) bool {
	switch v := v.(type) {
	case count, amount, share, number, fixed, percent, rounded:
		return reflect.TypeOf(v) == reflect.TypeOf(w)
	case Sentence:
		o, is := w.(Sentence)
		return is && v.Alike(o)
	case parts:
		o, is := w.(parts)
		return is && v.between == o.between && slices.EqualFunc(v.all, o.all, Sentence.Alike)
	case choices:
		o, is := w.(choices)
		return is && slices.EqualFunc(v, o, Sentence.Alike)
	}
	return reflect.DeepEqual(v, w)
}

// Equal reports whether two sentences say the same by the same template.
func (s Sentence) Equal(o Sentence) bool { return reflect.DeepEqual(s, o) }

// Count is a number of things alone.
func Count(n int) Sentence { return alone(count(n)) }

// Share is a share in [0, 1] alone.
func Share(v float64) Sentence { return alone(share(v)) }

// Number is a number alone, as the method of that name writes it.
func Number(v, step float64) Sentence { return alone(number{v, step}) }

// Digits is a number with so many significant digits alone.
func Digits(v float64, digits int) Sentence { return alone(rounded{v, digits}) }

// Fixed is a number with so many decimals alone.
func Fixed(v float64, decimals int) Sentence { return alone(fixed{v, decimals}) }

// whole gives a text a capital and a full stop.
func whole(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}
	r := []rune(s)
	s = strings.ToUpper(string(r[:1])) + string(r[1:])
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
