package mannwhitney

import (
	"encoding/json"
	"math"
	"math/bits"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

// TestGolden has the worked cases of Peters 2011, section 4.2.
func TestGolden(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/classifier_metrics.json"))(t)
	var cases []struct {
		Name, Op string
		Input    struct {
			X, Y    []float64
			Samples map[string][]float64
			Higher  bool `json:"higher_is_better"`
			Alpha   float64
		}
		Expected     json.RawMessage
		Alternatives map[string]json.RawMessage
	}
	figures := func(text json.RawMessage) (f map[string]float64) {
		must.NoError(t, json.Unmarshal(text, &f))
		return f
	}
	must.NoError(t, json.Unmarshal(text, &cases))
	seen := map[string]int{}
	for _, c := range cases {
		seen[c.Op]++
		switch c.Op {
		case "mann_whitney":
			r, want := Test(c.Input.X, c.Input.Y, false), figures(c.Expected)
			if !near(r.U, want["u"]) || !near(r.Z, want["z"]) || !near(r.P, want["p"]) {
				t.Errorf("%s: %+v, expected %v", c.Name, r, want)
			}
			alt := figures(c.Alternatives["continuity"])
			if r = Test(c.Input.X, c.Input.Y, true); !near(r.Z, alt["z"]) || !near(r.P, alt["p"]) {
				t.Errorf("%s, continuity: %+v, expected %v", c.Name, r, alt)
			}
		case "rank_groups":
			var names []string
			var samples [][]float64
			for _, n := range []string{"sap0", "sap1", "sap2", "sap3"} {
				names, samples = append(names, n), append(samples, c.Input.Samples[n])
			}
			want := figures(c.Expected)
			for i, rank := range Ranks(samples, c.Input.Higher, c.Input.Alpha) {
				if float64(rank) != want[names[i]] {
					t.Errorf("%s: %s has rank %d, expected %v", c.Name, names[i], rank, want[names[i]])
				}
			}
		}
	}
	if seen["mann_whitney"] != 2 || seen["rank_groups"] != 2 {
		t.Errorf("cases %v", seen)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

// samples draws two samples with many ties, of one to most values each.
func samples(t *rapid.T, most int) (x, y []float64) {
	values := func(name string) []float64 {
		out := rapid.SliceOfN(rapid.IntRange(0, 7), 1, most).Draw(t, name)
		v := make([]float64, len(out))
		for i, k := range out {
			v[i] = float64(k)
		}
		return v
	}
	return values("x"), values("y")
}

// pairs is U by its definition.
func pairs(x, y []float64) (u float64) {
	for _, a := range x {
		for _, b := range y {
			switch {
			case a > b:
				u++
			case a == b:
				u += 0.5
			}
		}
	}
	return u
}

// deal calls visit with U of every way to deal the values into samples of the same sizes.
func deal(x, y []float64, visit func(u float64)) {
	all := slices.Concat(x, y)
	for set := range 1 << len(all) {
		if bits.OnesCount(uint(set)) != len(x) {
			continue
		}
		var a, b []float64
		for i, v := range all {
			if set>>i&1 == 1 {
				a = append(a, v)
			} else {
				b = append(b, v)
			}
		}
		visit(pairs(a, b))
	}
}

// TestTwin compares U with the count of pairs, and Z with the mean and the standard deviation of U over all ways to
// deal the values: the correction for ties is exact.
func TestTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		x, y := samples(t, 5)
		r := Test(x, y, false)
		if u := pairs(x, y); r.U != u {
			t.Fatalf("U is %v, expected %v", r.U, u)
		}
		var n, sum, square float64
		deal(x, y, func(u float64) { n, sum, square = n+1, sum+u, square+u*u })
		mean := sum / n
		sd := math.Sqrt(max(0, square/n-mean*mean))
		want := 0.0
		if sd > 1e-6 {
			want = (r.U - mean) / sd
		}
		if math.Abs(r.Z-want) > 1e-6 {
			t.Fatalf("z is %v, expected %v", r.Z, want)
		}
		back := Test(y, x, false)
		if back.U+r.U != float64(len(x)*len(y)) || math.Abs(back.Z+r.Z) > 1e-12 || math.Abs(back.P-r.P) > 1e-12 {
			t.Fatalf("exchanged samples give %+v after %+v", back, r)
		}
	})
}

// TestNormalLaw compares p with the share of the ways to deal sixteen values that give a U as far from its mean.
// Without ties they differ by 0.05 at most and, where p is below 0.1, by 0.01; with the correction for continuity by
// 0.01.
func TestNormalLaw(t *testing.T) {
	x, y := make([]float64, 8), make([]float64, 8)
	for i := range x {
		x[i], y[i] = float64(i), float64(i+8)
	}
	far := map[float64]float64{}
	n := 0.0
	deal(x, y, func(u float64) { far[math.Abs(u-32)]++; n++ })
	for shift := range 9 { // x moves up through y
		for i := range x {
			x[i], y[i] = float64(i+shift)+0.5, float64(i+4)
		}
		d := math.Abs(pairs(x, y) - 32)
		exact := 0.0
		for at, count := range far {
			if at >= d {
				exact += count / n
			}
		}
		plain, corrected := Test(x, y, false).P, Test(x, y, true).P
		if off := math.Abs(plain - exact); off > 0.05 || plain < 0.1 && off > 0.01 {
			t.Errorf("U %v from its mean: p is %v, exactly %v", d, plain, exact)
		}
		if math.Abs(corrected-exact) > 0.01 {
			t.Errorf("U %v from its mean: p is %v with the correction, exactly %v", d, corrected, exact)
		}
	}
}

func TestDegenerate(t *testing.T) {
	for _, c := range [][2][]float64{{{3, 3}, {3}}, {nil, {1}}, {{1}, nil}, {nil, nil}} {
		if r := Test(c[0], c[1], false); r.Z != 0 || r.P != 1 {
			t.Errorf("%v: %+v", c, r)
		}
	}
}

// TestRanks has a treatment without values, equal medians, and the comparison with the first of a rank: b is like a, c
// like b but not a.
func TestRanks(t *testing.T) {
	around := func(m float64) []float64 {
		var v []float64
		for k := range 12 {
			v = append(v, m+float64(k))
		}
		return v
	}
	if got := Ranks([][]float64{around(10), nil, around(5), around(0), around(10)}, true, Alpha); !slices.Equal(got,
		[]int{1, 0, 2, 3, 1}) {
		t.Errorf("ranks %v", got)
	}
	if got := Ranks([][]float64{around(8), around(4), around(0)}, true, 0.01); !slices.Equal(got, []int{1, 1, 2}) {
		t.Errorf("ranks %v, expected the second like the first alone", got)
	}
	if got := Ranks([][]float64{around(8), around(4), around(0)}, false, 0.01); !slices.Equal(got, []int{2, 1, 1}) {
		t.Errorf("ranks %v where lower is better", got)
	}
	if got := Ranks(nil, true, Alpha); len(got) != 0 {
		t.Errorf("ranks %v of nothing", got)
	}
}

// BenchmarkTest compares two samples of 500,000 values: 1.6 times the yardstick.
func BenchmarkTest(b *testing.B) {
	x, y := numbers(500_000, 7), numbers(500_000, 11)
	for b.Loop() {
		Test(x, y, false)
	}
	yardstick.Report(b)
}

func numbers(n int, seed uint64) []float64 {
	v := make([]float64, n)
	for i := range v {
		seed = seed*6364136223846793005 + 1442695040888963407
		v[i] = float64(seed >> 11)
	}
	return v
}
