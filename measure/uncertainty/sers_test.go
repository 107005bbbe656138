package uncertainty

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// twin is the definition, pair by pair.
func twin(original, released *table.Table, i int) float64 {
	var sims []float64
	total := 0.0
	for k := range released.Rows() {
		sum, known := 0.0, 0.0
		for j := range original.Width() {
			a := original.Attr(j)
			if a.Role&(table.Identifier|table.Weight) != 0 || original.MissingAt(i, j) || released.MissingAt(k, j) {
				continue
			}
			known++
			if a.Kind == table.Categorical {
				if original.Cat(j)[i] == released.Cat(j)[k] {
					sum++
				}
			} else if x, y := original.Num(j)[i], released.Num(j)[k]; x == y {
				sum++
			} else if size := a.Domain.Hi - a.Domain.Lo; size > 0 {
				sum += max(0, 1-math.Abs(x-y)/size)
			}
		}
		s := 1.0
		if known > 0 {
			s = sum / known
		}
		sims = append(sims, s)
		total += s
	}
	if total == 0 {
		return math.Log2(float64(len(sims)))
	}
	h := 0.0
	for _, s := range sims {
		if s > 0 {
			h -= s / total * math.Log2(s/total)
		}
	}
	return h
}

func all(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// TestEqualsTwin compares with the definition on tables of all sorts of columns, with and without missing values,
// values beyond the domain, constant domains, and more records than a block.
func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(
			1,
			12,
		).Draw(t, "originals"), rapid.SampledFrom([]int{1, 2, 9, 60, 400, block + 3}).Draw(t, "released")
		missing := rapid.Bool().Draw(t, "missing")
		seed := rapid.Uint64().Draw(t, "seed")
		r := rng.New([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24)}).Rand()
		var a, b []table.Column
		for j := range rapid.IntRange(1, 9).Draw(t, "columns") {
			name := fmt.Sprint("c", j)
			kind := rapid.SampledFrom([]string{"line", "beyond", "grid", "constant", "category", "many"}).Draw(t, "kind")
			values := func(n int) (num []float64, cat []int32) {
				for range n {
					x, c := r.Float64(), int32(r.IntN(5))
					switch kind {
					case "beyond":
						x = 3*x - 1
					case "grid":
						x = math.Floor(4*x) / 4
					case "constant":
						x = math.Floor(1.2*x) + 0.5
					case "many":
						c = int32(r.IntN(5000))
					}
					if missing && r.IntN(5) == 0 {
						x, c = math.NaN(), -1
					}
					num, cat = append(num, x), append(cat, c)
				}
				return num, cat
			}
			ax, ac := values(n)
			bx, bc := values(m)
			if kind == "category" || kind == "many" {
				labels := make([]string, 5000)
				if kind == "category" {
					labels = labels[:5]
				}
				for k := range labels {
					labels[k] = fmt.Sprint(k)
				}
				a, b = append(a, table.CatColumn(name, labels, ac)), append(b, table.CatColumn(name, labels, bc))
				continue
			}
			x, y := table.NumColumn(name, 0, ax), table.NumColumn(name, 0, bx)
			x.Domain, y.Domain = table.Interval{Hi: 1}, table.Interval{}
			if kind == "constant" {
				x.Domain = table.Interval{Lo: 0.5, Hi: 0.5}
			}
			a, b = append(a, x), append(b, y)
		}
		before, after := tabletest.Of(t, a...), tabletest.Of(t, b...)
		got := must.Get(Entropies(context.Background(), before, after, all(n)))(t)
		for i := range got {
			if want := twin(before, after, i); math.Abs(got[i]-want) > 1e-9 {
				t.Fatalf("record %d: %v, expected %v", i, got[i], want)
			}
		}
	})
}

func TestLogarithm(t *testing.T) {
	worst := 0.0
	r := rng.New([32]byte{5}).Rand()
	for k := range 1_000_000 {
		s := r.Float64()
		if k%2 == 0 {
			s = math.Pow(s, 9)
		}
		worst = max(worst, math.Abs(xlog2x(s)/s-math.Log2(s)))
	}
	if worst > 6e-12 {
		t.Errorf("the error of a logarithm is %v, expected at most 6e-12", worst)
	}
	for _, c := range [][2]float64{{0, 0}, {1, 0}, {0.5, -0.5}, {0.25, -0.5}} {
		if got := xlog2x(c[0]); math.Abs(got-c[1]) > 6e-12 {
			t.Errorf("xlog2x(%v) = %v, expected %v", c[0], got, c[1])
		}
	}
	if got := xlog2x(-1e-17); math.Abs(got) > 1e-14 {
		t.Errorf("a rounding error gives %v", got)
	}
}

// TestSERSSample draws samples of the conformance release and looks whether their intervals hold the exact figure. 95 %
// of
// 400 intervals is 380 with a standard deviation of 4.4 for independent normal means; below 360 has a probability under
// 1e-5.
func TestSERSSample(t *testing.T) {
	r := measuretest.Release(false)
	exact := must.Get((&SERSMeter{Pairs: 1 << 40}).Measure(context.Background(), r, rng.Source{}))(t)
	if exact.Lo != exact.Score || exact.Hi != exact.Score {
		t.Errorf("all pairs give the interval %v to %v", exact.Lo, exact.Hi)
	}
	hits := 0
	for k := range 400 {
		v := must.Get((&SERSMeter{Pairs: 1}).Measure(context.Background(), r, rng.New([32]byte{byte(k), byte(k >> 8)})))(t)
		if v.Lo <= exact.Score && exact.Score <= v.Hi {
			hits++
		}
		said := slices.Contains(message.Written(v.Notes), "a sample of 100 of 240 original records was compared")
		if d := v.Detail.(SERSDetail); d.Compared != leastSample || !said {
			t.Fatalf("%d records were compared, notes %q", d.Compared, v.Notes)
		}
	}
	if hits < 360 {
		t.Errorf("%d of 400 intervals hold the exact figure", hits)
	}
}

func TestRefuses(t *testing.T) {
	id := table.CatColumn("id", []string{"a"}, []int32{0})
	id.Role = table.Identifier
	tab := tabletest.Of(t, id)
	r := &measure.Release{Original: tab, Released: tab}
	if _, err := SERS.New().Measure(context.Background(), r, rng.Source{}); !errors.Is(err, measure.ErrNotApplicable) {
		t.Errorf("a table of identifiers: %v", err)
	}
	if _, err := Entropies(context.Background(), tab, tab.Slice(0, 0), nil); err == nil {
		t.Error("a release without records has entropies")
	}
}
