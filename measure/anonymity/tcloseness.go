package anonymity

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/anonymity/diversity"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// TCloseness measures how far the distribution of a secret in a class is from that in the whole release:
// t-closeness (Li, Li and Venkatasubramanian 2007).
//
// Released records that agree in every column the intruder knows are a class (package measure/internal/classes). For
// each attribute that is secret to the intruder, the earth mover's distance is taken between the distribution of its
// values in a class and in the whole release. With m distinct values in the release it is, of differences d_i of the
// shares of the i-th value,
//   - by the ordered distance, where moving to the next value costs 1/(m-1): sum_i |d_1 + ... + d_i| / (m-1);
//   - by the equal distance, where any move costs 1: sum_i |d_i| / 2.
//
// By the parameter distance=auto, numbers and ordered categories have the ordered distance and others the equal one.
// The score is t, the largest distance of any class and secret attribute; parts give the largest and the mean over the
// records of every secret attribute.
//
// It judges known values that are the persons' own or a group's, and does not apply where noise or swaps moved them:
// see package kanonymity for how that is told, and classdisclosure and attributeinference for these. A class of one
// record is always far from the whole.
//
// Missing values: a missing known value is by default a value of its own, with missing=any it agrees with every value.
// A missing secret value counts neither in the class nor in the whole; a class without any value, or a release without,
// has distance 0, for there is nothing to learn.
//
// Cost: O(n p + s n log v) for n records, p known and s secret columns with v distinct values, on all cores: within a
// class only its own values are looked at, sums over the others being known. With missing=any as package
// measure/internal/classes says.
//
// Reference: N. Li, T. Li and S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", ICDE
// 2007, section 5.
var TCloseness = measure.Measure{
	Card: card.Card{
		Name:    "tcloseness",
		Title:   "t-closeness",
		Aliases: []string{"t-closeness"},
		Summary: "Largest distance between the distribution of a secret attribute among records that look alike and in the " +
			"whole release.",
		Paper: "Li, Li and Venkatasubramanian 2007, section 5",
		Needs: "an intruder with a secret attribute; known values that are generalised, suppressed or grouped, " +
			"not changed by noise or swaps",
		Preserves: "0 when every class has the distribution of the whole release",
		Biases: "a class of one record is always far from the whole; does not apply if known values were " +
			"changed by noise or swaps",
		Missing: "a missing known value is a separate value and a suppressed one (*) another, as in ARX, or both match " +
			"every value, as in sdcMicro; a missing secret value is not counted",
		Cost: "O(n p + n log n)",
	},
	Facts:    measure.Facts{About: measure.Secret, Effort: measure.Fast, Place: 4, Groups: true},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Ratio, message.Say("unit.moversDistance")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&TClosenessMeter{}) },
}

// How far apart values are.
const (
	Auto    = "auto"    // as suits the attribute
	Ordered = "ordered" // by their order
	Equal   = "equal"   // all equally
)

// TClosenessMeter measures t-closeness.
type TClosenessMeter struct {
	classes.Options
	Distance string // auto, ordered or equal
}

// Params declares the parameters.
func (m *TClosenessMeter) Params() param.Set {
	return append(param.Set{param.Choice(&m.Distance, "distance", Auto, []string{Auto, Ordered, Equal},
		"distance between values: by order, all equal, or whichever suits the attribute")}, m.Options.Params()...)
}

// TClosenessSecret is the distances of one secret attribute.
type TClosenessSecret struct {
	Attribute string  `json:"attribute"`
	Distance  string  `json:"distance"` // ordered or equal
	Largest   float64 `json:"largest"`
	Mean      float64 `json:"mean"` // over the released records
}

// TClosenessDetail is the distances of every secret attribute.
type TClosenessDetail struct {
	Intruder string             `json:"intruder"`
	Released int                `json:"records"`
	Classes  int                `json:"classes"`
	T        float64            `json:"t"` // the score
	Secrets  []TClosenessSecret `json:"secrets"`

	risk []float64
}

// Measure returns t with a Detail. It fails when the release has no records and when nothing is secret to the intruder.
func (m *TClosenessMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	s, err := m.Released(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	if len(s.View.Secret) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.nothingSecret").
			Name("intruder", s.View.Name))
	}
	d := TClosenessDetail{Intruder: s.View.Name, Released: len(s.Of), Classes: len(s.Sizes)}
	v := measure.Value{Notes: s.Notes}
	far := make([]float64, len(s.Sizes))
	for _, j := range s.View.Secret {
		one, err := m.secret(ctx, s, r.Released, j, far)
		if err != nil {
			return measure.Value{}, err
		}
		d.Secrets = append(d.Secrets, one)
		d.T = max(d.T, one.Largest)
		v.Parts = append(
			v.Parts,
			measure.Part{
				Key: "largest",
				Of:  one.Attribute,
				Name: message.Say("measure.tcloseness.part.largest").Name("column", one.Attribute).
					Name("distance", one.Distance),
				Score: one.Largest,
			},
			measure.Part{
				Key:   "mean",
				Of:    one.Attribute,
				Name:  message.Say("measure.tcloseness.part.mean").Name("column", one.Attribute),
				Score: one.Mean,
			},
		)
	}
	d.risk = s.ByRecord(func(class int32) float64 { return far[class] })
	v.Score, v.Lo, v.Hi, v.Detail = d.T, d.T, d.T, d
	return v, nil
}

// secret returns the distances of column j. It raises the classes' largest distance in far.
func (m *TClosenessMeter) secret(
	ctx context.Context,
	s *classes.Study,
	t *table.Table,
	j int,
	far []float64,
) (TClosenessSecret, error) {
	a := t.Attr(j)
	out := TClosenessSecret{Attribute: a.Name, Distance: m.Distance}
	if m.Distance == Auto {
		out.Distance = Equal
		if a.Kind == table.Numeric || a.Ordered {
			out.Distance = Ordered
		}
	}
	t, _, err := s.Once(ctx, t, j)
	if err != nil {
		return out, err
	}
	tally, err := s.Classes.Tally(ctx, 0, t, j)
	if err != nil {
		return out, err
	}
	w := diversity.NewWhole(tally.Totals)
	distance := w.Equal
	if out.Distance == Ordered {
		distance = w.Ordered
	}
	own := make([]float64, len(far))
	err = tally.Each(ctx, func() func(int32, []classes.Run) {
		return func(class int32, runs []classes.Run) { own[class] = distance(runs) }
	})
	for class, d := range own {
		out.Largest = max(out.Largest, d)
		out.Mean += float64(d * float64(s.Sizes[class]))
		far[class] = max(far[class], d)
	}
	out.Mean /= float64(len(s.Of))
	return out, err
}

// Records returns for every original record the distance of the class that its released record is in, the largest of
// all secret attributes. NaN where records are not paired.
func (d TClosenessDetail) Records() []float64 { return d.risk }

// Sentence says what finding a class tells.
func (d TClosenessDetail) Sentence() message.Sentence {
	worst := d.Secrets[0]
	for _, s := range d.Secrets {
		if s.Largest > worst.Largest {
			worst = s
		}
	}
	return message.Say("measure.tcloseness.says").Name("column", worst.Attribute).Digits("largest", worst.Largest, 3).
		Digits("mean", worst.Mean, 3).Count("records", d.Released)
}
