// Package codebook is what files of statistics packages say of their variables besides values: the question in words,
// labels of codes, and codes that say why a value is missing.
//
// A variable of numbers whose values all have labels is a column of categories, named by the labels in the order of
// their codes; codes of missing values are categories, too, the last ones, so that they are perturbed like the others.
// Any other variable of numbers stays one, missing where such a code stands; the reasons are then categories of a
// column beside it, named like it with _missing. A file keeps its codes: the Variable that was read with a column goes
// to anyone who writes it, and a label finds its code there. So a release has the codes, the labels and the reasons of
// its original.
package codebook

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/table"
)

// Variable is what a file says of a column.
type Variable struct {
	Label   string   // the question in words
	Values  []Value  // of a column of categories, and labels that some of its numbers have
	Spare   []Value  // labels of texts that no record has
	Reasons []Value  // why values of a column of numbers are missing
	Why     string   // the column that holds the reasons
	Missing []Span   // numbers that a file declares to stand for missing values
	Words   []string // texts that it declares so
	Weight  bool     // the file weighs its records by it
}

// Value is a code of a variable.
type Value struct {
	Number float64
	Word   string // of a variable of texts
	Letter byte   // of Stata's missing values, a to z, and of SAS's, which has _ besides
	Label  string // what the file says that it means
	Bare   bool   // the file gives it no label
	Text   string // the category as which it is read: its label, or the code itself, and both where a label stands twice
}

// Span is the numbers from Lo to Hi.
type Span struct{ Lo, Hi float64 }

// Contains reports whether a number lies in the span.
func (s Span) Contains(v float64) bool { return s.Lo <= v && v <= s.Hi }

// IsMissing reports whether a number is declared to stand for a missing value.
func (v *Variable) IsMissing(x float64) bool {
	return slices.ContainsFunc(v.Missing, func(s Span) bool { return s.Contains(x) })
}

// Answers says what the variables of a set of multiple responses hold.
type Answers byte

const (
	Choices Answers = 'C' // each an answer, as a category
	YesNo   Answers = 'D' // whether the answer that the variable is named by was given
	Named   Answers = 'E' // the same, and the label of the value that is counted names the answer
)

// Responses is a set of variables that hold the answers to one question which takes several.
type Responses struct {
	Name    string // begins with $
	Label   string
	Kind    Answers
	Counted string // the value that says that an answer was given; of Choices empty
	From    string // of Named: 11 where the set is labelled by its first variable, else 1
	Columns []string
}

// ByNumber orders values by their codes.
func ByNumber(a, b Value) int {
	return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Letter, b.Letter), cmp.Compare(a.Word, b.Word))
}

// Bare is a number without a label, which stands for itself.
func Bare(x float64) Value {
	v := Value{Number: x, Bare: true}
	v.Label = v.Code()
	return v
}

// Code is the code as text.
func (v *Value) Code() string {
	switch {
	case v.Word != "":
		return v.Word
	case v.Letter != 0:
		return "." + string(rune(v.Letter))
	}
	return strconv.FormatFloat(v.Number, 'g', -1, 64)
}

// unique gives the values their texts, each another one.
func unique(values []Value) {
	labels := map[string]int{}
	for _, v := range values {
		labels[v.Label]++
	}
	taken := map[string]bool{}
	for k := range values {
		if v := &values[k]; labels[v.Label] == 1 {
			v.Text, taken[v.Label] = v.Label, true
		}
	}
	for k := range values {
		v := &values[k]
		if labels[v.Label] == 1 {
			continue
		}
		for v.Text = v.Label + " (" + v.Code() + ")"; taken[v.Text]; {
			v.Text += "'"
		}
		taken[v.Text] = true
	}
}

// Source is a variable of numbers as a file holds it.
type Source struct {
	Name, Label string
	Num         []float64 // NaN where nothing stands, and where a code says that the value is missing
	Why         []int32   // by record: which of Reasons, -1 for none; nil where no record has one
	Labels      []Value   // of numbers
	Reasons     []Value
	Missing     []Span
}

// FindReasons takes the codes of missing values, as Missing declares them, out of the numbers, and makes reasons of
// them, in the order of the codes: those that Reasons have labels for, and others that stand there. Cost: O(records).
func (s *Source) FindReasons() {
	if len(s.Missing) == 0 {
		return
	}
	declared := Variable{Missing: s.Missing}
	at := map[float64]int32{}
	for k, r := range s.Reasons {
		at[r.Number] = int32(k)
	}
	var fresh []float64
	for _, x := range s.Num {
		if _, ok := at[x]; !ok && declared.IsMissing(x) {
			at[x] = -1
			fresh = append(fresh, x)
		}
	}
	for _, x := range fresh {
		s.Reasons = append(s.Reasons, Bare(x))
	}
	sorting.Func(s.Reasons, ByNumber)
	for k, r := range s.Reasons {
		at[r.Number] = int32(k)
	}
	for i, x := range s.Num {
		if k, ok := at[x]; ok {
			if s.Why == nil {
				s.Why = slices.Repeat([]int32{-1}, len(s.Num))
			}
			s.Why[i], s.Num[i] = k, math.NaN()
		}
	}
}

// Columns returns the column of a variable, and behind it that of the reasons why its values are missing, if there are
// any or they are asked for. A kind that is told decides whether it has categories. Plain makes a column of the
// numbers. Cost: O(records).
func (s *Source) Columns(
	kind table.Kind,
	told, asked bool,
	plain func(num []float64) table.Column,
) ([]table.Column, Variable) {
	v := Variable{Label: s.Label, Missing: s.Missing}
	codes := make(map[float64]int32, len(s.Labels))
	for k, l := range s.Labels {
		codes[l.Number] = int32(k)
	}
	all := len(codes) > 0
	for _, x := range s.Num {
		if _, ok := codes[x]; !ok && x == x {
			if all = false; kind != table.Categorical || !told {
				break
			}
			codes[x] = -1
		}
	}
	if told && kind == table.Categorical || all && !told {
		return []table.Column{s.categories(&v, codes, all)}, v
	}
	cols := []table.Column{plain(s.Num)}
	v.Values = slices.Clone(s.Labels)
	unique(v.Values)
	if s.Why == nil && !asked {
		return cols, v
	}
	v.Why, v.Reasons = s.Name+"_missing", slices.Clone(s.Reasons)
	unique(v.Reasons)
	why := s.Why
	if why == nil {
		why = slices.Repeat([]int32{-1}, len(s.Num))
	}
	return append(cols, table.CatColumn(v.Why, texts(v.Reasons), why)), v
}

// categories returns the column of a variable whose numbers are codes: those that are given, and the others that stand
// there, by their number, and then the reasons.
func (s *Source) categories(v *Variable, codes map[float64]int32, all bool) table.Column {
	v.Values = slices.Clone(s.Labels)
	for x, k := range codes {
		if k < 0 {
			v.Values = append(v.Values, Bare(x))
		}
	}
	sorting.Func(v.Values, ByNumber)
	for k, l := range v.Values {
		codes[l.Number] = int32(k)
	}
	first := int32(len(v.Values))
	v.Values = append(v.Values, s.Reasons...)
	unique(v.Values)
	cat := make([]int32, len(s.Num))
	for i, x := range s.Num {
		switch {
		case x == x:
			cat[i] = codes[x]
		case s.Why != nil && s.Why[i] >= 0:
			cat[i] = first + s.Why[i]
		default:
			cat[i] = -1
		}
	}
	c := table.CatColumn(s.Name, texts(v.Values), cat)
	c.Declared = all
	return c
}

// Words returns a column of texts, some of which have labels, with its variable.
func Words(name, label string, words []string, cat []int32, labels []Value) (table.Column, Variable) {
	v := Variable{Label: label}
	if len(labels) == 0 {
		return table.CatColumn(name, words, cat), v
	}
	known := map[string]string{}
	for _, l := range labels {
		known[l.Word] = l.Label
	}
	for _, w := range words {
		l, ok := known[w]
		if !ok {
			l = w
		}
		v.Values = append(v.Values, Value{Word: w, Label: l, Bare: !ok})
	}
	unique(v.Values)
	for _, l := range labels {
		if !slices.Contains(words, l.Word) {
			v.Spare = append(v.Spare, l)
		}
	}
	return table.CatColumn(name, texts(v.Values), cat), v
}

func texts(values []Value) []string {
	var out []string
	for _, v := range values {
		out = append(out, v.Text)
	}
	return out
}

// Numbers is a column of numbers on the grid that they show.
func Numbers(name string) func(num []float64) table.Column {
	return func(num []float64) table.Column { return table.NumColumn(name, decimal.Grid(num), num) }
}

// Target is a variable as it is to be written.
type Target struct {
	Column  table.Column
	Var     Variable
	Coded   []Value // of categories: the code of each label, where the variable is one of numbers
	Why     []int32 // by record: which of Reasons a missing number is written as, -1 for none; nil for none at all
	Reasons []Value
	Labels  []Value // all that have a label in the file
}

// Targets returns the variables of a table by what was read with it. Reasons beside numbers go back into them, unless
// there is a reason that the original did not have: they are a variable of their own then. A label that the original
// did not have gets a whole number that is free. In a file that has letters for missing values the reasons have
// letters, in others none has. Cost: O(labels).
func Targets(t *table.Table, books map[string]Variable, letters bool) []Target {
	inside := map[int]bool{}
	var out []Target
	for j := range t.Width() {
		g := Target{Column: t.Column(j), Var: books[t.Attr(j).Name]}
		w := -1
		if g.Column.Kind == table.Numeric {
			if g.clash() {
				g.Var.Missing = nil
			} else if g.Var.Why != "" {
				w = t.Find(g.Var.Why)
			}
		}
		if g.Column.Kind == table.Numeric {
			g.Labels = slices.Clone(g.Var.Values)
		}
		if w >= 0 && t.Attr(w).Kind == table.Categorical && g.reasons(t.Attr(w).Labels, letters) {
			g.Why, inside[w] = t.Cat(w), true
			g.Labels = append(g.Labels, g.Reasons...)
		}
		out = append(out, g)
	}
	kept := out[:0]
	for j := range out {
		g := out[j]
		if inside[j] {
			continue
		}
		if g.Column.Kind == table.Categorical {
			g.code(letters)
		}
		g.Labels = slices.DeleteFunc(g.Labels, func(v Value) bool { return v.Bare })
		sorting.Func(g.Labels, ByNumber)
		kept = append(kept, g)
	}
	return kept
}

// clash reports whether a number stands for a missing value: noise may have led there. Dates are in other units than a
// file's.
func (g *Target) clash() bool {
	return g.Column.Dates == "" && len(g.Var.Missing) > 0 && slices.ContainsFunc(g.Column.Num, g.Var.IsMissing)
}

// mostCodes is the largest number that is looked at for a label.
const mostCodes = 1 << 24

// reasons finds the codes of labels, and reports whether all have one.
func (g *Target) reasons(labels []string, letters bool) bool {
	g.Reasons = nil
	taken := map[byte]bool{}
	for _, v := range g.Var.Reasons {
		taken[v.Letter] = true
	}
	next := byte('a')
	for _, l := range labels {
		k := slices.IndexFunc(g.Var.Reasons, func(v Value) bool { return v.Text == l })
		if k < 0 || !letters && g.Var.Reasons[k].Letter != 0 {
			return false
		}
		v := g.Var.Reasons[k]
		if letters && (v.Letter < 'a' || v.Letter > 'z') {
			for taken[next] {
				next++
			}
			v.Letter, next = next, next+1
		}
		g.Reasons = append(g.Reasons, v)
	}
	return next <= 'z'+1
}

// code gives every label a code: its own, or the smallest whole number from 1 on that is free.
func (g *Target) code(letters bool) {
	known, used := map[string]Value{}, map[float64]bool{}
	for _, v := range g.Var.Values {
		used[v.Number] = true
		if letters && v.Word != "" { // Stata's codes are numbers
			continue
		}
		if v.Letter == 0 || letters && v.Letter >= 'a' && v.Letter <= 'z' {
			known[v.Text] = v
		}
	}
	if !slices.ContainsFunc(g.Column.Labels, func(l string) bool { _, ok := known[l]; return ok }) {
		g.Var.Values, g.Var.Missing = nil, nil
		clear(used)
	}
	next := 0.0
	for _, l := range g.Column.Labels {
		v, ok := known[l]
		for !ok {
			if next++; next > mostCodes { // all further numbers are declared missing
				g.Var.Missing, next = nil, 1
			}
			if ok = !used[next] && !g.Var.IsMissing(next); ok {
				v, used[next] = Value{Number: next, Label: l, Text: l}, true
			}
		}
		g.Coded = append(g.Coded, v)
	}
	g.Labels = slices.Clone(g.Coded)
}
