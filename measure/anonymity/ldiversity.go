package anonymity

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// LDiversity measures how many values of a secret remain possible for a person in a known class: l-diversity
// (Machanavajjhala and others 2007).
//
// Released records that agree in every column the intruder knows are a class (package measure/internal/classes). For
// each attribute that is secret to the intruder, of which the values of a class occur r_1 >= ... >= r_m times and with
// shares p_1 ... p_m, the class has
//   - distinct l = m;
//   - entropy l = exp(-sum p_i ln p_i), so that the entropy is at least ln l (within 1e-9 of a whole number it is that
//     number);
//   - recursive (c,l): the largest l with r_1 < c (r_l + ... + r_m), and 1 where there is none.
//
// The score is the smallest l of any class and secret attribute by the parameter definition; parts give all three of
// every secret attribute, and the share of records in classes of one value, whose secret is told by finding the class.
// Numbers count by their values: of a continuous attribute nearly all are distinct however close, see tcloseness and
// intervaldisclosure. Each secret attribute is taken by itself.
//
// Where it is known which records are one person's, a value counts once for a person in a class, l is at most the
// number of people in the class, and a value that all of them have is told.
//
// It judges known values that are the persons' own or a group's, and does not apply where noise or swaps moved them:
// see package kanonymity for how that is told, and classdisclosure and attributeinference for these.
//
// Missing values: a missing known value is by default a value of its own, with missing=any it agrees with every value.
// A missing secret value is no value: what is left are those that are there. A class without any tells nothing and does
// not count; where no class has one, l is the number of records.
//
// Cost: O(n p + s (n + v log v)) for n records, p known and s secret columns with v distinct values, on all cores; with
// missing=any as package measure/internal/classes says.
//
// Reference: A. Machanavajjhala, D. Kifer, J. Gehrke and M. Venkitasubramaniam, "l-diversity: privacy beyond
// k-anonymity", ACM TKDD 1(1), 2007, definitions 4.1 and 4.2. The default c is that of sdcMicro.
var LDiversity = measure.Measure{
	Card: card.Card{
		Name:    "ldiversity",
		Title:   "l-diversity",
		Aliases: []string{"l-diversity", "distinct l-diversity", "entropy l-diversity", "recursive (c,l)-diversity"},
		Summary: "Fewest distinct values of a secret attribute among released records that agree in everything " +
			"the intruder knows.",
		Paper: "Machanavajjhala and others 2007, definitions 4.1 and 4.2",
		Needs: "an intruder with a secret attribute; known values that are generalised, suppressed or grouped, " +
			"not changed by noise or swaps",
		Preserves: "the number of distinct values when every class has all of them equally often",
		Biases: "ignores how close values are and how frequent they are overall; does not apply if known values " +
			"were changed by noise or swaps",
		Missing: "a missing known value is a separate value and a suppressed one (*) another, as in ARX, or both match " +
			"every value, as in sdcMicro; a missing secret value is not counted",
		Cost: "O(n p + n log n)",
	},
	Facts:    measure.Facts{About: measure.Secret, Effort: measure.Fast, Place: 3, Groups: true},
	Side:     measure.Risk,
	Better:   measure.Higher,
	Range:    table.Interval{Lo: 1, Hi: math.MaxInt32},
	Unit:     measure.Counting(measure.Count, "unit.values"),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&LDiversityMeter{}) },
}

// Which l is the score.
const (
	Distinct  = "distinct"
	Entropy   = "entropy"
	Recursive = "recursive"
)

// LDiversityMeter measures l-diversity.
type LDiversityMeter struct {
	classes.Options
	Definition string  // distinct, entropy or recursive
	C          float64 // of recursive (c,l)-diversity
}

// Params declares the parameters.
func (m *LDiversityMeter) Params() param.Set {
	return append(param.Set{
		param.Choice(&m.Definition, "definition", Distinct, []string{Distinct, Entropy, Recursive}, "type of l "+
			"used as the score"),
		param.Float(&m.C, "c", 2, 0.01, 1e6, "",
			"recursive diversity: the most frequent value occurs less than c times as often as the l-th and all "+
				"rarer ones together"),
	}, m.Options.Params()...)
}

// LDiversitySecret is the smallest l of one secret attribute.
type LDiversitySecret struct {
	Attribute string  `json:"attribute"`
	Distinct  float64 `json:"distinct"`
	Entropy   float64 `json:"entropy"`
	Recursive float64 `json:"recursive"`
	Told      int     `json:"told"` // released records, or people, in classes of one value
}

// LDiversityDetail is the diversity of every secret attribute.
type LDiversityDetail struct {
	Intruder   string             `json:"intruder"`
	Released   int                `json:"records"`
	Classes    int                `json:"classes"`
	Definition string             `json:"definition"`
	C          float64            `json:"c"`
	L          float64            `json:"l"` // the score
	Secrets    []LDiversitySecret `json:"secrets"`
	People     int                `json:"people"` // whose the records are, where some have several
	// released records, or people, in classes of one value of any secret attribute
	Told int `json:"told"`

	risk []float64
}

// Measure returns l with a Detail. It fails when the release has no records and when nothing is secret to the intruder.
func (m *LDiversityMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	s, err := m.Released(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	if len(s.View.Secret) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.nothingSecret").
			Name("intruder", s.View.Name))
	}
	d := LDiversityDetail{
		Intruder:   s.View.Name,
		Released:   len(s.Of),
		Classes:    len(s.Sizes),
		Definition: m.Definition,
		C:          m.C,
		L:          math.Inf(1),
	}
	v := measure.Value{Notes: s.Notes}
	top, told := make([]float64, len(s.Sizes)), make([]bool, len(s.Sizes))
	for _, j := range s.View.Secret {
		one, none, err := m.secret(ctx, s, r.Released, j, top, told)
		if err != nil {
			return measure.Value{}, err
		}
		if none {
			v.Notes = append(v.Notes, message.Say("measure.ldiversity.note.missing").Name("column", one.Attribute))
		}
		d.Secrets = append(d.Secrets, one)
		d.L = min(d.L, one.by(m.Definition))
		v.Parts = append(v.Parts, one.parts(m.C)...)
	}
	d.Told = s.Count(func(class int32) bool { return told[class] })
	if s.People != nil {
		d.People = s.Number()
	}
	d.risk = s.ByRecord(func(class int32) float64 { return top[class] })
	v.Parts = append(
		v.Parts,
		measure.Part{
			Key:   "one-value",
			Name:  message.Say("measure.ldiversity.part.one-value").Part("who", message.Say("measure.who."+s.Word())),
			Score: float64(d.Told) / float64(s.Number()),
		},
	)
	v.Score, v.Lo, v.Hi, v.Detail = d.L, d.L, d.L, d
	return v, nil
}

// secret returns the smallest l of column j; none says that it has no values. It raises the classes' largest share of
// one value in top, and marks those that have one value only.
func (m *LDiversityMeter) secret(
	ctx context.Context,
	s *classes.Study,
	t *table.Table,
	j int,
	top []float64,
	told []bool,
) (
	out LDiversitySecret, none bool, err error) {
	t, people, err := s.Once(ctx, t, j)
	if err != nil {
		return out, false, err
	}
	tally, err := s.Classes.Tally(ctx, 0, t, j)
	if err != nil {
		return out, false, err
	}
	ls := make([]figures, len(s.Sizes))
	err = tally.Each(ctx, func() func(int32, []classes.Run) {
		var counts []int32
		return func(class int32, runs []classes.Run) {
			counts = counts[:0]
			for _, r := range runs {
				counts = append(counts, r.Count)
			}
			ls[class] = diverse(counts, m.C)
			if people != nil && len(counts) > 0 {
				ls[class].among(int(people[class]), int(slices.Max(counts)))
			}
		}
	})
	most := float64(t.Rows())
	out = LDiversitySecret{Attribute: t.Attr(j).Name, Distinct: most, Entropy: most, Recursive: most}
	for class, l := range ls {
		if l.distinct == 0 {
			continue
		}
		out.Distinct, out.Entropy = min(out.Distinct, l.distinct), min(out.Entropy, l.entropy)
		out.Recursive = min(out.Recursive, l.recursive)
		top[class] = max(top[class], l.top)
		told[class] = told[class] || l.distinct == 1
	}
	out.Told = s.Count(func(class int32) bool { return ls[class].distinct == 1 })
	return out, len(tally.Totals) == 0, err
}

// parts are the three l of a secret attribute, the recursive one with c.
func (s *LDiversitySecret) parts(c float64) []measure.Part {
	return []measure.Part{
		{
			Key:   "distinct",
			Of:    s.Attribute,
			Name:  message.Say("measure.ldiversity.part.distinct").Name("column", s.Attribute),
			Score: s.Distinct,
		},
		{
			Key:   "entropy",
			Of:    s.Attribute,
			Name:  message.Say("measure.ldiversity.part.entropy").Name("column", s.Attribute),
			Score: s.Entropy,
		},
		{
			Key:   "recursive",
			Of:    s.Attribute,
			Name:  message.Say("measure.ldiversity.part.recursive").Name("column", s.Attribute).Number("c", c, 0),
			Score: s.Recursive,
		},
	}
}

// by returns l by a definition.
func (s *LDiversitySecret) by(definition string) float64 {
	switch definition {
	case Entropy:
		return s.Entropy
	case Recursive:
		return s.Recursive
	}
	return s.Distinct
}

// Records returns for every original record the share of the most frequent value of a secret attribute in the class
// that its released record is in, the largest of all secret attributes: how sure an intruder is of the best guess. NaN
// where records are not paired.
func (d LDiversityDetail) Records() []float64 { return d.risk }

// Sentence says how much is left open.
func (d LDiversityDetail) Sentence() message.Sentence {
	n, who := d.Released, "records"
	if d.People > 0 {
		n, who = d.People, "people"
	}
	key := "measure.ldiversity.says"
	if d.L == 1 {
		key = "measure.ldiversity.saysOne"
	}
	return message.Say(key).Digits("values", d.L, 4).Name("definition", d.Definition).Count("told", d.Told).Count("n", n).
		Part("who", message.Say("measure.who."+who)).Share("share", float64(d.Told)/float64(n))
}
