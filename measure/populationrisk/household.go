package populationrisk

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/table"
)

// homes returns by released record its household, numbered from 0, -1 for one that is a household by itself: by columns
// of the release, or by the one declared, which the release may lack where it is known which record is whose. It is nil
// where nothing tells households.
func homes(ctx context.Context, r *measure.Release, names []string) ([]int32, error) {
	if len(names) == 0 && r.Paired {
		if of := r.Persons[r.Household]; r.Household != "" && of != nil {
			return declared(r, of), nil
		}
	}
	if len(names) == 1 && r.Released.Find(names[0]) < 0 && r.Paired {
		if of := r.Persons[names[0]]; of != nil {
			return declared(r, of), nil
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	t, columns := r.Released, make([]int, len(names))
	for k, name := range names {
		if columns[k] = t.Find(name); columns[k] < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", "household", name)
		}
	}
	c, err := classes.Of(ctx, classes.Exactly(columns...), false, t)
	if err != nil {
		return nil, err
	}
	out := c.Of[0]
	for i := range out {
		for _, j := range columns {
			if t.MissingAt(i, j) {
				out[i] = -1
			}
		}
	}
	return out, nil
}

// declared is homes by the identities of the records of a paired release.
func declared(r *measure.Release, of map[table.RecordID]int32) []int32 {
	out := make([]int32, r.Original.Rows())
	for i := range out {
		home, ok := of[r.Original.ID(i)]
		if out[i] = home; !ok {
			out[i] = -1
		}
	}
	return out
}

// inHomes returns for every record the risk that its household is re-identified: by a member, or as one of the
// households that are alike. The latter is 1 for one that is alone, of however many members. Risks are those of a
// reading of the release by persons, or by households, and units whose the records are there.
func (m *Meter) inHomes(
	ctx context.Context,
	r *measure.Release,
	d *Detail,
	home []int32,
	risks []float64,
	units []int32,
) ([]float64, error) {
	other := r.ByPerson()
	if other == nil {
		other = r.ByHousehold()
	}
	if other == r {
		return d.households(home, risks, units), nil
	}
	s, err := m.Released(ctx, other)
	if err != nil {
		return nil, err
	}
	w, err := weigh(ctx, s, other)
	if err != nil {
		return nil, err
	}
	own := &Detail{Model: d.Model, Threshold: d.Threshold, K: d.K}
	taken, err := own.models(ctx, s, w, other.Released)
	if err != nil {
		return nil, err
	}
	again := own.households(home, taken, s.People)
	out := d.households(home, risks, units)
	for i, p := range again {
		out[i] = max(out[i], p)
	}
	return out, nil
}

// households returns for every record the risk that a member of its household is re-identified: each member once, at
// the largest risk of their records in it. People says whose the records are; nil where every record is a person's.
func (d *Detail) households(home []int32, risks []float64, people []int32) []float64 {
	type member struct{ home, person int32 }
	worst := make(map[member]float64, len(risks))
	var order []member // for a product that does not depend on the order of a map
	for i, h := range home {
		m := member{h, int32(i)}
		if people != nil {
			m.person = people[i]
		}
		if _, seen := worst[m]; !seen {
			order = append(order, m)
		}
		worst[m] = max(worst[m], risks[i])
	}
	safe := map[int32]float64{} // probability that no member is re-identified
	for _, m := range order {
		p, seen := safe[m.home]
		if !seen {
			p = 1
		}
		safe[m.home] = float64(p * (1 - worst[m]))
	}
	out := make([]float64, len(risks))
	for i, h := range home {
		out[i] = risks[i]
		if h < 0 {
			d.Households++
			continue
		}
		out[i] = max(risks[i], 1-safe[h]) // rounding must not make a household safer than its member
	}
	delete(safe, -1)
	d.Households += len(safe)
	return out
}
