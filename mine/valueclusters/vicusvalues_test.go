package valueclusters_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/valueclusters"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var (
	_ mine.ValueClusterer = (*valueclusters.VICUSModel)(nil)
	_ mine.Described      = (*valueclusters.VICUSModel)(nil)
)

func fit(t testing.TB, l *valueclusters.VICUSLearner, tab *table.Table) *valueclusters.VICUSModel {
	t.Helper()
	m := must.Get(mine.Fit(context.Background(), l, tab, rng.New([32]byte{5})))(t)
	return m.(*valueclusters.VICUSModel)
}

// cars are records in which two makes are sold in the same countries, by similar shares, and a third elsewhere.
func cars(t testing.TB) *table.Table {
	var make_, country []int32
	for _, c := range []struct{ make_, country, times int32 }{{0, 0, 8}, {0, 1, 2}, {1, 0, 18}, {1, 1, 2}, {2, 2, 5}} {
		for range c.times {
			make_, country = append(make_, c.make_), append(country, c.country)
		}
	}
	return tabletest.Of(t, table.CatColumn("make", []string{"Ford", "Toyota", "Lada"}, make_),
		table.CatColumn("country", []string{"a", "b", "c"}, country))
}

// S' by hand: Ford has (8, 2) of countries a and b, Toyota (18, 2), so S' = (sqrt(8*18) + sqrt(2*2)) / sqrt(10*20) =
// 14/14.142. Lada shares no country.
func TestByHand(t *testing.T) {
	l := valueclusters.VICUSNew()
	l.First = 1
	m := fit(t, l, cars(t))
	s := m.Attributes[0].Similarity
	protecttest.Near(t, "Ford and Toyota", s[0][1], 14/math.Sqrt(200), 1e-12)
	protecttest.Near(t, "Ford and Lada", s[0][2], 0, 1e-12)
	if !slices.Equal(m.Attributes[0].Group, []int32{0, 0, 1}) {
		t.Errorf("groups %v", m.Attributes[0].Group)
	}
	// Countries a and b have (8, 18) and (2, 2) of the makes: (4 + 6) / sqrt(26 * 4) = 0.981, so with "alike" 0.9 they are
	// one vertex, and S" of Ford and Toyota is 1.
	l.First = 0
	protecttest.Near(t, "by similar neighbours", fit(t, l, cars(t)).Attributes[0].Similarity[0][1], 1, 1e-12)
	l.Alike = 0.99
	protecttest.Near(t, "by neighbours that are not similar", fit(t, l, cars(t)).Attributes[0].Similarity[0][1],
		14/math.Sqrt(200), 1e-12)
	similar := m.Similar()
	if len(similar) == 0 || similar[0].A != "Ford" || similar[0].B != "Toyota" {
		t.Errorf("%v", similar)
	}
	if text := m.Text(); !strings.Contains(text, "make, group 1: Ford, Toyota") ||
		!strings.Contains(text, "make, group 2: Lada") {
		t.Error(text)
	}
}

// twin is S by the definition: neighbours are counted record by record for every pair of values.
func twin(l *valueclusters.VICUSLearner, tab *table.Table, k, a, b int) float64 {
	count := func(j1 int, v1 int32, j2 int, v2 int32) (n float64) {
		for i := range tab.Rows() {
			if tab.Cat(j1)[i] == v1 && tab.Cat(j2)[i] == v2 {
				n++
			}
		}
		return n
	}
	plain := func(j int, x, y int32) float64 {
		sum, dx, dy := 0.0, 0.0, 0.0
		for z := range tab.Width() {
			for v := range tab.Attr(z).Labels {
				if z != j {
					p, q := count(j, x, z, int32(v)), count(j, y, z, int32(v))
					sum, dx, dy = sum+math.Sqrt(p*q), dx+p, dy+q
				}
			}
		}
		if dx*dy == 0 {
			return 0
		}
		return sum / math.Sqrt(dx*dy)
	}
	// reach says whether a chain of similar values leads from one to another.
	reach := func(j int, x, y int32) bool {
		from := map[int32]bool{x: true}
		for range tab.Attr(j).Labels {
			for v := range tab.Attr(j).Labels {
				for w := range from {
					if plain(j, w, int32(v)) > l.Alike {
						from[int32(v)] = true
					}
				}
			}
		}
		return from[y]
	}
	sum, dx, dy := 0.0, 0.0, 0.0
	for z := range tab.Width() {
		done := map[int]bool{}
		for v := range tab.Attr(z).Labels {
			if z == k || done[v] {
				continue
			}
			p, q := 0.0, 0.0
			for w := range tab.Attr(z).Labels {
				if w == v || reach(z, int32(v), int32(w)) {
					done[w] = true
					p, q = p+count(k, int32(a), z, int32(w)), q+count(k, int32(b), z, int32(w))
				}
			}
			sum, dx, dy = sum+math.Sqrt(p*q), dx+p, dy+q
		}
	}
	second := 0.0
	if dx*dy > 0 {
		second = sum / math.Sqrt(dx*dy)
	}
	return l.First*plain(k, int32(a), int32(b)) + (1-l.First)*second
}

func TestTwin(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		n, width := rapid.IntRange(1, 12).Draw(rt, "records"), rapid.IntRange(1, 3).Draw(rt, "columns")
		var cols []table.Column
		for j := range width {
			codes := make([]int32, n)
			for i := range codes {
				codes[i] = int32(rapid.IntRange(-1, 2).Draw(rt, "value"))
			}
			cols = append(cols, table.CatColumn(string(rune('a'+j)), []string{"x", "y", "z"}, codes))
		}
		tab := tabletest.Of(rt, cols...)
		l := valueclusters.VICUSNew()
		l.First, l.Alike = rapid.SampledFrom(
			[]float64{0, 0.65, 1},
		).Draw(rt, "first"), rapid.SampledFrom([]float64{0.5, 0.9, 0.97}).Draw(rt, "alike")
		l.Least = rapid.SampledFrom([]float64{0.3, 0.6, 0.9}).Draw(rt, "least")
		m := fit(t, l, tab)
		for k, a := range m.Attributes {
			for i, x := range a.Codes {
				for j, y := range a.Codes[:i] {
					protecttest.Near(t, "similarity", a.Similarity[i][j], twin(l, tab, k, int(x), int(y)), 1e-9)
				}
			}
			checkGroups(rt, &a, l.Least)
		}
	})
}

// checkGroups holds two groups against the limit: no two that are left have a mean similarity that is clearly above it.
func checkGroups(t *rapid.T, a *valueclusters.VICUSAttribute, least float64) {
	for g := range a.Groups() {
		for h := range g {
			sum, n := 0.0, 0.0
			for i := range a.Group {
				for j := range a.Group {
					if int(a.Group[i]) == g && int(a.Group[j]) == h {
						sum, n = sum+a.Similarity[i][j], n+1
					}
				}
			}
			if sum/n > least+1e-9 {
				t.Fatalf("%s: groups %d and %d have the mean similarity %v", a.Name, g, h, sum/n)
			}
		}
	}
}

func TestTooManyValues(t *testing.T) {
	l := valueclusters.VICUSNew()
	l.MaxValues = 5
	if _, err := l.Fit(t.Context(), cars(t), rng.Source{}); err == nil || err.Error() != "the columns have 6 values; "+
		"expected at most 5 (maxValues)" {
		t.Errorf("%v", err)
	}
}

// The values of tables like Adult's: 30,000 records take 0.01 of the yardstick, a million 0.24.
func BenchmarkFit(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		tab := protecttest.AdultLike(b, rows)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				fit(b, valueclusters.VICUSNew(), tab)
			}
			yardstick.Report(b)
		})
	}
}
