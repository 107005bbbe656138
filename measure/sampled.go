package measure

import (
	"github.com/dither-data/dither/table"

	"github.com/dither-data/dither/internal/portable/exact"
)

// Sampled returns the share of the population that is in the file, as anyone who has the release can tell: the people
// in it by Population or, where that is not known, by the sum of the release's sampling weights, of which the largest
// of a person's counts. It is 1 where weights add up to fewer than there are, as those whose mean is 1, which do not
// tell the population. Told is false where nothing says that the table is a sample, or a weight is missing or not
// positive. Cost: O(n).
func (r *Release) Sampled() (share float64, told bool) {
	of, people := r.sampledPeople()
	total := r.Population
	if total == 0 {
		w := r.Weights()
		if w == nil {
			return 0, false
		}
		most := make([]float64, people)
		for i, v := range w {
			if !(v > 0) {
				return 0, false
			}
			who := i
			if of != nil {
				who = int(of[i])
			}
			most[who] = max(most[who], v)
		}
		total = exact.Of(most)
	}
	if people == 0 {
		return 0, false
	}
	return min(1, float64(people)/total), true
}

// sampledPeople says whose the released records are; where that is not known, each is a person's.
func (r *Release) sampledPeople() (of []int32, n int) {
	if of, n = r.People(); of == nil || len(of) != r.Released.Rows() || !r.Paired {
		return nil, r.Released.Rows()
	}
	return of, n
}

// Weights are the sampling weights of the released records, not to be written; nil without a column of numbers with
// that role.
func (r *Release) Weights() []float64 {
	j := r.Released.WithRole(table.Weight)
	if j < 0 || r.Released.Attr(j).Kind != table.Numeric {
		return nil
	}
	return r.Released.Num(j)
}
