package populationrisk

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/table"
)

// weights are the sampling weights of the released records.
type weights struct {
	candidates []float64 // by class: the sum over its candidates, at least its number of records
	total      float64
}

// weigh sums the weights of every class; nil without a column of weights, where the population is not known either.
// Where it is, everybody stands for as many people, or for as many by weight, that all add up to it.
func weigh(ctx context.Context, s *classes.Study, r *measure.Release) (*weights, error) {
	values, err := weightsOf(r.Released)
	if err != nil || values == nil && r.Population == 0 {
		return nil, err
	}
	if values == nil {
		values = slices.Repeat([]float64{1}, len(s.Of))
	}
	w, err := summed(ctx, s, values)
	if err != nil || r.Population == 0 {
		return w, err
	}
	for class := range w.candidates {
		w.candidates[class] = max(w.candidates[class]*r.Population/w.total, float64(s.Hides[class]))
	}
	w.total = r.Population
	return w, nil
}

// weightsOf are the weights of the records of a table; nil without a column of them.
func weightsOf(t *table.Table) ([]float64, error) {
	j := t.WithRole(table.Weight)
	if j < 0 {
		return nil, nil
	}
	a := t.Attr(j)
	if a.Kind != table.Numeric {
		return nil, fmt.Errorf("column %q has the role weight but is %s, expected numeric", a.Name, a.Kind)
	}
	return t.Num(j), positive(t.Num(j), a.Name)
}

// summed sums the weights of every class.
func summed(ctx context.Context, s *classes.Study, values []float64) (*weights, error) {
	if s.People != nil {
		return ofPeople(ctx, s, values)
	}
	own := exact.ByGroup(s.Of, values, len(s.Sizes))
	w := &weights{candidates: make([]float64, len(own)), total: exact.Of(values)}
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

// positive refuses weights that are none.
func positive(weights []float64, name string) error {
	wrong := 0
	for _, v := range weights {
		if !(v > 0) || math.IsInf(v, 1) {
			wrong++
		}
	}
	if wrong > 0 {
		return fmt.Errorf("column %q of weights: %d values are missing, not positive or infinite", name, wrong)
	}
	return nil
}

// ofPeople is weigh where some people have several records: everybody stands for as many people as the largest of their
// weights says.
func ofPeople(ctx context.Context, s *classes.Study, values []float64) (*weights, error) {
	candidates, err := s.Classes.Weight(ctx, 0, s.People, values)
	if err != nil {
		return nil, err
	}
	for class := range candidates {
		candidates[class] = max(candidates[class], float64(s.Hides[class]))
	}
	return &weights{candidates: candidates, total: exact.Of(s.Worst(values))}, nil
}

// uniqueMatch returns the probability that a match of a unique record with a unique person is correct (Skinner & Elliot
// 2002); nil when no record is unique.
func (w *weights) uniqueMatch(s *classes.Study) *float64 {
	var n [3]float64 // people who are alone, and in classes of two
	within := s.Within()
	for class, candidates := range s.Hides {
		if candidates <= 2 {
			n[candidates] += float64(within[class])
		}
	}
	if n[1] == 0 {
		return nil
	}
	sampled := min(1, float64(s.Number())/w.total)
	p := sampled * n[1] / (float64(sampled*n[1]) + float64((1-sampled)*n[2])) // n[2] counts records, twice the classes
	return &p
}
