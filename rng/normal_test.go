package rng

import (
	"math"
	mrand "math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

func normals(seed byte, n int) []float64 {
	z := make([]float64, n)
	Normals[uint64](New([32]byte{seed}).Stream(), z, nil, 0)
	return z
}

// The layers have equal areas, the bottom one with the tail; the top one ends where the density does. Doornik 2005.
func TestZigguratIsClosed(t *testing.T) {
	area := ziggurat[0].scale * 0x1p53 * ziggurat[0].hi
	for k := 1; k < layers; k++ {
		edge := ziggurat[k].scale * 0x1p53
		if got := edge * (ziggurat[k].hi - ziggurat[k].lo); math.Abs(got-area) > 1e-12*area {
			t.Errorf("layer %d has the area %v, expected %v", k, got, area)
		}
		if math.Abs(ziggurat[k].lo-density(edge)) > 1e-15 {
			t.Errorf("layer %d starts at %v, expected the density at its edge", k, ziggurat[k].lo)
		}
	}
	if top := ziggurat[layers-1]; top.hi != 1 || top.inside != 0 {
		t.Errorf("the top layer is %+v", top)
	}
	if all := layers * area; math.Abs(all-math.Sqrt(math.Pi/2)) > 0.02 || all < math.Sqrt(math.Pi/2) {
		t.Errorf("the layers cover %v, the density needs %v", all, math.Sqrt(math.Pi/2))
	}
}

// Kolmogorov-Smirnov on 2,000,000 variates, and a chi-square test of 4,000 equally likely cells, which sees a fault of
// a single layer. A right program fails each once in a million.
func TestNormalsAreNormal(t *testing.T) {
	const n, cells = 2_000_000, 4000
	z := normals(1, n)
	slices.Sort(z)
	worst := 0.0
	seen := make([]float64, cells)
	for i, x := range z {
		f := 0.5 * math.Erfc(-x/math.Sqrt2)
		worst = max(worst, f-float64(i)/n, float64(i+1)/n-f)
		seen[min(int(f*cells), cells-1)]++
	}
	if bound := math.Sqrt(-math.Log(1e-6/2) / (2 * n)); worst > bound {
		t.Errorf("Kolmogorov-Smirnov distance %v, bound %v", worst, bound)
	}
	chi := 0.0
	for _, k := range seen {
		chi += (k - n/cells) * (k - n/cells) / (n / cells)
	}
	if d := (distuv.ChiSquared{K: cells - 1}); d.Survival(chi) < 5e-7 || d.CDF(chi) < 5e-7 {
		t.Errorf("chi-square %v with %d degrees of freedom", chi, cells-1)
	}
}

// The tail beyond the ziggurat: how many fall there on each side (five standard errors, once in a million), and how far
// (mean excess of a normal beyond r is density/probability - r).
func TestTail(t *testing.T) {
	const n = 8_000_000
	var count [2]float64
	excess := 0.0
	for _, x := range normals(2, n) {
		switch {
		case x > tail:
			count[0]++
			excess += x - tail
		case x < -tail:
			count[1]++
			excess -= x + tail
		}
	}
	p := math.Erfc(tail/math.Sqrt2) / 2
	for side, k := range count {
		if z := (k - n*p) / math.Sqrt(n*p); math.Abs(z) > 5 {
			t.Errorf("side %d: %v beyond %v, expected %v", side, k, tail, n*p)
		}
	}
	hazard := density(tail) / math.Sqrt(2*math.Pi) / p
	all := count[0] + count[1]
	sd := math.Sqrt(1 + tail*hazard - hazard*hazard)
	if z := (excess/all - (hazard - tail)) / (sd / math.Sqrt(all)); math.Abs(z) > 5 {
		t.Errorf("mean excess %v, expected %v", excess/all, hazard-tail)
	}
}

// A record's variate is the same in a run, in a run of another start, and among scattered records.
func TestNormalsDoNotDependOnTheirCompany(t *testing.T) {
	want := normals(5, 2000)
	s := New([32]byte{5}).Stream()
	long.Check(t, func(t *rapid.T) {
		first := rapid.IntRange(0, 1999).Draw(t, "first")
		n := rapid.IntRange(0, 2000-first).Draw(t, "n")
		run, scattered := make([]float64, n), make([]float64, n)
		Normals(s, run, nil, uint64(first))
		ids := make([]uint64, n)
		for i := range ids {
			ids[i] = uint64(first + n - 1 - i)
		}
		Normals(s, scattered, ids, 0)
		for i := range n {
			if w := want[first+i]; run[i] != w || scattered[n-1-i] != w {
				t.Fatalf("record %d: %v in a run, %v scattered, expected %v", first+i, run[i], scattered[n-1-i], w)
			}
		}
	})
}

// Kolmogorov-Smirnov, once in a million.
func TestBlockNormal(t *testing.T) {
	const n = 200_000
	blocks := make([]Block, n)
	New([32]byte{6}).Stream().Fill(blocks, 0)
	z := make([]float64, n)
	for i, b := range blocks {
		z[i] = b.Normal()
	}
	slices.Sort(z)
	worst := 0.0
	for i, x := range z {
		f := 0.5 * math.Erfc(-x/math.Sqrt2)
		worst = max(worst, f-float64(i)/n, float64(i+1)/n-f)
	}
	if bound := math.Sqrt(-math.Log(1e-6/2) / (2 * n)); worst > bound {
		t.Errorf("Kolmogorov-Smirnov distance %v, bound %v", worst, bound)
	}
	if x := (Block{}).Normal(); math.IsInf(x, 0) || math.Abs(x) > 9 {
		t.Errorf("the extreme block gives %v", x)
	}
}

// 1,000,000 values each, as shares of the yardstick: Fill 0.03, Normals 0.09, scattered 0.26, Box-Muller with its
// blocks 0.33, the sequential generator of the standard library 0.08.
func BenchmarkFill(b *testing.B) {
	blocks := make([]Block, 1_000_000)
	s := New([32]byte{1}).Stream()
	for b.Loop() {
		s.Fill(blocks, 0)
	}
	yardstick.Report(b)
}

func BenchmarkNormals(b *testing.B) {
	z := make([]float64, 1_000_000)
	s := New([32]byte{1}).Stream()
	for b.Loop() {
		Normals[uint64](s, z, nil, 0)
	}
	yardstick.Report(b)
}

func BenchmarkNormalsScattered(b *testing.B) {
	z, ids := make([]float64, 1_000_000), make([]uint64, 1_000_000)
	for i := range ids {
		ids[i] = uint64(i) * 7919
	}
	s := New([32]byte{1}).Stream()
	for b.Loop() {
		Normals(s, z, ids, 0)
	}
	yardstick.Report(b)
}

func BenchmarkBoxMuller(b *testing.B) {
	blocks, z := make([]Block, 1_000_000), make([]float64, 1_000_000)
	s := New([32]byte{1}).Stream()
	for b.Loop() {
		s.Fill(blocks, 0)
		for i := range z {
			z[i] = blocks[i].Normal()
		}
	}
	yardstick.Report(b)
}

func BenchmarkChaCha8NormFloat64(b *testing.B) {
	z := make([]float64, 1_000_000)
	r := mrand.New(mrand.NewChaCha8([32]byte{1}))
	for b.Loop() {
		for i := range z {
			z[i] = r.NormFloat64()
		}
	}
	yardstick.Report(b)
}
