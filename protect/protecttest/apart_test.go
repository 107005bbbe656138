package protecttest

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// forked draws the columns age and city anew: each from a fork of its own or, of one stream, both from the same. Of a
// plan that is fixed, the fit draws.
type forked struct{ one, fixed bool }

func (forked) Params() param.Set { return nil }

func (q forked) Fit(_ context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return forkedPlan{q, t.Attrs(), src}, nil
}

type forkedPlan struct {
	forked
	attrs []table.Attribute
	src   rng.Source
}

func (p forkedPlan) Schema() []table.Attribute { return p.attrs }
func (p forkedPlan) Changes() []string         { return []string{"age", "city"} }

func (p forkedPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if p.fixed {
		src = p.src
	}
	a, b := src.Fork("age").Stream(), src.Fork("city").Stream()
	if p.one {
		a, b = src.Stream(), src.Stream()
	}
	age, city := make([]float64, chunk.Rows()), make([]int32, chunk.Rows())
	for i := range age {
		age[i] = float64(rng.Below(a.At(uint64(chunk.ID(i))).A, 100))
		city[i] = int32(rng.Below(b.At(uint64(chunk.ID(i))).A, 7))
	}
	return chunk.WithNum(chunk.Find("age"), age).WithCat(chunk.Find("city"), city), nil
}

// Two columns from one stream are found, drawn by the plan or held in it; forks pass; and noise that is said to be
// joint must be, which a long run looks at.
func TestOneStreamForTwoColumnsIsFound(t *testing.T) {
	for _, fixed := range []bool{false, true} {
		for _, one := range []bool{false, true} {
			for _, joint := range []bool{false, true} {
				s := &suite{m: protect.Method{New: func() protect.Technique { return forked{one, fixed} }},
					opt: Options{Joint: joint}}
				if err := s.apart(); (err == nil) != (one == joint || joint && !long.Enabled()) {
					t.Errorf("one stream %v, said to be joint %v, in the plan %v: %v", one, joint, fixed, err)
				}
			}
		}
	}
}
