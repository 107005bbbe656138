package valuedisclosure

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// VarianceDifference measures privacy as the variance of the difference between released and original values
// (Oliveira & Zaiane 2003).
//
// With X the original and Y the released values of an attribute,
//
//	Sec = Var(X - Y) / Var(X).
//
// The parts are the Sec of every attribute. The score is the smallest, for an intruder goes for the attribute that is
// least protected, and an average would let one that is drowned in noise pay for one that is not touched. It ends at 1:
// there the released value is no better a guess than the mean, which anybody has, and more is no more privacy: values
// with their sign changed have 4, and nothing is hidden.
//
// What it says: how far somebody errs who takes the released number for the original one. What it does not: an intruder
// who corrects first. A translation, however far, has Sec 0, for the error is the same for all and one known record
// gives it away; and scaled, rotated or shrunken values may have any Sec and be turned back exactly. So beside it
// stands what the best linear guess from the released value leaves, 1 - r² with r the correlation of X and Y, and a
// note says where that is less. Attacks that use several attributes at once are those of other measures.
//
// It needs paired records and numeric attributes: those with the role confidential; where none has it, all that the
// release changes; where it changes none, all numeric ones, which have 0. Identifiers and weights are left out, and so
// is an attribute that is constant in the original, which has nothing to hide. Nothing is known of the people or of the
// technique, so it does not depend on an intruder.
//
// Missing values: only records with both values count, in both variances; an attribute with fewer than two of them is
// left out, with a note. So suppression neither helps nor harms.
//
// Cost: O(n) per attribute, on all cores.
//
// Departures: the score ends at 1; parts do not.
//
// Reference: S. R. M. Oliveira and O. R. Zaiane, "Privacy preserving clustering by data transformation", in Proceedings
// of the 18th Brazilian Symposium on Databases, 2003.
var VarianceDifference = measure.Measure{
	Card: card.Card{
		Name:    "variancedifference",
		Title:   "Variance of the difference",
		Short:   "Variance difference",
		Aliases: []string{"Sec", "variance difference", "security of perturbed data"},
		Summary: "Variance of original minus released value, relative to that of the original, for the least " +
			"protected attribute.",
		Paper:     "Oliveira & Zaiane 2003",
		Needs:     "paired records; numeric attributes",
		Preserves: "0 when an attribute is released unchanged, or only shifted",
		Biases:    "ignores intruders who correct first: shifted, scaled, rotated and shrunken values can be restored",
		Missing:   "only records with both values count",
		Cost:      "O(n) per attribute",
		Shards:    measure.FromMoments,
	},
	Facts:  measure.Facts{About: measure.Identity, Counts: measure.Records, Effort: measure.Fast},
	Side:   measure.Risk,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Ratio, message.Say("unit.ofVariance")),
	New:    func() measure.Meter { return param.Default(&VarianceDifferenceMeter{}) },
}

// VarianceDifferenceMeter measures Var(X - Y) / Var(X).
type VarianceDifferenceMeter struct{}

// Params declares that there are no parameters.
func (m *VarianceDifferenceMeter) Params() param.Set { return nil }

// Measure returns the smallest Sec of an attribute, at most 1, with a VarianceDifferenceDetail. It does not apply when
// the records are not paired, or no numeric column has two different original values beside released ones.
func (m *VarianceDifferenceMeter) Measure(
	ctx context.Context,
	r *measure.Release,
	_ rng.Source,
) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	if !r.Paired {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.differencePairs"))
	}
	columns, how := differenceWanted(r)
	d := VarianceDifferenceDetail{Attributes: []Attribute{}}
	for _, j := range columns {
		a, err := compare(ctx, r.Original.Num(j), r.Released.Num(j), r.Original.Space())
		if err != nil {
			return measure.Value{}, err
		}
		if a == nil {
			d.Left++
			continue
		}
		a.Name = r.Original.Attr(j).Name
		d.Attributes = append(d.Attributes, *a)
	}
	if len(d.Attributes) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noDifference"))
	}
	v := measure.Exact(d.score(), d.parts(), d.notes(how)...)
	v.Detail = d
	return v, nil
}

// differenceWanted returns the numeric columns that are judged and says why these.
func differenceWanted(r *measure.Release) (columns []int, how message.Sentence) {
	var numeric, confidential, changed []int
	for j := range r.Original.Width() {
		a := r.Original.Attr(j)
		if a.Kind != table.Numeric || a.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		numeric = append(numeric, j)
		if a.Role&table.Confidential != 0 {
			confidential = append(confidential, j)
		}
		if !slices.EqualFunc(r.Original.Num(j), r.Released.Num(j),
			func(x, y float64) bool { return x == y || x != x && y != y }) {
			changed = append(changed, j)
		}
	}
	switch {
	case confidential != nil:
		return confidential, message.Say("measure.variancedifference.note.confidential")
	case changed != nil:
		return changed, message.Say("measure.variancedifference.note.changed")
	}
	return numeric, message.Say("measure.variancedifference.note.all")
}

// compare judges one attribute by the records that have both values; nil where these are fewer than two, or all the
// same in the original, or their variances are not finite. What it needs for each record is in the space.
func compare(ctx context.Context, x, y []float64, s *mmap.Space) (*Attribute, error) {
	var both [3][]float64 // X, Y and X - Y
	for k := range both {
		room := mmap.Make[float64](s, len(x))
		defer mmap.Free(s, room)
		both[k] = room[:0]
	}
	scale := 0.0
	for i := range x {
		if x[i] == x[i] && y[i] == y[i] {
			both[0], both[1] = append(both[0], x[i]), append(both[1], y[i])
			scale = max(scale, math.Abs(x[i]), math.Abs(y[i]))
		}
	}
	_, exponent := math.Frexp(scale)
	for i := range both[0] { // in units of a power of two, so that no square overflows and no digit is lost
		both[0][i], both[1][i] = math.Ldexp(both[0][i], -exponent), math.Ldexp(both[1][i], -exponent)
		both[2] = append(both[2], both[0][i]-both[1][i])
	}
	m, err := moments.Of(ctx, both[:])
	if err != nil || len(both[0]) < 2 {
		return nil, err
	}
	cov := m.Cov()
	a := &Attribute{Records: len(both[0]), Sec: cov.At(2, 2) / cov.At(0, 0), Linear: 1}
	if v := cov.At(1, 1); v > 0 {
		a.Linear = max(0, 1-float64(cov.At(0, 1)/cov.At(0, 0)*(cov.At(0, 1)/v)))
	}
	if !(cov.At(0, 0) > 0) || math.IsInf(a.Sec, 0) || a.Sec != a.Sec || a.Linear != a.Linear {
		return nil, nil
	}
	return a, nil
}
