package attackers

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
)

// Claims are whom an attack takes people for, by place.
type Claims struct{ all []claim }

// Claims lets an attack claim people. Cost: that of Credits and, of people who are not found, of all records.
func (t *Team) Claims(ctx context.Context, c *Choice, places []int, b *Budget) (*Claims, error) {
	out := &Claims{make([]claim, len(places))}
	states, err := parallel.With(
		ctx,
		len(places),
		func() *scanner { return newScanner(t, c.By, c.Gaps) },
		func(s *scanner, i int) error {
			s.look(places[i])
			out.all[i] = s.claims(c.clues)
			return nil
		},
	)
	for _, s := range states {
		b.spent += s.Visited
	}
	return out, err
}

// Credits returns what Team.Credits does.
func (c *Claims) Credits() []float64 {
	out := make([]float64, len(c.all))
	for i, cl := range c.all {
		out[i] = cl.credit
	}
	return out
}

// Sure returns the share of the people who are found where the attack claims only whom it is so sure of that at most a
// share of the claims is false. Who is claimed with the same certainty is claimed together.
func (c *Claims) Sure(falsehood float64) float64 {
	order := slices.DeleteFunc(slices.Clone(c.all), func(cl claim) bool { return cl.ties == 0 })
	sorting.Stable(order, func(a, b claim) int { return cmp.Compare(b.sure, a.sure) })
	right, n, best := 0.0, 0.0, 0.0
	for i, cl := range order {
		right, n = right+cl.credit, n+1
		last := i+1 == len(order) || order[i+1].sure < cl.sure-tied(cl.sure)
		if last && n-right <= falsehood*n {
			best = right
		}
	}
	return best / float64(max(1, len(c.all)))
}

// And returns the claims of both, first those of c.
func (c *Claims) And(o *Claims) *Claims { return &Claims{slices.Concat(c.all, o.all)} }
