package syntheticrisk

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// copies releases a table as it is.
func copies(ctx context.Context, t *table.Table, _ rng.Source) (*table.Table, error) {
	return t, ctx.Err()
}

// shadowPeople returns people of five independent numbers.
func shadowPeople(n int, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 5))
	cols := make([]table.Column, 5)
	for j := range cols {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		cols[j] = table.NumColumn(string(rune('a'+j)), 0, v)
	}
	return tabletest.Must(cols...)
}

// noise releases a table with normal noise.
func noise(sd float64) func(context.Context, *table.Table, rng.Source) (*table.Table, error) {
	return func(ctx context.Context, t *table.Table, src rng.Source) (*table.Table, error) {
		r := src.Rand()
		for j := range t.Width() {
			v := make([]float64, t.Rows())
			for i := range v {
				v[i] = t.Num(j)[i] + sd*r.NormFloat64()
			}
			t = t.WithNum(j, v)
		}
		return t, ctx.Err()
	}
}

// others releases records that have nothing to do with the table's.
func others(ctx context.Context, t *table.Table, src rng.Source) (*table.Table, error) {
	return shadowPeople(t.Rows(), src.Rand().Uint64()), ctx.Err()
}

func shadowTake(
	t *testing.T,
	tab *table.Table,
	again func(context.Context, *table.Table, rng.Source) (*table.Table, error),
) (measure.Value, *ShadowDetail) {
	t.Helper()
	v := must.Get(Shadow.New().Measure(context.Background(),
		&measure.Release{Original: tab, Released: tab, Making: measure.Making{Again: again}}, rng.New([32]byte{1})))(t)
	return v, v.Detail.(*ShadowDetail)
}

// Copies and little noise give membership away; other records do not. There the rate of 8,000 meetings at 1 % has a
// standard error of 0.0023, both ways (0.0016 of the members, as much of the limit): 0.021 is exceeded in 1 of
// 1,000,000 draws.
func TestShadowPlanted(t *testing.T) {
	tab := shadowPeople(1000, 1)
	for name, again := range map[string]func(context.Context, *table.Table, rng.Source) (*table.Table,
		error){"copies": copies, "little noise": noise(0.02)} {
		if v, d := shadowTake(t, tab, again); v.Lo < 0.9 || d.AUC < 0.99 {
			t.Errorf("%s: %v from %v, %+v", name, v.Score, v.Lo, *d)
		}
	}
	if v, d := shadowTake(t, tab, others); v.Score > 0.021 || v.Hi > 0.035 || math.Abs(d.AUC-0.5) > 0.04 {
		t.Errorf("of other records %v to %v, %+v", v.Score, v.Hi, *d)
	}
	weak, _ := shadowTake(t, tab, noise(1))
	if strong, _ := shadowTake(t, tab, noise(0.2)); strong.Score <= weak.Score {
		t.Errorf("little noise shows %v, much noise %v", strong.Score, weak.Score)
	}
}

// The ratio by hand: one person at 1 and 3 when in, at 6 and 8 when out, and met at 4.
func TestRatioByHand(t *testing.T) {
	shadows := []shadow{
		{in: []bool{true}},
		{in: []bool{true}},
		{in: []bool{false}},
		{in: []bool{false}},
		{in: []bool{true}},
	}
	members, out := membershipRatios(shadows, [][]float64{{1}, {3}, {6}, {8}, {4}})
	// Learned from the first four: means 2 and 7, variance (1+1)*2/1 + (1+1)*2/1 over 4 = 2; the ratio is ((4-2)^2 -
	// (4-7)^2) / 4.
	if got, want := members[len(members)-1], (4.-9)/4; math.Abs(got-want) > 1e-8 || len(members) != 3 || len(out) != 2 {
		t.Errorf("%v, expected %v; %d and %d", got, want, len(members), len(out))
	}
}

func TestDoesNotApply(t *testing.T) {
	tab := shadowPeople(100, 1)
	fails := func(context.Context, *table.Table, rng.Source) (*table.Table, error) {
		return nil, errors.New("too few")
	}
	for name, r := range map[string]*measure.Release{
		"unknown": {Original: tab, Released: tab},
		"generalises": {Original: tab, Released: tab, Recoding: measure.Recoding{Exact: tab},
			Making: measure.Making{Again: copies}},
		"few":   {Original: tab.Slice(0, 19), Released: tab.Slice(0, 19), Making: measure.Making{Again: copies}},
		"fails": {Original: tab, Released: tab, Making: measure.Making{Again: fails}},
	} {
		if _, err := Shadow.New().Measure(t.Context(), r, rng.Source{}); !errors.Is(err, measure.ErrNotApplicable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
