package orthobasis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Facts are what a plan knows of the records it was fitted on, for its remarks. They are no part of the law of the
// release: exact moments are those of the records at hand.
type Facts struct {
	Records   int `json:"records"`
	Complete  int `json:"complete"`          // records without a missing value
	Free      int `json:"free"`              // dimensions that constants and S leave
	Residuals int `json:"residuals"`         // rank of the residuals of X on S
	Singled   int `json:"singled,omitempty"` // complete records that S singles out (Design.Singled)
	// standard deviations of X; 0 for a constant column and one without values
	SD []float64 `json:"sd"`
	// share of the variance of X that S explains; 1 for a constant column, 0 for one without values
	Explained []float64 `json:"explained"`
	// positions in X of columns whose known values, in all records, are one
	Constant []int  `json:"constant,omitempty"`
	Lone     []int  `json:"lone,omitempty"`     // of columns with one known value
	Gaps     int    `json:"gaps,omitempty"`     // most missing values in a column of numbers
	Sparsest string `json:"sparsest,omitempty"` // its name
}

// Study looks at columns u with their names, the first k of them X. An infinite value is an error, and so are some too
// large, or too close to each other, for a variance. Cost: O(n p^2).
func Study(ctx context.Context, names []string, u [][]float64, k int) (*Facts, error) {
	f := &Facts{SD: make([]float64, k), Explained: make([]float64, k)}
	if len(u) > 0 {
		f.Records, f.Complete = len(u[0]), len(u[0])
	}
	at, present := present(u, k)
	cols := pick(u, at)
	whole, gaps, infinite := complete(nil, cols)
	if infinite >= 0 {
		return nil, fmt.Errorf("column %q holds an infinite value; expected finite numbers", names[at[infinite]])
	}
	if len(gaps) > 0 {
		f.Complete, cols = len(whole), gather(nil, cols, whole)
	}
	d, err := NewDesign(ctx, cols, nil, present)
	if err != nil {
		return nil, err
	}
	if j := d.unfit(); j >= 0 {
		return nil, fmt.Errorf("column %q has values too large, or too close to each other, for a variance; rescale it, or "+
			"leave it out (except)",
			names[at[j]])
	}
	f.Free, f.Residuals = d.Free(), d.Residuals()
	if f.Turned() && present < len(at) {
		if f.Singled, err = d.Singled(ctx, nearly); err != nil {
			return nil, err
		}
	}
	for i, j := range at[:present] {
		x := d.X.Lo + i
		f.SD[j], f.Explained[j] = math.Sqrt(d.Cov(x, x)), d.Explained(x, d.X.Lo)
	}
	f.count(names, u, at[:present])
	return f, nil
}

// count looks at the known values of single columns, whether their records are complete or not; x are the positions of
// those of X that have some.
func (f *Facts) count(names []string, u [][]float64, x []int) {
	for j, name := range names {
		known := floats.Count(func(v float64) bool { return v == v }, u[j])
		if gaps := f.Records - known; gaps > f.Gaps {
			f.Gaps, f.Sparsest = gaps, name
		}
		if !slices.Contains(x, j) {
			continue
		}
		if lo, hi := table.Range(u[j]); lo == hi {
			f.Constant = append(f.Constant, j)
		}
		if known == 1 {
			f.Lone = append(f.Lone, j)
		}
	}
}

// Check refuses decoded facts that are not about k columns.
func (f *Facts) Check(k int) error {
	if len(f.SD) != k || len(f.Explained) != k {
		return fmt.Errorf("the plan has figures of %d and %d columns; expected %d", len(f.SD), len(f.Explained), k)
	}
	if f.Complete < 0 || f.Records < f.Complete || f.Free < 0 || f.Residuals < 0 || f.Singled < 0 ||
		f.Complete < f.Singled {
		return errors.New("the plan has counts of records that contradict each other")
	}
	return nil
}

// Turned is that of a design of the complete records.
func (f *Facts) Turned() bool { return f.Free > f.Residuals }

// Roomy reports whether noise of the covariance of the residuals that is orthogonal to them can turn freely, too.
func (f *Facts) Roomy() bool { return f.Turned() && (f.Residuals == 0 || f.Free > 2*f.Residuals) }

// spare is by how many records a table should exceed its columns, below which exact moments are noted to be a
// disclosure.
const spare = 10

// solvable returns how many records of k unknown columns their exact moments give away to anyone who knows all the
// others: means, covariances and covariances with S are k + k(k+1)/2 + k rank(S) equations of k unknowns a record.
func (f *Facts) solvable(k int) int { return (k+3)/2 + f.Complete - 1 - f.Free }

// nearly is the share of the variance from which a release is said to stay close to the original.
const nearly = 0.99

// mostNamed is how many columns a note names.
const mostNamed = 20

// Notes says what the release leaves open, and where it is not what the technique promises. Attrs are those of X, a is
// the correlation of released and original residuals, and clipped tells of each column whether values that would leave
// its domain are moved into it.
func (f *Facts) Notes(attrs []table.Attribute, a float64, clipped func(k int) bool) []message.Sentence {
	if len(attrs) == 0 {
		return f.singled()
	}
	var out []message.Sentence
	if f.Turned() {
		figures := make([]message.Sentence, len(attrs))
		for k := range attrs {
			figures[k] = message.Column(attrs[k].Name, message.Fixed(float64((1-float64(a*a))*(1-f.Explained[k])), 3))
		}
		out = append(out, message.Say("plan.security.each").Part("columns", message.First(figures, mostNamed)))
	}
	if gaps := f.Records - f.Complete; gaps > 0 && f.Turned() {
		out = append(out,
			message.Say("plan.moments.gaps").Count("n", gaps).Count("all", f.Records).Count("complete", f.Complete))
	}
	switch {
	case f.Records == 1:
		out = append(out, message.Say("plan.moments.single"))
	case !f.Turned() && f.Records > 0:
		note := message.Say("plan.moments.few").Count("n", f.Complete).Count("columns", len(attrs))
		if f.Gaps > 0 {
			note = message.Say("plan.moments.sparse").Part("few", note).Name("column", f.Sparsest).Count("n", f.Gaps).
				Count("all", f.Records)
		}
		out = append(out, note)
	case f.Turned() && f.Free+1 < spare+len(attrs):
		out = append(out,
			message.Say("plan.moments.tell").Count("n", f.Complete).Count("known", min(f.solvable(len(attrs)), f.Complete)))
	}
	out = append(out, f.singled()...)
	for k := range attrs {
		if note := f.column(k, attrs[k].Name); !note.Empty() {
			out = append(out, note)
		}
	}
	return append(out, f.drift(attrs, clipped)...)
}

// drift says how far rounding and clipping may move the moments. Rounding adds to a column one of values up to half a
// step, whose mean and standard deviation are at most that.
func (f *Facts) drift(attrs []table.Attribute, clipped func(k int) bool) []message.Sentence {
	var out, ends []message.Sentence
	worst, at := 0.0, 0
	for k, a := range attrs {
		if f.SD[k] == 0 {
			continue
		}
		if share := a.Step / 2 / f.SD[k]; share > worst {
			worst, at = share, k
		}
		if clipped(k) {
			ends = append(ends, message.Quoted(a.Name))
		}
	}
	if worst > 0 {
		out = append(out, message.Say("plan.moments.rounding").Digits("worst", worst, 2).Name("column", attrs[at].Name))
	}
	if ends != nil {
		out = append(out, message.Say("plan.moments.ends").Part("columns", message.First(ends, mostNamed)))
	}
	return out
}

// singled says how many records are alone in the columns that are released as they are.
func (f *Facts) singled() []message.Sentence {
	if f.Singled == 0 {
		return nil
	}
	return []message.Sentence{message.Say("plan.moments.singled").Count("n", f.Singled)}
}

// column says where the release of the k-th column is not what the technique promises.
func (f *Facts) column(k int, name string) message.Sentence {
	switch e := f.Explained[k]; {
	case slices.Contains(f.Lone, k) && f.Records > 1:
		return message.Say("plan.moments.lone").Name("column", name)
	case slices.Contains(f.Constant, k):
		return message.Say("plan.constant").Name("column", name)
	case f.SD[k] == 0 && e == 1 && f.Turned():
		return message.Say("plan.moments.oneValue").Name("column", name)
	case e >= nearly && f.Turned():
		return message.Say("plan.moments.explained").Fixed("n", 100*nearly, 0).Name("column", name)
	}
	return message.Sentence{}
}
