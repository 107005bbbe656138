package ruletypes

import (
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Type is the type of a rule of the released tree (Islam 2007, section 7.3).
type Type byte

// The rule types.
const (
	A Type = 'A' // the same rule stands in the original tree
	B Type = 'B' // it differs in numeric limits only, or does so once combined with its like
	C Type = 'C' // neither, but it tests no totally innocent attribute
	D Type = 'D' // it tests an attribute that the original tree tests nowhere
)

// String returns the letter.
func (t Type) String() string { return string(rune(t)) }

// MarshalText writes the letter.
func (t Type) MarshalText() ([]byte, error) { return []byte{byte(t)}, nil }

// compare returns the type of every released rule and its best matching original rule, -1 if none.
func compare(attrs []table.Attribute, original, released []rule) ([]Type, []int) {
	m := newMatcher(attrs, original)
	types, match := make([]Type, len(released)), make([]int, len(released))
	rules := make([]keyed, len(released))
	for i := range released {
		rules[i] = m.number(&released[i])
		if types[i], match[i] = m.alone(&rules[i]); m.innocent(&released[i]) {
			types[i] = D
		}
	}
	m.combine(rules, func(i, o int) {
		if types[i] == C {
			types[i], match[i] = B, o
		}
	})
	counts := make([]int, len(original))
	for i := range rules {
		if match[i] < 0 {
			match[i] = m.likest(&rules[i], counts)
		}
	}
	return types, match
}

// Weigh returns the per cent of the records under rules of type A, B, C and D; all zero when there are no records.
func Weigh(types []Type, records []float64) (w [4]float64) {
	total := 0.0
	for i, t := range types {
		w[t-A] += records[i]
		total += records[i]
	}
	if total > 0 {
		for k := range w {
			w[k] = 100 * w[k] / total
		}
	}
	return w
}

// TreeClass is the class of a tree, by its published name. It is the same in every language.
type TreeClass string

// The classes of trees.
const (
	ExactlySame  TreeClass = "Exactly Same"
	VerySimilar  TreeClass = "Very Similar"
	Similar      TreeClass = "Similar"
	Dissimilar   TreeClass = "Dissimilar"
	Unclassified TreeClass = "Unclassified"
)

// classKeys are how the keys of their sentences end.
var classKeys = map[TreeClass]string{ExactlySame: "exactlySame", VerySimilar: "verySimilar", Similar: "similar",
	Dissimilar: "dissimilar", Unclassified: "unclassified"}

// Title is the class as a name.
func (c TreeClass) Title() message.Sentence {
	return message.Say("measure.ruletypes.title." + classKeys[c])
}

// Sentence is the class within a sentence.
func (c TreeClass) Sentence() message.Sentence {
	return message.Say("measure.ruletypes.class." + classKeys[c])
}

// Class returns the class of a tree by the weights of its rules, in per cent (Islam 2007, section 7.3). The definitions
// leave gaps; a tree in a gap is Unclassified.
func Class(weights [4]float64) TreeClass {
	a, d := weights[0], weights[3]
	switch {
	case a == 100:
		return ExactlySame
	case a >= 60 && d < 5:
		return VerySimilar
	case a > 15 && d < 5:
		return Similar
	case d > 10 && a < 10:
		return Dissimilar
	}
	return Unclassified
}
