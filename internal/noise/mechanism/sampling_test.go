package mechanism

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
)

func words(seed byte) Words { return rng.New([32]byte{seed, 1}).Stream().Words() }

// falseAlarm is the chance with which one comparison of counts with their law fails for no reason, had the seed been
// another.
const falseAlarm = 1e-9

// fits compares how often cells were seen with their probabilities by Pearson's test. Cells expected fewer than 10
// times are pooled.
func fits(t *testing.T, what string, seen []int, p []float64) {
	t.Helper()
	n := 0
	for _, k := range seen {
		n += k
	}
	chi2, cells, restSeen, rest := 0.0, 0, 0.0, 0.0
	for i, k := range seen {
		if want := p[i] * float64(n); want >= 10 {
			chi2, cells = chi2+math.Pow(float64(k)-want, 2)/want, cells+1
		} else {
			restSeen, rest = restSeen+float64(k), rest+want
		}
	}
	if rest >= 10 {
		chi2, cells = chi2+math.Pow(restSeen-rest, 2)/rest, cells+1
	} else if restSeen > rest+9*math.Sqrt(rest)+9 {
		t.Errorf("%s: rare values were seen %v times, expected %v", what, restSeen, rest)
	}
	if cells < 2 {
		t.Fatalf("%s: nothing to compare", what)
	}
	if p := portable.ChiSquaredUpper(float64(cells-1), chi2); p < falseAlarm {
		t.Errorf("%s: chi squared %.1f of %d cells, p %.2g\nseen %v\nof %v", what, chi2, cells, p, seen, p)
	}
}

func draws() int { return long.Of(50_000, 200_000) }

// counted draws numbers and counts those in -span..span, and the others in the last cell.
func counted(w Words, n int, span int64, draw func(Words) int64) []int {
	seen := make([]int, 2*span+2)
	for range n {
		if x := draw(w); -span <= x && x <= span {
			seen[x+span]++
		} else {
			seen[2*span+1]++
		}
	}
	return seen
}

func law(span int64, p func(int64) float64) []float64 {
	out, rest := make([]float64, 2*span+2), 1.0
	for x := -span; x <= span; x++ {
		out[x+span] = p(x)
		rest -= p(x)
	}
	out[2*span+1] = max(rest, 0)
	return out
}

// coins compares how often a coin is heads.
func coins(t *testing.T, what string, want float64, throw func() bool) {
	t.Helper()
	heads := 0
	for range draws() {
		if throw() {
			heads++
		}
	}
	fits(t, what, []int{heads, draws() - heads}, []float64{want, 1 - want})
}

func TestCoins(t *testing.T) {
	w := words(1)
	for _, c := range [][2]uint64{{0, 1}, {1, 3}, {1, 1}, {5, 2}, {1<<52 - 1, 1 << 52}, {7, 2}} {
		if want := math.Exp(-float64(c[0]) / float64(c[1])); want < 1 {
			coins(t, "exp(-a/b)", want, func() bool { return expMinus(w, c[0], c[1]) })
			far := wide{3 * c[1], 12345} // the same fraction, in 128 bits
			coins(t, "exp(-a/b) in 128 bits", want, func() bool { return expMinusWide(w, wide{3 * c[0], 0}, far) })
		} else if !expMinus(w, 0, c[1]) || !expMinusWide(w, wide{}, wide{5, 0}) {
			t.Error("exp(0) failed")
		}
	}
	seen := make([]int, 3)
	for range draws() {
		seen[below(w, 3)]++
	}
	fits(t, "below 3", seen, []float64{1. / 3, 1. / 3, 1. / 3})
	seen = make([]int, 3) // without redrawing, multiples of 3 would be twice as likely as the rest of a third
	for range draws() {
		seen[below(w, 3<<62)%3]++
	}
	fits(t, "below 3 x 2^62, modulo 3", seen, []float64{1. / 3, 1. / 3, 1. / 3})
}

func TestNoiseFollowsItsLaw(t *testing.T) {
	for _, c := range []struct{ num, den, sensitivity, span uint64 }{{1, 1, 1, 8}, {1, 2, 1, 16}, {1, 10, 1, 60},
		{1_234_567, 1_000_000, 1, 8}, {7, 2, 1, 4}, {1, 1, 2, 16}} {
		l := laplace(t, c.num, c.den, c.sensitivity)
		span := int64(c.span)
		fits(t, "discrete Laplace", counted(words(2), draws(), span, l.Draw), law(span, l.P))
	}
	for _, c := range []struct{ num, den, span uint64 }{{1, 1, 6}, {4, 1, 10}, {1, 4, 3}, {123_456_789, 1_000_000, 50},
		{1<<52 - 1, 1 << 52, 6}, {1, 9, 2}} {
		g := NewGaussian(ratio(t, c.num, c.den))
		span := int64(c.span)
		fits(t, "discrete Gaussian", counted(words(3), draws(), span, g.Draw), law(span, g.P))
	}
	wide := NewGaussian(ratio(t, 1<<52, 1)) // by its quarters
	w, seen, quarter := words(4), make([]int, 4), int64(math.Round(0.6744897501960817*wide.Sigma()))
	for range draws() / 10 {
		switch x := wide.Draw(w); {
		case x < -quarter:
			seen[0]++
		case x < 0:
			seen[1]++
		case x < quarter:
			seen[2]++
		default:
			seen[3]++
		}
	}
	fits(t, "discrete Gaussian of sigma 2^26", seen, []float64{.25, .25, .25, .25})
}

func TestChoicesFollowTheirLaw(t *testing.T) {
	w := words(5)
	for _, c := range []struct {
		num, den, unit uint64
		scores         []int64
	}{{1, 1, 1, []int64{10, 8, 0}}, {1, 2, 1, []int64{3, 7, 7, 5}}, {1, 1_000_003, 1 << 50, []int64{0, -9e15, 8e15, 1}},
		{3, 1, 2, []int64{5}}, {1, 1, 1, []int64{math.MaxInt64, math.MinInt64, math.MaxInt64 - 1}}} {
		s := must.Get(NewSelection(ratio(t, c.num, c.den), c.unit))(t)
		flipped, exponential := make([]int, len(c.scores)), make([]int, len(c.scores))
		for range draws() {
			flipped[s.PermuteAndFlip(w, c.scores)]++
			exponential[s.Exponential(w, c.scores)]++
		}
		if len(c.scores) > 1 {
			fits(t, "permute and flip", flipped, s.PermuteAndFlipLaw(c.scores))
			fits(t, "exponential", exponential, s.ExponentialLaw(c.scores))
		}
	}
}

func TestAnswersFollowTheirLaw(t *testing.T) {
	w, epsilon := words(6), ratio(t, 3, 2)
	r, seen := Responses(4, 1.5), make([]int, 4)
	for range draws() {
		seen[Respond(w, 2, 4, epsilon)]++
	}
	fits(t, "randomised response", seen, []float64{r.Q, r.Q, r.P, r.Q})
	set, bits := make([]int, 3), make([]bool, 3)
	for range draws() {
		Encode(w, bits, 0, epsilon)
		for v, bit := range bits {
			if bit {
				set[v]++
			}
		}
	}
	for v, p := range []float64{Encodings(1.5).P, Encodings(1.5).Q, Encodings(1.5).Q} {
		fits(t, "unary encoding", []int{set[v], draws() - set[v]}, []float64{p, 1 - p})
	}
}

// Large and small gaps, and noise that is cut off, stay in their types.
func TestExtremes(t *testing.T) {
	w := words(7)
	huge := laplace(t, 1, 1<<52, 1)
	for range 100 {
		if x := huge.Draw(w); x == math.MinInt64 {
			t.Error("the noise overflowed")
		}
	}
	tiny := laplace(t, 1<<52, 1, 1)
	for range 100 {
		if x := tiny.Draw(w); x != 0 {
			t.Errorf("noise of scale 2^-52 is %d", x)
		}
	}
	if _, err := NewLaplace(ratio(t, 1, 1<<52), 2); err == nil {
		t.Error("a scale of 2^53 was taken")
	}
	if _, err := NewSelection(Ratio{}, 1); err == nil {
		t.Error("an epsilon of 0 was taken")
	}
	if NewGaussian(ratio(t, 1<<52, 1)).Upper(1<<40) > 1e-9 {
		t.Error("a tail is not small")
	}
}

// reachable says whether a textbook Laplace sampler that adds +-scale ln(u) to a centre, u a multiple of 2^-53, can
// release y: Mironov's (2012) test, on the few u that round to it.
func reachable(y, centre, scale float64) bool {
	u := math.Round(math.Exp(-math.Abs(y-centre)/scale) * 0x1p53)
	for k := -64.0; k <= 64; k++ {
		if x := (u + k) * 0x1p-53; x > 0 && x <= 1 {
			if noise := -scale * math.Log(x); centre+noise == y || centre-noise == y {
				return true
			}
		}
	}
	return false
}

// TestFloatingPointAttack tells two counts apart by the last bits of what a textbook sampler releases, with certainty
// in many runs, and finds no such release of ours: all whole numbers are possible for either.
func TestFloatingPointAttack(t *testing.T) {
	w, caught := words(8), 0
	const runs, scale = 2000, 1.0
	for range runs {
		u := rng.Unit(w.Next())
		noise := scale * math.Log(1-u)
		if w.Next()>>63 == 1 {
			noise = -noise
		}
		if y := 1 + noise; reachable(y, 1, scale) && !reachable(y, 0, scale) {
			caught++
		}
	}
	if caught < runs/20 {
		t.Errorf("the attack told %d of %d releases of a textbook sampler; expected many", caught, runs)
	}
	l, span := laplace(t, 1, 1, 1), int64(8)
	of := func(count int64) []int {
		return counted(words(byte(20+count)), draws(), span, func(w Words) int64 { return count + l.Draw(w) })
	}
	zero, one := of(0), of(1)
	for i := range zero[:2*span+1] {
		if (zero[i] == 0) != (one[i] == 0) {
			t.Errorf("%d is released of one count only: %d and %d times", int64(i)-span, zero[i], one[i])
		}
	}
}

func BenchmarkLaplace(b *testing.B) {
	l, w := laplace(b, 1, 10, 1), words(9)
	for b.Loop() {
		l.Draw(w)
	}
}

func BenchmarkGaussian(b *testing.B) {
	g, w := NewGaussian(ratio(b, 123_456_789, 1_000_000)), words(9)
	for b.Loop() {
		g.Draw(w)
	}
}

func BenchmarkPermuteAndFlip(b *testing.B) {
	s, _ := NewSelection(ratio(b, 1, 1), 1)
	w, scores := words(9), make([]int64, 100)
	for i := range scores {
		scores[i] = int64(i)
	}
	for b.Loop() {
		s.PermuteAndFlip(w, scores)
	}
}
