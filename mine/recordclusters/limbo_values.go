package recordclusters

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

// mostValues is how many values an attribute may have whose values are clustered.
const mostValues = 256

// values clusters the values of every attribute by those of the others, and returns which are alike.
func (l *LIMBOLearner) values(ctx context.Context, t *table.Table, s *space, cols []int) (out []mine.Alike, err error) {
	one := s.empty()
	for k, j := range cols {
		a := t.Attr(j)
		if len(a.Labels) > mostValues {
			continue
		}
		by := make([]*feature, len(a.Labels))
		for i, c := range t.Cat(j) {
			if c >= 0 {
				if s.read(i, k, one); one.size > 0 && by[c] == nil {
					by[c] = s.empty()
					by[c].members = []int{int(c)}
				}
				if one.size > 0 {
					by[c].add(one)
				}
			}
		}
		var all []*feature
		even := make([]*feature, len(by)) // each as a distribution
		for c, f := range by {
			if f != nil {
				all = append(all, f)
				even[c] = f.even()
			}
		}
		lost, most := 0.0, float64(l.Lost/100*information(all))
		all, err = limboJoin(ctx, all, func(_ int, loss float64) bool {
			lost += loss
			return lost <= most
		})
		if err != nil {
			return nil, err
		}
		out = append(out, alike(a, even, all)...)
	}
	return out, nil
}

// even is a feature as a distribution.
func (f *feature) even() *feature {
	out := newFeature(len(f.mass))
	for _, v := range f.known {
		out.put(v, f.mass[v]/f.size)
	}
	out.size = 1
	return out
}

// alike returns the pairs of values that are in one cluster, the strongest first: 1 less the Jensen-Shannon divergence
// of their distributions, in bits.
func alike(a *table.Attribute, even, clusters []*feature) (out []mine.Alike) {
	for _, f := range clusters {
		codes := slices.Sorted(slices.Values(f.members))
		for k, c := range codes {
			for _, d := range codes[k+1:] {
				out = append(out, mine.Alike{Attribute: a.Name, A: a.Labels[c], B: a.Labels[d],
					Strength: 1 - min(1, even[c].loss(even[d])/2)})
			}
		}
	}
	slices.SortStableFunc(out, func(x, y mine.Alike) int { return cmp.Compare(y.Strength, x.Strength) })
	return out
}
