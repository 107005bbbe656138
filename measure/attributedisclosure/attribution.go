package attributedisclosure

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// attributionMeasures measure how often what a person's key says in the release tells a secret of theirs: correct
// attribution probability (cap), targeted (tcap), and disclosive in synthetic, correct in original (disco).
//
// The key of a person is all that the intruder knows; released records with the same key are the person's match.
//   - cap is the share of the match that has the person's secret value, the mean over the people,
//   - tcap the share of those whose match has one value of the secret, the person's, of the people who have a match,
//   - disco the same of all people.
//
// A person without a match counts 0 in cap, as in 0CAP; by unmatched=leftout such people are left out of the mean, as
// in the CAP of SDMetrics. DCAP, which is of the original, is the figure of the original released as it is.
//
// The score is the figure of the secret for which it is largest. Most of it may be known of anybody, so it stands
// beside baselines: the same of the people of a hold-out, who are not in the release, and for cap the sum of squared
// shares of the values, which guessing by these gives. Parts give all figures by secret.
//
// Records are counted, not people, and need not be paired. The figures are of all records, so Lo and Hi equal
// the score.
//
// Missing values: a missing known value is a value of its own; a person who lacks the secret is not judged in it, and a
// record that lacks it is no match.
//
// Cost: O(n p) for p known columns, and a look-up for a record and a secret.
//
// References: M. J. Elliot, "Final report on the disclosure risk associated with the synthetic data produced by the
// SYLLS team", University of Manchester, 2015 (CAP); J. Taub, M. Elliot, M. Pampaka and D. Smith, "Differential correct
// attribution probability for synthetic data: an exploration", PSD 2018; J. Taub and M. Elliot, "The synthetic data
// challenge", UNECE 2019 (TCAP); G. M. Raab, B. Nowok and C. Dibben, "Practical privacy metrics for synthetic data",
// arXiv 2406.16826, 2024 (DiSCO).
var attributionMeasures = []measure.Measure{
	entry(&figure{of: func(r *right) float64 { return mean(r.share, r.matched) },
		Card: card.Card{
			Name:    "cap",
			Title:   "Correct attribution probability",
			Short:   "CAP",
			Aliases: []string{"CAP", "0CAP", "DCAP", "CategoricalCAP", "CategoricalZeroCAP", "GCAP"},
			Summary: "Share of the released records with the key of an original that have its secret value, on average.",
			Paper:   "Elliot 2015; Taub, Elliot, Pampaka and Smith 2018",
		}}),
	entry(&figure{of: func(r *right) float64 { return mean(r.unanimous, r.matched) },
		Card: card.Card{
			Name:    "tcap",
			Title:   "Targeted correct attribution probability",
			Short:   "TCAP",
			Aliases: []string{"TCAP"},
			Summary: "Share of the originals whose key occurs in the release for which all released records with it " +
				"have their secret value.",
			Paper: "Taub and Elliot 2019",
		}}),
	entry(&figure{of: func(r *right) float64 { return mean(r.unanimous, nil) },
		Card: card.Card{
			Name:    "disco",
			Title:   "Disclosive in synthetic, correct in original",
			Short:   "DiSCO",
			Aliases: []string{"DiSCO", "DiSDiO"},
			Summary: "Share of all originals whose key occurs in the release, with their own secret value in all " +
				"records that have it.",
			Paper: "Raab, Nowok and Dibben 2024",
		}}),
}

// figure is what is made of the matches.
type figure struct {
	card.Card
	of func(r *right) float64
}

// entry is the catalogue entry of a figure.
func entry(f *figure) measure.Measure {
	c := f.Card
	c.Needs = "an intruder with a secret; preferably a hold-out; records need not be paired"
	c.Preserves = "1 when what is known tells the secret exactly as it is; compare with the hold-out, of whom it tells " +
		"what holds for anybody"
	c.Missing = "a missing known value is a separate value; people with a missing secret are not tested, records " +
		"without it are no match"
	c.Cost = "O(n p)"
	return measure.Measure{
		Card:     c,
		Facts:    measure.Facts{About: measure.Secret, Counts: measure.Records, Effort: measure.Fast},
		Side:     measure.Risk,
		Better:   measure.Lower,
		Range:    table.Interval{Lo: 0, Hi: 1},
		Unit:     measure.OfPeople("unit.ofPeople"),
		Intruder: true,
		New:      func() measure.Meter { return param.Default(&AttributionMeter{figure: f}) },
	}
}

// What a person without a match counts.
const (
	Zero    = "zero"
	LeftOut = "leftout"
)

// AttributionMeter measures one of the figures.
type AttributionMeter struct {
	Unmatched string
	figure    *figure
}

// Params declares the parameters.
func (m *AttributionMeter) Params() param.Set {
	if m.figure.Name != "cap" {
		return nil
	}
	return param.Set{param.Choice(&m.Unmatched, "unmatched", Zero, []string{Zero, LeftOut},
		"what people count whose key no released record has: 0, as in 0CAP, or nothing, as in the CAP of SDMetrics")}
}

// AttributionDetail is the figures of every secret.
type AttributionDetail struct {
	Intruder string              `json:"intruder"`
	People   int                 `json:"people"`
	Secrets  []AttributionSecret `json:"secrets"`

	figure *figure
	worst  int
	risk   []float64
}

// AttributionSecret is the figures of one secret.
type AttributionSecret struct {
	Attribute string   `json:"attribute"`
	Score     float64  `json:"score"`
	Matched   float64  `json:"matched"` // share of the people who have a match
	Holdout   *float64 `json:"holdout"` // of the people of the hold-out; nil without any
	Chance    *float64 `json:"chance"`  // sum of the squared shares of the values; nil but for cap
}

// Measure returns the figure of the secret for which it is largest, with an AttributionDetail. It fails when a table
// has no records, and does not apply where nobody has a secret value.
func (m *AttributionMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	view, err := r.SecretView()
	if err != nil {
		return measure.Value{}, err
	}
	k, err := keys(ctx, r, view.Known)
	if err != nil {
		return measure.Value{}, err
	}
	d := &AttributionDetail{Intruder: view.Name, People: r.Original.Rows(), figure: m.figure,
		risk: make([]float64, r.Original.Rows())}
	for _, j := range view.Secret {
		if err := ctx.Err(); err != nil {
			return measure.Value{}, err
		}
		s, ok := m.secret(r, k, j, d.risk)
		if !ok {
			continue
		}
		if d.Secrets = append(d.Secrets, s); s.Score > d.Secrets[d.worst].Score {
			d.worst = len(d.Secrets) - 1
		}
	}
	if d.Secrets == nil {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.secretless"))
	}
	v := measure.Exact(d.Secrets[d.worst].Score, d.parts())
	if r.Holdout == nil || r.Holdout.Rows() == 0 {
		v.Notes = append(v.Notes, message.Say("measure.attribution.note.alone"))
	}
	v.Detail = d
	return v, nil
}

// secret takes the figures of a secret; ok is false where nobody has a value. It raises the risk of every person.
func (m *AttributionMeter) secret(
	r *measure.Release,
	k *classes.Classes,
	j int,
	risk []float64,
) (s AttributionSecret, ok bool) {
	has := count(r.Released, j, k.Of[1])
	people := has.of(r.Original, j, k.Of[0])
	s = AttributionSecret{Attribute: r.Original.Attr(j).Name}
	if s.Score = m.take(people); s.Score != s.Score {
		return s, false
	}
	for i, row := range people.rows {
		v := people.unanimous[i]
		if m.figure.Name == "cap" {
			v = people.share[i]
		}
		risk[row] = max(risk[row], v)
	}
	s.Matched = mean(people.matched, nil)
	if m.figure.Name == "cap" {
		c := chance(people.values)
		s.Chance = &c
	}
	if r.Holdout != nil && r.Holdout.Rows() > 0 {
		if v := m.take(has.of(r.Holdout, j, k.Of[2])); v == v {
			s.Holdout = &v
		}
	}
	return s, true
}

// take makes the figure of matches: NaN where nobody has the secret, and 0 where nobody who counts has a match.
func (m *AttributionMeter) take(r *right) float64 {
	if len(r.rows) == 0 {
		return math.NaN()
	}
	own := *r
	if m.figure.Name == "cap" && m.Unmatched == Zero {
		own.matched = nil
	}
	return m.figure.of(&own)
}

// parts lists the figures by secret.
func (d *AttributionDetail) parts() (out []measure.Part) {
	for _, s := range d.Secrets {
		add := func(key measure.Key, says message.Sentence, v *float64) {
			if v != nil {
				out = append(out, measure.Part{Key: key, Of: s.Attribute, Name: says, Score: *v})
			}
		}
		add("figure", message.Say("measure.attribution.part.figure").Name("column", s.Attribute), &s.Score)
		add("holdout", message.Say("measure.attribution.part.holdout").Name("column", s.Attribute), s.Holdout)
		add("chance", message.Say("measure.attribution.part.chance").Name("column", s.Attribute), s.Chance)
		add("matched", message.Say("measure.attribution.part.matched").Name("column", s.Attribute), &s.Matched)
	}
	return out
}

// Records returns for every original record the figure of its person, the largest of all secrets; 0 where it has none.
func (d *AttributionDetail) Records() []float64 { return d.risk }

// Sentence says the figure of the worst secret beside its baseline.
func (d *AttributionDetail) Sentence() message.Sentence {
	s := d.Secrets[d.worst]
	says := message.Say("measure.attribution.says."+d.figure.Name).Name("column", s.Attribute).Share("score", s.Score).
		Share("matched", s.Matched)
	switch {
	case s.Holdout != nil:
		return message.Say("measure.attribution.beside").Part("says", says).Share("holdout", *s.Holdout)
	case s.Chance != nil:
		return message.Say("measure.attribution.besideChance").Part("says", says).Share("chance", *s.Chance)
	}
	return message.Say("measure.attribution.alone").Part("says", says)
}

// keys are the classes of the records of all tables that have the same key.
func keys(ctx context.Context, r *measure.Release, known []intruder.Known) (*classes.Classes, error) {
	key := fmt.Sprintf("keys of all tables %v", known)
	return measure.PerRelease(r, key, func(r *measure.Release) (*classes.Classes, error) {
		tables := []*table.Table{r.Original, r.Released}
		if r.Holdout != nil {
			tables = append(tables, r.Holdout)
		}
		return classes.Of(ctx, known, false, tables...)
	})
}

// has counts how often released records of a key have a value.
type has struct {
	all  map[int32]int32 // by key: records that have a value
	each map[cell]int32
}

// cell is a key with a value.
type cell struct {
	key   int32
	value uint64
}

// value returns what a record has in a column, as a number that tells values apart; ok is false where it is missing.
func value(t *table.Table, j, i int) (v uint64, ok bool) {
	if c := t.Cat(j); c != nil {
		return uint64(c[i]), c[i] >= 0
	}
	x := t.Num(j)[i]
	return math.Float64bits(x + 0), x == x // -0 is 0
}

// count counts the released records by key.
func count(t *table.Table, j int, of []int32) *has {
	h := &has{all: map[int32]int32{}, each: map[cell]int32{}}
	for i, key := range of {
		if v, ok := value(t, j, i); ok {
			h.all[key]++
			h.each[cell{key, v}]++
		}
	}
	return h
}

// right is what matches tell of the people who have a value, by person.
type right struct {
	rows      []int
	values    []uint64
	share     []float64 // of the match that has the person's value
	matched   []float64 // 1 where there is a match
	unanimous []float64 // 1 where the match has one value, the person's
}

// of looks up the people of a table.
func (h *has) of(t *table.Table, j int, of []int32) *right {
	r := &right{}
	for i, key := range of {
		v, ok := value(t, j, i)
		if !ok {
			continue
		}
		n, own := h.all[key], h.each[cell{key, v}]
		share, matched, unanimous := 0.0, 0.0, 0.0
		if n > 0 {
			share, matched = float64(own)/float64(n), 1
		}
		if n > 0 && own == n {
			unanimous = 1
		}
		r.rows, r.values = append(r.rows, i), append(r.values, v)
		r.share, r.matched = append(r.share, share), append(r.matched, matched)
		r.unanimous = append(r.unanimous, unanimous)
	}
	return r
}

// chance returns the sum of the squared shares of values.
func chance(values []uint64) float64 {
	n := map[uint64]int{}
	for _, v := range values {
		n[v]++
	}
	sum := 0 // whole numbers, so the order does not matter
	for _, c := range n {
		sum += c * c
	}
	return float64(sum) / float64(len(values)) / float64(len(values))
}

// mean returns the mean of figures of those who count; 0 where nobody does. Nil is everybody.
func mean(v, counts []float64) float64 {
	if counts == nil {
		return exact.Mean(v)
	}
	n := exact.Of(counts)
	if n == 0 {
		return 0
	}
	return exact.Of(v) / n // those who do not count have 0
}
