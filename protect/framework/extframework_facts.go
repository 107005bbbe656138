package framework

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/table"
)

// Facts are what a plan knows of the leaves of the table it was fitted on, for its remarks. They are no part of the law
// of the release.
type Facts struct {
	Need     int   `json:"need"`     // records that a leaf must have for moments of its own
	Pooled   Count `json:"pooled"`   // small leaves that take them from a node above
	Noised   Count `json:"noised"`   // small leaves that get noise
	Sparse   Count `json:"sparse"`   // leaves where a column with too few values gets noise
	Constant Count `json:"constant"` // leaves where a column has one value

	// Forced is, by regenerated column, the share of values that a normal law in the leaf leaves outside it, and that are
	// forced inside; none with C-GADP.
	Forced []float64 `json:"forced,omitempty"`

	// Explained is the most of a column's variance that the given columns explain, in a leaf or in leaves that share
	// moments.
	Explained float64 `json:"explained,omitempty"`
}

// Count is a number of leaves and of the records in them.
type Count struct {
	Leaves  int `json:"leaves"`
	Records int `json:"records"`
}

func (c *Count) add(leaves, records int) {
	c.Leaves += leaves
	c.Records += records
}

// facts counts what becomes of the leaves.
func (s *numbers) facts(d *division) Facts {
	f := Facts{Need: s.need(), Forced: s.forced(d)}
	for _, p := range d.parts {
		f.Explained = max(f.Explained, s.explained(p))
		switch k := s.fresh(p); {
		case p.lent > 0:
			f.Pooled.add(p.lent, d.records(p))
		case p.joint == nil:
			f.Noised.add(1, d.records(p))
		default:
			if k < len(s.columns) {
				f.Sparse.add(1, d.records(p))
			}
			if constant(pick(p.u, p.joint[:k])) {
				f.Constant.add(1, d.records(p))
			}
		}
	}
	return f
}

// forced returns Facts.Forced, of the leaves with moments of their own.
func (s *numbers) forced(d *division) []float64 {
	if s.technique == CGADP {
		return nil
	}
	all, out := 0, make([]float64, len(s.columns))
	for _, p := range d.parts {
		records := d.records(p)
		if all += records; p.lent > 0 || p.joint == nil {
			continue
		}
		for _, k := range p.joint[:s.fresh(p)] {
			a, c := s.Tree.Attrs[s.columns[k]], &s.cells[k][p.taken[0]] // its own leaf
			a.Domain = table.Interval{Lo: c.lo, Hi: c.hi}
			known := mmap.Make[float64](d.in, len(p.u[k]))
			n := copy(known, p.u[k])
			mean, sd := vector.MeanStdDev(slices.DeleteFunc(known[:n], func(v float64) bool { return v != v }))
			mmap.Free(d.in, known)
			out[k] += float64(fence.Forced(&a, s.outside, mean, sd) * float64(records))
		}
	}
	floats.Scale(1/float64(max(all, 1)), out)
	return out
}

// explained returns the largest share of the variance of a regenerated column that the given ones explain in a part;
// with C-GADP, about that of its normal scores.
func (s *numbers) explained(p *part) float64 {
	k := s.fresh(p)
	if k == len(p.joint) {
		return 0
	}
	m, err := moments.Of(context.Background(), pick(p.u, p.joint))
	if err != nil {
		return 0
	}
	cov, _, err := mvnorm.Repair(m.Cov())
	if err != nil {
		return 0
	}
	open, _, err := mvnorm.Security(cov, make([]float64, k))
	if err != nil {
		return 0
	}
	most := 0.0
	for i, share := range open {
		if cov.At(i, i) > 0 {
			most = max(most, 1-share)
		}
	}
	return most
}

// constant reports whether one of the columns has a single value.
func constant(cols [][]float64) bool {
	for _, col := range cols {
		if lo, hi := table.Range(col); lo == hi {
			return true
		}
	}
	return false
}

// notes says how many leaves are not regenerated from their own records, and in how many something is released as it
// is.
func (f *Facts) notes() []message.Sentence {
	var out []message.Sentence
	for _, n := range []struct {
		Count
		why message.Sentence
	}{
		{f.Pooled, message.Say("plan.leaves.pooled").Count("need", f.Need)},
		{f.Noised, message.Say("plan.leaves.noised").Count("need", f.Need)},
		{f.Sparse, message.Say("plan.leaves.sparse")},
		{f.Constant, message.Say("plan.leaves.constant")},
	} {
		if n.Leaves > 0 {
			out = append(out,
				message.Say("plan.leaves.some").Count("leaves", n.Leaves).Count("records", n.Records).Part("why", n.why))
		}
	}
	if f.Explained > 0 {
		out = append(out, message.Say("plan.leaves.explained").Fixed("n", float64(100*f.Explained), 0))
	}
	return out
}
