package nearest

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Closeness is how near released records are to originals, and how near records of a control are that no release is
// made from.
type Closeness struct {
	Released, Control Nearest
	Holdout           Nearest // the same released records in the hold-out; empty without one
	Records, Held     int     // originals, and records of the hold-out
	Each              bool    // each person of the hold-out is the control by one record of theirs
	// Alone says that there is no hold-out: the control is each original with the others.
	Alone bool
}

// Nearest is the distances of records from the two nearest originals, or records of the hold-out: square roots of
// squared distances of the space of all attributes, +Inf where there is none.
type Nearest struct {
	Rows          []int // judged, ascending
	All           int   // records there are
	Record        []int // the nearest one; -1 for none
	First, Second []float64
}

// Limits are the parameters of measures that compare the closeness of released records with that of a control.
type Limits struct {
	Percent float64 // of the control whose figures count as small
	Pairs   int     // of records, above which they are sampled
}

// Params declares the parameters; what, in the plural, is what the measure takes of a record.
func (l *Limits) Params(what string) param.Set {
	return param.Set{
		param.Float(&l.Percent, "percent", 5, 0.01, 50, "% of the control", what+" not exceeded by this much of "+
			"the control are small"),
		param.Int(&l.Pairs, "pairs", 10_000_000, 1, math.MaxInt, "pairs of records", "compare up to this many "+
			"pairs, at least 100 per search; above it a sample of records"),
	}
}

// CloseOriginals returns how near released records are to originals in all attributes but identifiers and weights. Here
// two missing values are at distance 0, and one is at the mean distance 1 from values: a copy has what it copies
// missing, too. An index spares most pairs; where more than so many are left, the records judged are a sample. The
// result is shared.
func CloseOriginals(ctx context.Context, r *measure.Release, pairs int) (*Closeness, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	key := fmt.Sprintf("closeness to originals %d", pairs)
	return measure.PerRelease(r, key, func(r *measure.Release) (*Closeness, error) {
		return closeOriginals(ctx, r, pairs)
	})
}

func closeOriginals(ctx context.Context, r *measure.Release, pairs int) (*Closeness, error) {
	c := &Closeness{Records: r.Original.Rows(), Alone: true}
	if r.Holdout != nil && r.Holdout.Rows() > 0 {
		c.Alone, c.Held = false, r.Holdout.Rows()
	}
	if c.Records == 0 || r.Released.Rows() == 0 || c.Alone && c.Records < 2 {
		return nil, errors.New("there are too few records to compare")
	}
	s, err := NewSpace(ctx, r.Original, Everything(r.Original))
	if err != nil {
		return nil, err
	}
	index := s.Index(s.Records(r.Original, nil))
	if c.Released, err = s.nearest(ctx, index, r.Released, pairs, false); err != nil {
		return nil, err
	}
	if c.Alone {
		c.Control, err = s.nearest(ctx, index, r.Original, pairs, true)
		return c, err
	}
	control := r.Holdout
	if rows := r.OneOfEach(); len(rows) < c.Held {
		control, c.Each = r.Holdout.Gather(rows), true
	}
	if c.Control, err = s.nearest(ctx, index, control, pairs, false); err != nil {
		return nil, err
	}
	c.Holdout, err = s.among(ctx, s.Index(s.Records(r.Holdout, nil)), r.Released, c.Released.Rows, false)
	return c, err
}

// Everything returns all columns but identifiers and weights as known exactly.
func Everything(t *table.Table) []intruder.Known {
	var out []intruder.Known
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 {
			out = append(out, intruder.Known{Column: j})
		}
	}
	return out
}

// nearest looks for the indexed records nearest to those of a table, or of a sample; without themselves when the table
// is the one indexed.
func (s *Space) nearest(
	ctx context.Context,
	index *neighbour.Mixed,
	t *table.Table,
	pairs int,
	itself bool,
) (Nearest, error) {
	rows, err := Sample(ctx, index, t, pairs, func(rows []int) []float64 { return s.copies(t, rows) },
		func(q *neighbour.MixedSearch, row int, known []float64) { q.Nearest(known, 2, except(row, itself)) })
	if err != nil {
		return Nearest{}, err
	}
	return s.among(ctx, index, t, rows, itself)
}

func (s *Space) among(
	ctx context.Context,
	index *neighbour.Mixed,
	t *table.Table,
	rows []int,
	itself bool,
) (Nearest, error) {
	n := Nearest{
		Rows:   rows,
		All:    t.Rows(),
		Record: make([]int, len(rows)),
		First:  make([]float64, len(rows)),
		Second: make([]float64, len(rows)),
	}
	return n, index.Each(ctx, s.copies(t, rows), func(q *neighbour.MixedSearch, i int, known []float64) {
		n.Record[i], n.First[i], n.Second[i] = -1, math.Inf(1), math.Inf(1)
		for k, h := range q.Nearest(known, 2, except(rows[i], itself)) {
			if k == 0 {
				n.Record[i], n.First[i] = h.Record, math.Sqrt(h.Squared)
			} else {
				n.Second[i] = math.Sqrt(h.Squared)
			}
		}
	})
}

func except(row int, itself bool) int {
	if itself {
		return row
	}
	return -1
}

// copies returns questions that a record which misses the same values answers.
func (s *Space) copies(t *table.Table, rows []int) []float64 {
	q := s.Questions(t, rows)
	for i, v := range q {
		if v != v {
			q[i] = neighbour.Missing
		}
	}
	return q
}

// Beyond returns how much of what an attack could win it wins beyond a control: (attack - control) / (1 - control) of
// two success rates, 0 when it wins less or there is nothing to win (Giomi et al. 2023).
func Beyond(attack, control float64) float64 {
	if !(attack > control) {
		return 0
	}
	return min(1, (attack-control)/(1-control))
}

// BeyondInterval returns Beyond of the success rates hits/n of an attack and of a control, and its bounds, from the
// ends of their 95 % intervals (Wilson 1927).
func BeyondInterval(hits, n, control, controls float64) (v, lo, hi float64) {
	alo, ahi := confidence.Wilson(hits, n)
	clo, chi := confidence.Wilson(control, controls)
	v = Beyond(hits/n, control/controls)
	return v, min(v, Beyond(alo, chi)), max(v, Beyond(ahi, clo))
}
