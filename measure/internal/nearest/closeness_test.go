package nearest

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// copyDistance is the distance of record i of a to record j of b, where missing values equal each other.
func copyDistance(s *Space, a, b *table.Table, i, j int) float64 {
	w, sum := &twin{a, b, s}, 0.0
	for k := range s.axes {
		if col := s.axes[k].known.Column; !a.MissingAt(i, col) || !b.MissingAt(j, col) {
			sum += w.part(&s.axes[k], i, j)
		}
	}
	return math.Sqrt(sum)
}

// slowNearest takes all distances.
func slowNearest(s *Space, a, b *table.Table, itself bool) (first, second []float64) {
	for i := range a.Rows() {
		var d []float64
		for j := range b.Rows() {
			if !itself || i != j {
				d = append(d, copyDistance(s, a, b, i, j))
			}
		}
		slices.Sort(d)
		d = append(d, math.Inf(1), math.Inf(1))
		first, second = append(first, d[0]), append(second, d[1])
	}
	return first, second
}

// TestClosenessTwin compares distances with those of the twin.
func TestClosenessTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		all := ordered(r, protecttest.RandomTable(r))
		original, holdout := all, all.Slice(0, 0)
		if rapid.Bool().Draw(r, "holdout") {
			cut := rapid.IntRange(1, all.Rows()-1).Draw(r, "cut")
			original, holdout = all.Slice(0, cut), all.Slice(cut, all.Rows())
		}
		released := perturb(r, original)
		c, err := CloseOriginals(ctx, &measure.Release{Original: original, Released: released, Holdout: holdout}, math.MaxInt)
		must.NoError(r, err)
		s, _ := NewSpace(ctx, original, Everything(original))
		near := func(n Nearest, a, b *table.Table, itself bool) {
			first, second := slowNearest(s, a, b, itself)
			if !slices.Equal(n.First, first) || !slices.Equal(n.Second, second) || n.All != a.Rows() {
				r.Fatalf("distances %v and %v, expected %v and %v", n.First, n.Second, first, second)
			}
		}
		near(c.Released, released, original, false)
		for i, j := range c.Released.Record {
			if d := copyDistance(s, released, original, i, j); d != c.Released.First[i] {
				r.Fatalf("record %d: the nearest is at %v, expected %v", i, d, c.Released.First[i])
			}
		}
		if c.Alone != (holdout.Rows() == 0) {
			r.Fatal("the hold-out is overlooked")
		}
		if c.Alone {
			near(c.Control, original, original, true)
			return
		}
		near(c.Control, holdout, original, false)
		near(c.Holdout, released, holdout, false)
	})
}

func TestBeyond(t *testing.T) {
	for _, c := range [][3]float64{{1, 0.2, 1}, {0.6, 0.2, 0.5}, {0.2, 0.2, 0}, {0.1, 0.2, 0}, {1, 1, 0}, {0.5, 0, 0.5}} {
		if got := Beyond(c[0], c[1]); math.Abs(got-c[2]) > 1e-15 {
			t.Errorf("%v beyond %v is %v, expected %v", c[0], c[1], got, c[2])
		}
	}
	v, lo, hi := BeyondInterval(60, 100, 20, 100)
	if math.Abs(v-0.5) > 1e-12 || !(lo > 0.25 && lo < 0.45 && hi > 0.55 && hi < 0.65) {
		t.Errorf("%v in %v to %v", v, lo, hi)
	}
}

// Shares, quantiles and risks of a comparison by hand.
func TestCompare(t *testing.T) {
	c := &Closeness{Records: 3, Alone: true,
		Released: Nearest{All: 4, Record: []int{0, 0, 2, 2}, First: []float64{0, 3, 9, 2}, Second: make([]float64, 4)},
		Control:  Nearest{First: []float64{1, 4, 2, 3}, Second: make([]float64, 4)}}
	o := c.Compare(func(first, _ float64) float64 { return first }, 50)
	if o.Threshold != 2.5 || o.Below != 0.5 || o.Expected != 0.5 || o.Control.Median != 2.5 || o.Released.Median != 2.5 {
		t.Errorf("%+v", o)
	}
	if want := []float64{1, 0, 0.5}; !slices.Equal(o.Risk(), want) {
		t.Errorf("risks %v, expected %v", o.Risk(), want)
	}
	if _, _, ok := c.Nearer(); ok {
		t.Error("there is no hold-out")
	}
	c.Alone, c.Held, c.Holdout = false, 1, Nearest{First: []float64{1, 3, 2, 3}}
	if share, expected, ok := c.Nearer(); share != 0.625 || expected != 0.75 || !ok {
		t.Errorf("a share of %v, expected %v", share, expected)
	}
}

// The index has a million pairs to look at for these independent attributes: a sample is judged, the same records in
// both tables.
func TestClosenessSampled(t *testing.T) {
	r := &measure.Release{
		Original: normals(t, 1500, 8, 1),
		Released: normals(t, 1500, 8, 2),
		Holdout:  normals(t, 1500, 8, 3),
	}
	c := must.Get(CloseOriginals(ctx, r, 50_000))(t)
	if n := len(c.Released.Rows); n < least || n >= 1500 || c.Released.All != 1500 ||
		!slices.Equal(c.Released.Rows, c.Holdout.Rows) {
		t.Errorf("%d of %d records are judged", n, c.Released.All)
	}
	if share, _, _ := c.Nearer(); math.Abs(share-0.5) > 5*math.Sqrt(0.25/float64(len(c.Released.Rows))) {
		t.Errorf("a share of %v is nearer to the originals; independent tables have 0.5 within 5 standard errors", share)
	}
}

// Few records are refused, and odd ones have figures.
func TestClosenessOfFew(t *testing.T) {
	a := normals(t, 5, 2, 1)
	if _, err := CloseOriginals(ctx, &measure.Release{Original: a.Slice(0, 1), Released: a}, 100); err == nil {
		t.Error("one original without a hold-out is accepted")
	}
	c, err := CloseOriginals(ctx, &measure.Release{Original: a.Slice(0, 1), Released: a, Holdout: a.Slice(4, 5)}, 100)
	if err != nil || c.Released.First[0] != 0 || !math.IsInf(c.Released.Second[0], 1) {
		t.Errorf("%+v, %v", c, err)
	}
}
