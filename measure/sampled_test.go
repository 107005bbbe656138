package measure

import (
	"math"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestSampled: the share is that of the people, by the population where it is known and else by the weights of the
// release, of whom those of one person count once.
func TestSampled(t *testing.T) {
	weighed := func(w ...float64) *table.Table {
		c := table.NumColumn("w", 0, w)
		c.Role = table.Weight
		return tabletest.Of(t, table.NumColumn("x", 1, make([]float64, len(w))), c)
	}
	plain := weighed(1, 1, 1, 1).Select(0)
	for name, c := range map[string]struct {
		t          *table.Table
		population float64
		person     []int32
		share      float64
		told       bool
	}{
		"nothing":       {plain, 0, nil, 0, false},
		"population":    {plain, 40, nil, 0.1, true},
		"weights":       {weighed(10, 20, 30, 20), 0, nil, 0.05, true},
		"both":          {weighed(10, 20, 30, 20), 400, nil, 0.01, true},
		"of persons":    {weighed(10, 12, 30, 20), 0, []int32{0, 0, 1, 2}, 3. / 62, true},
		"mean 1":        {weighed(0.5, 1, 1, 1.4), 0, nil, 1, true},
		"missing":       {weighed(10, math.NaN(), 30, 20), 0, nil, 0, false},
		"none positive": {weighed(10, 0, 30, 20), 0, nil, 0, false},
	} {
		r := &Release{Original: c.t, Released: c.t, Paired: true, Background: Background{Population: c.population}}
		if c.person != nil {
			r.Person, r.Persons = "p", map[string]map[table.RecordID]int32{"p": {}}
			for i, p := range c.person {
				r.Persons["p"][c.t.ID(i)] = p
			}
		}
		if share, told := r.Sampled(); math.Abs(share-c.share) > 1e-15 || told != c.told {
			t.Errorf("%s: %v, %v", name, share, told)
		}
	}
}
