package emask

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/randomised"
	"github.com/dither-data/dither/internal/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// baskets returns records of which 3 in 10 have items 0, 1 and 2, the others one of all.
func baskets(t testing.TB, rows, labels int) *table.Table {
	sets, names := make([][]int32, rows), make([]string, labels)
	for i := range sets {
		sets[i] = []int32{int32(i * 7 % labels)}
		if i%10 < 3 {
			sets[i] = []int32{0, 1, 2}
		}
	}
	for k := range names {
		names[k] = fmt.Sprint("item ", k)
	}
	return tabletest.Of(t, table.SetColumn("bought", names, table.SetsOf(sets, nil)))
}

// The estimates from a release of 20,000 records lie within five of their errors, each: a right program fails once in 1.7 million.
func TestReleaseIsEstimable(t *testing.T) {
	const n = 20_000
	tab := baskets(t, n, 50)
	q := New()
	p, err := q.Fit(t.Context(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	out, err := executor.Run(t.Context(), p, tab, protecttest.Seed(2), protect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := randomised.Bits{One: q.P, Zero: q.Q}
	for _, items := range [][]int32{{0}, {0, 1}, {0, 1, 2}, {3, 4}, {0, 3}} {
		count := func(s *table.Sets) []float64 {
			ones := make([]float64, len(items)+1)
			for i := range n {
				has := 0
				for _, v := range items {
					if slices.Contains(s.Present.Row(i), v) {
						has++
					}
				}
				ones[has]++
			}
			return ones
		}
		truth, e := count(tab.Sets(0))[len(items)]/n, b.Support(count(out.Sets(0)))
		if math.Abs(e.Share-truth) > 5*e.Error {
			t.Errorf("items %v: estimated %v +- %v, expected %v", items, e.Share, e.Error, truth)
		}
	}
}

// The custodian is told that EMASK amplifies more than MASK at the same privacy, and that records stay short.
func TestSentences(t *testing.T) {
	p, err := New().Fit(t.Context(), baskets(t, 1000, 50), protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(p.(protect.Noted).Notes(), "\n")
	for _, want := range []string{"epsilon is 2.81 (amplification gamma 16.7)", `"bought": a record has 2.25 items in the release, 1.6 before, in the mean`} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q: %s", want, notes)
		}
	}
	if got, want := strings.Join(p.(protect.Corrected).Corrections(), "\n"), "2.06383^t (-0.0638298)^(k-t)"; !strings.Contains(got, want) {
		t.Errorf("the corrections lack %q: %s", want, got)
	}
}

// Baskets of 1.6 of 100 items, which get four: 30k records take 0.05 of the yardstick, 1M 2.0.
func BenchmarkRelease(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		tab := baskets(b, size.rows, 100)
		p, err := New().Fit(b.Context(), tab, protecttest.Seed(1))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := executor.Run(b.Context(), p, tab, protecttest.Seed(2), protect.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			yardstick.Report(b)
		})
	}
}
