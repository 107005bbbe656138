package randomised

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel/transition"
)

func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

// Records of six items are sets of bits.
const all = 6

func size(t int) int { return bits.OnesCount(uint(t)) }

// released returns the law of all releases of the record by the process that select-a-size is, subset by subset.
func released(o Sizes, record int) (law [1 << all]float64) {
	m := size(record)
	for keep := range 1 << all {
		if keep&^record != 0 {
			continue
		}
		p := o.Kept[size(keep)] / float64(combin.Binomial(m, size(keep)))
		for add := range 1 << all {
			if add&record == 0 {
				law[keep|add] += p * math.Pow(o.Rho, float64(size(add))) * math.Pow(1-o.Rho, float64(all-m-size(add)))
			}
		}
	}
	return law
}

func operator(r *rapid.T) Sizes {
	o := Sizes{Rho: rapid.Float64Range(0.05, 0.95).Draw(r, "rho")}
	sum := 0.0
	for range 4 {
		p := rapid.Float64Range(0.01, 1).Draw(r, "p")
		o.Kept, sum = append(o.Kept, p), sum+p
	}
	for j := range o.Kept {
		o.Kept[j] /= sum
	}
	return o
}

// All 64 releases of all 20 records of three items: transitions, amplification, and the part of the items kept.
func TestSizesEnumerated(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		o := operator(r)
		var laws [][]float64
		for record := range 1 << all {
			if size(record) != 3 {
				continue
			}
			law := released(o, record)
			laws = append(laws, law[:])
			kept := 0.0
			for _, items := range []int{0b1, 0b11, 0b111000, 0b10101} {
				got, want := o.Transition(size(items)), make([]float64, size(items)+1)
				for out, p := range law {
					want[size(out&items)] += p
				}
				for l, w := range want {
					near(t, fmt.Sprintf("P(%d items after | %d before)", l, size(record&items)), got[size(record&items)][l], w)
				}
			}
			for out, p := range law {
				kept += p * float64(size(out&record)) / 3
			}
			near(t, "the share kept", o.KeptShare(), kept)
		}
		near(t, "gamma", o.Gamma(), Gamma(laws))
	})
}

// Over all releases of three records the estimate is unbiased, its variance is that of Variance, and so is the mean of
// the estimated variance; the breach is Bayes' rule.
func TestSizesEstimateEnumerated(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		o, items := operator(r), 0b11
		p := o.Transition(2)
		if p.Condition() > 1e4 {
			return
		}
		q := must.Get(Inverse(p))(t)
		s, after, mean, variance := make([]float64, 3), make([]float64, 3), 0.0, 0.0
		with, joint, whole := make([]float64, 3), 0.0, 0.0 // of item 0
		records := []int{0b111, 0b101001, 0b111000, rapid.SampledFrom([]int{0b111, 0b1110, 0b10101}).Draw(r, "record")}
		for _, record := range records {
			l, first, second := size(record&items), 0.0, 0.0
			s[l] += 0.25
			if record&1 > 0 {
				with[l] += 0.25
			}
			for out, prob := range released(o, record) {
				got := size(out & items)
				after[got] += prob / 4
				first, second = first+prob*q[2][got], second+prob*q[2][got]*q[2][got]
				if got == 2 {
					whole += prob
					joint += prob * float64(record&1)
				}
			}
			mean, variance = mean+first/4, variance+(second-first*first)/4
		}
		scale := max(1, variance)
		near(t, "the mean of the estimate", mean, s[2])
		near(t, "its variance", Variance(q, after)/scale, variance/scale)
		near(t, "the breach", Breach(p, s, with), joint/whole)
		for l, x := range Undo(q, after) {
			near(t, "a partial support", x, s[l])
		}
	})
}

// Cut-and-paste as it is defined: a cut, and every other item pasted by itself.
func TestCutAndPasteEnumerated(t *testing.T) {
	for _, c := range []struct {
		m, most int
		rho     float64
	}{{3, 2, 0.1}, {3, 3, 0.4}, {3, 7, 0.2}, {3, 0, 0.5}, {0, 2, 0.3}} {
		record := 1<<c.m - 1
		var want [1 << all]float64
		for j := range c.most + 1 {
			cut := min(j, c.m)
			for keep := range 1 << c.m {
				if size(keep) != cut {
					continue
				}
				p := 1 / float64(c.most+1) / float64(combin.Binomial(c.m, cut))
				for paste := range 1 << all {
					if paste&keep == 0 {
						want[keep|paste] += p * math.Pow(c.rho, float64(size(paste))) * math.Pow(1-c.rho, float64(all-cut-size(paste)))
					}
				}
			}
		}
		for out, p := range released(CutAndPaste(c.m, c.most, c.rho), record) {
			near(t, fmt.Sprintf("m %d, at most %d, rho %v: release %06b", c.m, c.most, c.rho, out), p, want[out])
		}
	}
}

// Where its gamma is limited the operator reaches it, and no other choice on the grid has less variance.
func TestLimitedReachesGamma(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		m, gamma := rapid.IntRange(1, 5).Draw(r, "m"), rapid.Float64Range(1.5, 40).Draw(r, "gamma")
		s := []float64{0.6, 0.3, 0.1}[:rapid.IntRange(2, min(3, m+1)).Draw(r, "k")]
		best, from, variance, err := Choose(m, gamma, s, 20)
		must.NoError(t, err)
		near(t, "gamma", best.Gamma(), gamma)
		for f := 1; f <= m; f++ {
			for x := 1; x < 20; x++ {
				p := Limited(m, f, float64(x)/20, gamma).Transition(len(s) - 1)
				if q, err := Inverse(p); err == nil && Variance(q, p.Expected(s)) < variance*(1-1e-9) {
					t.Fatalf("m %d, gamma %v: from %d and rho %v is better than from %d and rho %v", m, gamma, f, float64(x)/20,
						from, best.Rho)
				}
			}
		}
	})
	if _, _, _, err := Choose(3, 1, []float64{0.5, 0.5}, 10); err == nil {
		t.Error("an operator of gamma 1 tells something")
	}
}

// A large record does not overflow.
func TestLargeRecords(t *testing.T) {
	for _, o := range []Sizes{Limited(2000, 900, 0.4, 19), CutAndPaste(2000, 1500, 0.4)} {
		for l, row := range o.Transition(3) {
			sum := 0.0
			for _, p := range row {
				sum += p
			}
			near(t, fmt.Sprint("row ", l), sum, 1)
		}
	}
}

// itemwise returns the law of all releases of the record by MASK and EMASK, item by item.
func itemwise(b Bits, record int) (law [1 << all]float64) {
	m := b.Matrix()
	for out := range law {
		law[out] = 1
		for i := range all {
			law[out] *= m[record>>i&1][out>>i&1]
		}
	}
	return law
}

// Over all releases of some records the estimate of MASK is unbiased, the squared error bar is the variance over
// records that are drawn too, and the lowest support has its four standard errors.
func TestBitsEnumerated(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		b := Bits{rapid.Float64Range(0.05, 0.95).Draw(r, "one"), rapid.Float64Range(0.05, 0.95).Draw(r, "zero")}
		if math.Abs(b.One+b.Zero-1) < 0.05 {
			return
		}
		k := rapid.IntRange(1, 4).Draw(r, "k")
		items, w := 1<<k-1, b.Weights(k)
		ones := make([]float64, k+1)
		share := 0.0
		for _, record := range []int{0b111111, 0b1, 0b101010, 0} {
			mean := 0.0
			for out, p := range itemwise(b, record) {
				ones[size(out&items)] += p
				mean += p * w[size(out&items)]
			}
			want := float64(b2(record&items == items))
			share += want / 4
			if scale := b.Condition(k); math.Abs(mean-want) > 1e-10*max(1, scale*scale) {
				t.Fatalf("the mean of the estimate is %v, expected %v", mean, want)
			}
		}
		second := 0.0
		for l, c := range ones {
			second += c / 4 * w[l] * w[l]
		}
		e := b.Support(ones)
		if math.Abs(e.Error*e.Error*4-(second-share*share)) > 1e-6*max(1, second) {
			t.Fatalf("the error is %v", e.Error)
		}
	})
}

func b2(x bool) int {
	if x {
		return 1
	}
	return 0
}

// The variance at the lowest support, with the other records enumerated, is the sixteenth of its square.
func TestLowestOfBits(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		b := Bits{rapid.Float64Range(0.6, 0.95).Draw(r, "one"), rapid.Float64Range(0.6, 0.99).Draw(r, "zero")}
		k, n, background := rapid.IntRange(
			1,
			4,
		).Draw(r, "k"), rapid.Float64Range(1e2, 1e6).Draw(r, "n"), rapid.Float64Range(0, 0.3).Draw(r, "background")
		s, w, items := b.Lowest(k, n, background), b.Weights(k), 1<<k-1
		moment := func(record int) (m2 float64) {
			for out, p := range itemwise(b, record) {
				m2 += p * w[size(out&items)] * w[size(out&items)]
			}
			return m2
		}
		variance := s * (moment(items) - 1)
		for record := range 1 << k {
			variance += (1 - s) * math.Pow(
				background,
				float64(size(record)),
			) * math.Pow(1-background, float64(k-size(record))) * moment(record)
		}
		near(t, "four standard errors in supports", 4*math.Sqrt(variance/n)/s, 1)
	})
	if got := (Bits{0.5, 0.5}).Lowest(2, 1000, 0.1); !math.IsInf(got, 1) {
		t.Errorf("what is not released has the lowest support %v", got)
	}
}

// The figures that Rizvi & Haritsa 2002 and the construction of EMASK print, and what two bits tell by enumeration.
func TestPrivacyOfBits(t *testing.T) {
	for _, c := range []struct{ one, zero, all, most float64 }{{0.5, 0.5, 99, 89.2}, {0.7, 0.7, 98.3, 88.5},
		{0.9, 0.9, 92.49, 83.33}, {0.95, 0.95, 84.7, 76.3}, {0.5, 0.97, 92.54, 83.38}} {
		b := Bits{c.one, c.zero}
		if got, also := b.Privacy(0.01, 1), b.Privacy(0.01, 0.9); math.Abs(got-c.all) > 0.05 || math.Abs(also-c.most) > 0.05 {
			t.Errorf("%+v: privacy %v and %v", c, got, also)
		}
	}
	b, prior := Bits{0.8, 0.95}, []float64{0.9, 0.1}
	var right [2]float64
	for x, row := range b.Matrix() {
		for y, p := range row {
			right[x] += p * p * prior[x] / (prior[0]*b.Matrix()[0][y] + prior[1]*b.Matrix()[1][y])
		}
	}
	r1, r0 := b.Reconstruction(0.1)
	near(t, "R1", r1, right[1])
	near(t, "R0", r0, right[0])
	near(t, "what a released item tells", b.Believed(0.1), 0.08/(0.08+0.045))
	near(t, "gamma", b.Gamma(), 16)
	for k, want := range []float64{1, 1.25, 1.5625, 1.953125} {
		near(t, "condition", (Bits{0.9, 0.9}).Condition(k), want)
	}
}

// diagonal returns the matrix of FRAPP from its process: kept, or every attribute drawn anew.
func diagonal(d Diagonal, n int) transition.Matrix {
	m := make(transition.Matrix, n)
	for u := range m {
		m[u] = make([]float64, n)
		for v := range m[u] {
			m[u][v] = (1 - d.Keep()) / float64(n)
		}
		m[u][u] += d.Keep()
	}
	return m
}

// Two attributes of 3 and 4 categories: amplification, condition, the matrix of each attribute, and what is 4 standard
// errors.
func TestDiagonalEnumerated(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		d := Diagonal{rapid.Float64Range(1.2, 50).Draw(r, "gamma"), 12}
		m := diagonal(d, 12)
		near(t, "gamma", Gamma(m), d.Gamma)
		near(t, "condition", d.Condition(), m.Condition())
		on, off := d.Subset(4)
		if det := mat.Det(mat.NewDense(2, 2, []float64{on, off, off, on})); det <= 0 {
			t.Fatalf("diagonal %v, off %v", on, off)
		}
		for u := range m {
			same, other := 0.0, 0.0
			for v, p := range m[u] {
				if v%4 == u%4 {
					same += p
				}
				if v%4 == (u+1)%4 {
					other += p
				}
			}
			near(t, "the diagonal of one attribute", on, same)
			near(t, "off it", off, other)
		}
		near(t, "an expected share", d.Support(0.3*on+0.7*off, 100, 4).Share, 0.3)
		s, n := d.Lowest(1000, 4), 1000.0
		sd := math.Sqrt((s*on*(1-on)+(1-s)*off*(1-off))/n) / d.Keep()
		near(t, "four standard errors in shares", 4*sd/s, 1)
	})
	if got := (Diagonal{1, 12}).Lowest(1000, 4); !math.IsInf(got, 1) {
		t.Errorf("what is not released has the lowest share %v", got)
	}
}

// No property of any operator leaves the bounds of its amplification.
func TestPosterior(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		b := Bits{rapid.Float64Range(0.01, 0.99).Draw(r, "one"), rapid.Float64Range(0.01, 0.99).Draw(r, "zero")}
		prior := rapid.Float64Range(0.01, 0.99).Draw(r, "prior")
		down, up := Posterior(prior, b.Gamma())
		if now := b.Believed(prior); now < down-1e-12 || now > up+1e-12 {
			t.Fatalf("%v becomes %v, outside %v..%v", prior, now, down, up)
		}
	})
}
