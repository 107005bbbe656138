package quality

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/text/expression"
)

// Tuples are what every record of a release is (Definitions 1 to 3), and in how many records it cannot be judged
// whether they are consistent: none of the constraints is false, but one meets a group of values, or divides by zero.
// These count as consistent.
type Tuples struct {
	Accurate   []bool // no value that is there differs from that of the original record with the key
	Complete   []bool // the original has a record with the key, and no value is missing
	Consistent []bool // no constraint is false; all where there are none
	Unjudged   int
}

// TuplesOf judges the records of a release, by the constraints of a model; a nil one has none. Cost: O(n) for every
// column and every constraint.
func TuplesOf(ctx context.Context, m *Model, pair Pair) (*Tuples, error) {
	if m == nil {
		m = &Model{}
	}
	e, err := newEvaluator(m, pair)
	if err != nil {
		return nil, err
	}
	n := pair.Released.Rows()
	out := &Tuples{make([]bool, n), make([]bool, n), make([]bool, n), 0}
	states, err := parallel.With(
		ctx,
		(n+block-1)/block,
		func() *judging { return &judging{state: e.fresh(), key: m.Key} },
		func(j *judging, b int) error {
			j.tuples(out, b*block, min(n, (b+1)*block))
			return nil
		},
	)
	for _, s := range states {
		out.Unjudged += s.unjudged
	}
	return out, err
}

// judging judges whole records.
type judging struct {
	*state
	key      []string
	unjudged int
}

func (j *judging) tuples(out *Tuples, lo, hi int) {
	for i := lo; i < hi; i++ {
		out.Accurate[i], out.Complete[i] = true, j.of(i) >= 0
	}
	for k := range j.is {
		if slices.Contains(j.key, j.is[k].Name) {
			continue
		}
		j.compare(k, lo, hi)
		for i := lo; i < hi; i++ {
			if j.is[k].MissingAt(i) {
				out.Complete[i] = false
			} else if j.of(i) >= 0 && j.fate[k][i-lo] == changed {
				out.Accurate[i] = false
			}
		}
	}
	for i := lo; i < hi; i++ {
		t := j.consistent(i)
		if out.Consistent[i] = t != expression.False; t == expression.Failed {
			j.unjudged++
		}
	}
}

// consistent joins all constraints of all purposes.
func (j *judging) consistent(i int) expression.Truth {
	truth := expression.True
	for u := range j.evaluator.uses {
		use := &j.evaluator.uses[u]
		for k := range use.simple {
			truth = joined(truth, j.judge(&use.simple[k], i), false)
		}
		for k := range use.complex {
			c := &use.complex[k]
			one := expression.True
			if c.any {
				one = expression.False
			}
			for l := range c.of {
				one = joined(one, j.judge(&c.of[l], i), c.any)
			}
			truth = joined(truth, one, false)
		}
	}
	return truth
}
