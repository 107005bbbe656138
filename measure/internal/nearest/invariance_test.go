package nearest

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// chances returns those of links by distance.
func chances(t rapid.TB, original, released *table.Table, known []intruder.Known) []float64 {
	l := must.Get(Distance{Pairs: math.MaxInt}.Link(ctx, original, released, known, nil))(t)
	return l.First
}

// The order of the records does not matter, nor which of them stand together.
func TestOrderFree(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		original := protecttest.RandomTable(r)
		released := perturb(r, original)
		s := must.Get(NewSpace(ctx, original, Everything(original)))(r)
		ranks := func(rows []int) (out []rank) {
			points, questions := s.Records(released, rows), s.Questions(original, rows)
			q, p := s.Index(points).Search(), len(s.nominal)
			for i := range rows {
				out = append(out,
					rankOf(q, questions[2*p*i:2*p*(i+1)], []int{i}, func(i int) []float64 { return points[p*i : p*(i+1)] }))
				if out[i].nearer > 1 {
					out[i].ties = 0 // it means nothing
				}
			}
			return out
		}
		rows := measure.Drawn(original.Rows(), original.Rows())
		before := ranks(rows)
		rand.New(rand.NewPCG(uint64(rapid.IntRange(0, 99).Draw(r, "order")), 1)).Shuffle(len(rows), func(i, j int) {
			rows[i], rows[j] = rows[j], rows[i]
		})
		for i, after := range ranks(rows) {
			if after != before[rows[i]] {
				r.Fatalf("record %d has rank %v, elsewhere %v", rows[i], before[rows[i]], after)
			}
		}
	})
}

// The unit of a number does not matter: columns times a power of 2 have the same links, to the last bit.
func TestUnitFree(t *testing.T) {
	a := normals(t, 400, 3, 1)
	b, e := a, normals(t, 400, 3, 2)
	for j := range 3 {
		v := slices.Clone(a.Num(j))
		for i := range v {
			v[i] += 0.2 * e.Num(j)[i]
		}
		b = b.WithNum(j, v)
	}
	scaled := func(t *table.Table) *table.Table {
		v := slices.Clone(t.Num(1))
		for i := range v {
			v[i] *= 1024
		}
		return t.WithNum(1, v)
	}
	before, after := chances(t, a, b, Everything(a)), chances(t, scaled(a), scaled(b), Everything(a))
	if !slices.Equal(before, after) {
		t.Error("in another unit others are linked")
	}
	if s := stat.Mean(before, nil); s < 0.1 || s > 0.9 {
		t.Errorf("a share of %v is linked: the test shows nothing", s)
	}
}

// More noise links fewer, by either method. Shares of 1,000 persons have a standard deviation of at most 0.016; they
// fall by more than 0.1 a step.
func TestMoreNoiseLinksFewer(t *testing.T) {
	a, e := normals(t, 1000, 3, 1), normals(t, 1000, 3, 2)
	order := rand.New(rand.NewPCG(1, 1)).Perm(1000)
	near, alike := 1.1, 1.1
	for _, sd := range []float64{0, 0.1, 0.3} {
		b := a
		for j := range 3 {
			v := slices.Clone(a.Num(j))
			for i := range v {
				v[i] += sd * e.Num(j)[i]
			}
			b = b.WithNum(j, v)
		}
		m := must.Get(Probabilistic{Tolerance: 0.1, Pairs: math.MaxInt}.Match(ctx, a, b, Everything(a), order))(t)
		right := 0.0
		for i, to := range m.Link {
			if to == i {
				right += 1. / 1000
			}
		}
		share := stat.Mean(chances(t, a, b, Everything(a)), nil)
		if share > near-0.1 || right > alike-0.1 {
			t.Errorf("noise of %v: shares %v and %v, with less noise %v and %v", sd, share, right, near, alike)
		}
		near, alike = share, right
	}
}

// Links and distances are the same on any number of cores.
func TestCores(t *testing.T) {
	tab := blocky(t, 3000)
	order := rand.New(rand.NewPCG(1, 1)).Perm(3000)
	take := func() (out []any) {
		for _, o := range []Distance{{Pairs: math.MaxInt}, {Pairs: math.MaxInt, OneToOne: true, Optimal: 1}} {
			l := must.Get(o.Link(ctx, tab, tab.Gather(order), Everything(tab), order))(t)
			out = append(out, l)
		}
		m, err := Probabilistic{Tolerance: 0.1, Pairs: 2_000_000}.Match(ctx, tab, tab.Gather(order), Everything(tab), order)
		must.NoError(t, err)
		c := must.Get(CloseOriginals(ctx, &measure.Release{Original: tab, Released: tab.Gather(order)}, math.MaxInt))(t)
		return append(out, m, c)
	}
	all := take()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if one := take(); !reflect.DeepEqual(all, one) {
		t.Error("one core links otherwise than all")
	}
}

// What is known of a number becomes an interval: of a band it ends before the next begins.
func TestQuestions(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{0, 10, math.NaN()}))
	for name, c := range map[string]struct {
		known  intruder.Known
		lo, hi float64 // of the second person
	}{
		"exact":  {intruder.Known{}, 10, 10},
		"within": {intruder.Known{Within: 3}, 7, 13},
		"bands":  {intruder.Known{Bands: []float64{5, 20}}, 5, math.Nextafter(20, 0)},
	} {
		s := must.Get(NewSpace(ctx, tab, []intruder.Known{c.known}))(t)
		q, a := s.Questions(tab, []int{1, 2}), &s.axes[0]
		if q[0] != a.at(c.lo) || q[1] != a.at(c.hi) || !math.IsNaN(q[2]) || !math.IsNaN(q[3]) {
			t.Errorf("%s: %v, expected %v to %v", name, q, a.at(c.lo), a.at(c.hi))
		}
	}
	open := must.Get(NewSpace(ctx, tab, []intruder.Known{{Bands: []float64{5}}}))(t)
	if q := open.Questions(tab, nil); q[0] != -1e100 || q[3] != 1e100 {
		t.Errorf("bands without an end are %v", q)
	}
}
