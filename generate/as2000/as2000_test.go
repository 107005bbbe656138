package as2000_test

import (
	"math"
	"testing"

	"github.com/dither-data/dither/generate/as2000"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var seed = rng.New([32]byte{20})

func made(t testing.TB, function, rows int, balanced bool) *table.Table {
	t.Helper()
	g := as2000.New()
	g.Function, g.Balanced = function, balanced
	return must.Get(g.Make(t.Context(), rows, seed))(t)
}

func shareOfA(t *table.Table) float64 {
	n := 0
	for _, c := range t.Cat(t.WithRole(table.Class)) {
		if c == 0 {
			n++
		}
	}
	return float64(n) / float64(t.Rows())
}

// The shares of group A: 41 of 61 ages for function 1, and for the others shares that were simulated elsewhere, to
// 0.002. A frequency is off by 6 standard errors with probability 2e-9.
func TestShares(t *testing.T) {
	const rows = 200_000
	for k, want := range []float64{41.0 / 61, 0.384, 0.307, 0.590, 0.686} {
		slack := 6 * math.Sqrt(want*(1-want)/rows)
		if k > 0 {
			slack += 0.002
		}
		if got := shareOfA(made(t, k+1, rows, false)); math.Abs(got-want) > slack {
			t.Errorf("function %d: %.4f of the records are in group A, expected %.4f", k+1, got, want)
		}
		if got := shareOfA(made(t, k+1, 1000, true)); got != 0.5 {
			t.Errorf("function %d, balanced: %v", k+1, got)
		}
	}
}

// Means and extremes are those of the uniform laws, and the house is worth what the zip code says.
func TestAttributes(t *testing.T) {
	const rows = 200_000
	tab := made(t, 1, rows, false)
	for name, of := range map[string][2]float64{"salary": {20e3, 150e3}, "age": {20, 80}, "elevel": {0, 4},
		"hyears": {1, 30}, "loan": {0, 500e3}} {
		sum, lo, hi := 0.0, math.Inf(1), math.Inf(-1)
		for _, v := range tab.Num(tab.Find(name)) {
			sum, lo, hi = sum+v, min(lo, v), max(hi, v)
		}
		width := of[1] - of[0]
		if mean := sum / rows; math.Abs(mean-(of[0]+of[1])/2) > 6*(width+1)/math.Sqrt(12*rows) || lo-of[0] > width/1000 ||
			of[1]-hi > width/1000 {
			t.Errorf("%s: mean %v in %v to %v", name, mean, lo, hi)
		}
	}
	salary, commission := tab.Num(0), tab.Num(1)
	zip, value := tab.Cat(tab.Find("zipcode")), tab.Num(tab.Find("hvalue"))
	for i := range rows {
		if (salary[i] >= 75e3) != (commission[i] == 0) || commission[i] > 0 && commission[i] < 10e3 {
			t.Fatalf("row %d: salary %v, commission %v", i+1, salary[i], commission[i])
		}
		if k := float64(9 - zip[i]); value[i] < 50e3*k || value[i] > 150e3*k {
			t.Fatalf("row %d: zip code %d, house %v", i+1, zip[i]+1, value[i])
		}
	}
}

// A balanced record is the first of its draws that is in its group: one that is in it at once is the record of the
// other table.
func TestBalancedDrawsOnlyWhereItMust(t *testing.T) {
	plain, balanced := made(t, 2, 2000, false), made(t, 2, 2000, true)
	same := 0
	for i := range 2000 {
		if plain.Cat(9)[i] == int32(i%2) {
			same++
			for j := range plain.Width() - 1 {
				if x, y := plain.Num(j), balanced.Num(j); x != nil && x[i] != y[i] {
					t.Fatalf("row %d of %s: %v and %v", i+1, plain.Attr(j).Name, x[i], y[i])
				}
			}
		}
	}
	if same < 800 || same > 1200 {
		t.Errorf("%d of 2000 records are the same", same)
	}
}

func BenchmarkMake(b *testing.B) {
	for b.Loop() {
		made(b, 3, 1_000_000, false)
	}
	yardstick.Report(b)
}
