package populationrisk

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/table"
)

// weights are the sampling weights of the released records.
type weights struct {
	candidates []float64 // by class: the sum over its candidates, at least its number of records
	total      float64
}

// weigh sums the weights of every class; nil without a column of weights.
func weigh(ctx context.Context, s *classes.Study, t *table.Table) (*weights, error) {
	j := t.WithRole(table.Weight)
	if j < 0 {
		return nil, nil
	}
	a := t.Attr(j)
	if a.Kind != table.Numeric {
		return nil, fmt.Errorf("column %q has the role weight but is %s, expected numeric", a.Name, a.Kind)
	}
	own := make([]float64, len(s.Sizes))
	w := &weights{candidates: make([]float64, len(own))}
	wrong := 0
	for i, v := range t.Num(j) {
		if !(v > 0) || math.IsInf(v, 1) {
			wrong++
		}
		own[s.Of[i]] += v
		w.total += v
	}
	if wrong > 0 {
		return nil, fmt.Errorf("column %q of weights: %d values are missing, not positive or infinite", a.Name, wrong)
	}
	err := s.Classes.Each(ctx, func() func(int32, []int32) {
		return func(class int32, near []int32) {
			for _, c := range near {
				w.candidates[class] += own[c]
			}
			w.candidates[class] = max(w.candidates[class], float64(s.Candidates[class]))
		}
	})
	return w, err
}

// uniqueMatch returns the probability that a match of a unique record with a unique person is correct (Skinner & Elliot 2002); nil
// when no record is unique.
func (w *weights) uniqueMatch(s *classes.Study) *float64 {
	var n [3]float64 // records that are alone, and in classes of two
	for class, candidates := range s.Candidates {
		if candidates <= 2 {
			n[candidates] += float64(s.Sizes[class])
		}
	}
	if n[1] == 0 {
		return nil
	}
	sampled := min(1, float64(len(s.Of))/w.total)
	p := sampled * n[1] / (sampled*n[1] + (1-sampled)*n[2]) // n[2] counts records, twice the classes
	return &p
}
