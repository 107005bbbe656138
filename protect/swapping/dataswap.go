package swapping

import (
	"context"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Data swaps values between records while the counts of all combinations of t values stay nearly the same
// (Dalenius & Reiss 1982).
//
// The t-order counts are the numbers of records with each combination of values of any t attributes. Numbers of more
// than 4 times bins different values are counted by classes of about equal size (bins), others by their values. Record
// after record, in random order, and for every attribute to swap, a partner with another value is drawn; the two
// exchange their values if no t-order count then differs from the original by more than the tolerance, a share of the
// count, or by more than one record where that is less. Combinations that no record has, by classes, are never made;
// inside a class new values may meet, and the plan notes where. After some refusals the record keeps its value. A value
// is exchanged once at most, and no more once the given rate of an attribute's values is.
//
// Dalenius & Reiss ask for counts that stay exactly, and for a release drawn from all tables with these counts. Finding
// one is intractable (Reiss 1984: deciding whether a swap of given size exists is NP-complete), so this is an
// approximate swap in the sense of Reiss 1984.
//
// What an informed intruder learns: t-order counts, to within the tolerance: a person unique in t or fewer attributes
// is released with the same values of these, possibly in another record. A released record as a whole is the person's
// own unless swapped; with a rate r and p attributes (1-r)^p of all records are, if swaps are found: plans note how
// many values were exchanged in a trial, which for rare records and strict tolerances may be few. Measures are offered
// no law: whether a swap is allowed depends on all records.
//
// Cost: O(n p tries m t) for n records, p attributes and m = C(p-1, t-1) counts that an exchange touches, on one core;
// most refusals take one or two counts. Memory for counts is that of the combinations that could occur, at most 2^26.
// All records meet: the plan is a protect.Grouper.
//
// Departures: the tolerance, the rate and the rule for combinations that do not occur are not in the paper, which
// leaves the choice of swaps open. A value outside the declared domain counts as the nearest end.
//
// References: T. Dalenius & S. Reiss, "Data-swapping: a technique for disclosure control", J. of Statistical Planning
// and Inference 6, 1982; S. Reiss, "Practical data-swapping: the first steps", ACM TODS 9(1), 1984.
var Data = protect.Method{
	Card: card.Card{
		Name:    "dataswap",
		Title:   "Data swapping",
		Aliases: []string{"data-swapping", "Dalenius-Reiss", "data-swap"},
		Summary: "Swaps values between records while counts of all combinations of t values stay nearly the same.",
		Paper:   "Dalenius & Reiss 1982; Reiss 1984",
		Needs:   "attributes with few values; numbers with many values are counted in classes",
		Changes: "all attributes",
		Preserves: "the values of every attribute exactly (type A); counts of combinations of t values nearly (types B to " +
			"D, DM)",
		Biases:  "relations of more than t attributes, and of numbers inside a class",
		Exposes: "t-order counts, nearly; whole records that are not swapped",
		Missing: "stay missing; in counts, missing is a separate value",
		Cost:    "O(n p tries C(p-1, t-1) t)",
	},
	Purpose: protect.Swaps,
	Growth:  1,
	New:     func() protect.Technique { return NewData() },
	Plan:    func() protect.Plan { return &DataPlan{} },
	Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks, protect.TakesNumbers},
}

// DataTechnique holds the parameters.
type DataTechnique struct {
	T         int
	Tolerance float64
	Rate      float64
	Bins      int
	Tries     int
	Except    []string
	Exact     bool // release rare numbers as they are
	Common    int  // people who have a number that is released as it is, at least
}

// NewData returns the technique with its defaults.
func NewData() *DataTechnique { return param.Default(&DataTechnique{}) }

const (
	mostT     = 3
	mostBins  = 1000
	mostTries = 1000
)

// Params declares the parameters.
func (q *DataTechnique) Params() param.Set {
	return param.Set{
		param.Int(&q.T, "t", 2, 1, mostT, "attributes", "keep counts of combinations of values of this many attributes"),
		param.Float(&q.Tolerance, "tolerance", 0.05, 0, 1, "of a count", "most that a count may change; one record "+
			"is always allowed"),
		param.Float(&q.Rate, "rate", 0.5, 0, 1, "of the values", "largest share of an attribute's values that are "+
			"swapped").Noisier(0.02, 1),
		param.Int(&q.Bins, "bins", 10, 1, mostBins, "classes", "classes of about equal size for counting numbers "+
			"with more than 4 times as many values"),
		param.Int(&q.Tries, "tries", 10, 1, mostTries, "partners", "partners tried for a value before it is kept"),
		param.Names(&q.Except, "except", "columns to leave alone"),
		protect.ExactParam(&q.Exact),
		protect.CommonParam(&q.Common),
	}
}

// Fit finds the classes of numbers, and swaps once, in a sample of a large table, to note how far counts change.
func (q *DataTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	numeric, err := protect.Columns(t, table.Numeric, q.Except)
	if err != nil {
		return nil, err
	}
	categorical, err := protect.Columns(t, table.Categorical, q.Except)
	if err != nil {
		return nil, err
	}
	p := &DataPlan{
		Attrs:     t.Attrs(),
		Columns:   slices.Sorted(slices.Values(slices.Concat(numeric, categorical))),
		T:         q.T,
		Tolerance: q.Tolerance,
		Rate:      q.Rate,
		Tries:     q.Tries,
		Exactly:   protect.ExactlyOf(q.Exact, q.Common),
	}
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind.Scalar() && a.Role&table.Weight == 0 {
			limits, exact := q.limits(t.Num(j))
			p.Counted, p.Cuts = append(p.Counted, j), append(p.Cuts, limits)
			if exact && a.Kind == table.Numeric {
				p.Exact = append(p.Exact, j)
			}
		}
	}
	_, err = protect.InOrder(t, func(t *table.Table) (*table.Table, error) { return t, p.try(ctx, t, src) })
	if err != nil {
		return nil, err
	}
	return p, nil
}

// try swaps once, and notes what that did.
func (p *DataPlan) try(ctx context.Context, t *table.Table, src rng.Source) error {
	some := sample(t, mostTried)
	s, err := p.swap(ctx, some, src)
	if err != nil {
		return err
	}
	p.Trial = s.trial()
	if some != t {
		p.Trial.Records = some.Rows()
	}
	return nil
}

// mostTried is how many records a trial takes: enough to tell shares by, and a fifth of the work for a million.
const mostTried = 200_000

// sample returns the table, or of more records than most so many in even steps.
func sample(t *table.Table, most int) *table.Table {
	n := t.Rows()
	if n <= most {
		return t
	}
	rows := make([]int, most)
	for k := range rows {
		rows[k] = k * n / most
	}
	return t.Gather(rows)
}

// perBin is how many different values a bin may stand for: a number that has fewer is counted by its values, for a bin
// of several would let new combinations of them through.
const perBin = 4

// limits returns the limits of the classes that a number is counted by, and whether each of them is one value.
func (q *DataTechnique) limits(v []float64) (out []float64, exact bool) {
	values := slices.Compact(rank.Ascending(v))
	if len(values) > perBin*q.Bins {
		return cuts(v, q.Bins), false
	}
	return values[min(1, len(values)):], true
}

// cuts returns ascending limits between classes of about equal size: class c holds the values from limit c-1 up to, not
// including, limit c. A value that more records share is a class of its own, and the others share the remaining
// classes.
func cuts(v []float64, bins int) (out []float64) {
	known := rank.Ascending(v)
	for from, n := 0, len(known); bins > 1 && from < n; bins-- {
		to := from + max(1, (n-from)/bins)
		for to < n && known[to] == known[to-1] {
			to++
		}
		if to < n {
			out = append(out, known[to])
		}
		from = to
	}
	return out
}
