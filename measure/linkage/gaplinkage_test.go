package linkage

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// panel returns a table of visits of which a share is missing at random; every value is the same, so that nothing but
// gaps tells people apart.
func panel(n, columns int, share float64, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 4))
	cols := make([]table.Column, columns)
	for j := range cols {
		v := make([]float64, n)
		for i := range v {
			if r.Float64() < share {
				v[i] = math.NaN()
			}
		}
		cols[j] = table.NumColumn("visit"+string(rune('a'+j)), 1, v)
	}
	return tabletest.Must(cols...)
}

func gapTake(t testing.TB, r *measure.Release) (measure.Value, *GapLinkageDetail) {
	t.Helper()
	v := must.Get(GapLinkage.New().Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(*GapLinkageDetail)
}

// released draws the values of a table anew and keeps its gaps.
func released(t *table.Table, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 8))
	for j := range t.Width() {
		v := make([]float64, t.Rows())
		for i := range v {
			if v[i] = r.Float64(); t.MissingAt(i, j) {
				v[i] = math.NaN()
			}
		}
		t = t.WithNum(j, v)
	}
	return t
}

// Gaps that are kept find people however much values are changed; gaps that are dealt out anew find nobody. The credit
// of one who is found by chance is 1/400 on average; that the lower bound exceeds 0.02 has a probability below 10^-6.
func TestGapLinkagePlanted(t *testing.T) {
	tab := panel(400, 12, 0.4, 1)
	v, d := gapTake(t, &measure.Release{Original: tab, Released: released(tab, 1), Paired: true})
	alone := 0
	for i := range tab.Rows() {
		same := 0
		for k := range tab.Rows() {
			if pattern(tab, i) == pattern(tab, k) {
				same++
			}
		}
		if same == 1 {
			alone++
		}
	}
	if alone < 200 || !(d.Found >= float64(alone)) || !(v.Lo > 0.5) {
		t.Errorf("%d people are alone with their gaps, %v are found, at least %v", alone, d.Found, v.Lo)
	}
	v, _ = gapTake(t, &measure.Release{Original: tab, Released: panel(400, 12, 0.4, 2), Paired: true})
	if v.Lo > 0.02 || v.Hi > 0.06 {
		t.Errorf("of gaps that say nothing %v are found, from %v to %v", v.Score, v.Lo, v.Hi)
	}
	full := panel(400, 12, 0, 1)
	if v, d = gapTake(t, &measure.Release{Original: full, Released: full, Paired: true}); math.Abs(
		v.Score-1./400,
	) > 1e-12 ||
		d.Patterns != 1 {
		t.Errorf("without gaps %v are found", v.Score)
	}
}

func pattern(t *table.Table, i int) string {
	var b strings.Builder
	for j := range t.Width() {
		b.WriteByte("-x"[map[bool]int{false: 0, true: 1}[t.MissingAt(i, j)]])
	}
	return b.String()
}

// Suppressing further values hides some, but anyone who expects it still finds more than one who looks for the same
// gaps.
func TestSuppression(t *testing.T) {
	tab := panel(300, 14, 0.4, 3)
	r := rand.New(rand.NewPCG(5, 5))
	less := tab
	for j := range tab.Width() {
		v := make([]float64, tab.Rows())
		for i := range v {
			if tab.MissingAt(i, j) || r.Float64() < 0.05 {
				v[i] = math.NaN()
			}
		}
		less = less.WithNum(j, v)
	}
	v, d := gapTake(t, &measure.Release{Original: tab, Released: less, Paired: true})
	same := 0.0
	for i := range tab.Rows() {
		if pattern(tab, i) == pattern(less, i) {
			same++
		}
	}
	if len(d.Changed) == 0 || d.Found <= 0.6*same {
		t.Errorf("%v are found, %v keep their gaps; changed are %v", d.Found, same, d.Changed)
	}
	if v.Score >= 1 {
		t.Errorf("all are found")
	}
}

// What a tool suppressed, and shows so, is no gap: where it suppresses at random, gaps tell what those left tell, and a
// release that shows everything as suppressed tells nothing.
func TestStarred(t *testing.T) {
	tab := panel(300, 14, 0.4, 3)
	starred := func(share float64) *table.Table {
		r, out := rand.New(rand.NewPCG(6, 6)), tab
		for j := range tab.Width() {
			c := tab.Column(j)
			c.Num, c.Suppressed = slices.Clone(c.Num), make([]bool, tab.Rows())
			for i := range c.Num {
				if r.Float64() < share {
					c.Num[i], c.Suppressed[i] = math.NaN(), true
				}
			}
			var err error
			if out, err = out.WithColumn(j, c); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	v, _ := gapTake(t, &measure.Release{Original: tab, Released: starred(1), Paired: true})
	if math.Abs(v.Score-1./300) > 1e-12 || v.Parts[4].Score != 0 {
		t.Errorf("where all is suppressed %v are found, and %v is missing", v.Score, v.Parts[4].Score)
	}
	v, d := gapTake(t, &measure.Release{Original: tab, Released: starred(0.1), Paired: true})
	some := starred(0.1)
	may := 0.0 // who is the only one of the release to agree in all gaps that were not suppressed
	for i := range tab.Rows() {
		n := 0
		for k := range tab.Rows() {
			agree := true
			for j := range tab.Width() {
				agree = agree && (some.Column(j).Suppressed[k] || tab.MissingAt(i, j) == some.MissingAt(k, j))
			}
			if agree {
				n++
			}
		}
		if n == 1 {
			may++
		}
	}
	if d.Found < may || may < 150 || v.Score > 0.99 {
		t.Errorf("%v of 300 are found, %v are the only ones that agree", d.Found, may)
	}
}

// Gaps that are kept: the credit is 1 over the number of the released records with the same gaps, counted one by one.
func TestGapLinkageTwin(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		tab := panel(rapid.IntRange(1, 30).Draw(rt, "n"), rapid.IntRange(1, 5).Draw(rt, "columns"), 0.5,
			rapid.Uint64().Draw(rt, "seed"))
		v, d := gapTake(t, &measure.Release{Original: tab, Released: released(tab, 2), Paired: true})
		sum := 0.0
		for i := range tab.Rows() {
			same := 0.0
			for k := range tab.Rows() {
				if pattern(tab, i) == pattern(tab, k) {
					same++
				}
			}
			if math.Abs(d.Records()[i]-1/same) > 1e-12 {
				rt.Fatalf("record %d: %v, expected %v", i, d.Records()[i], 1/same)
			}
			sum += 1 / same
		}
		if math.Abs(v.Score-sum/float64(tab.Rows())) > 1e-12 {
			rt.Fatalf("%v, expected %v", v.Score, sum/float64(tab.Rows()))
		}
	})
}

func TestIntruder(t *testing.T) {
	tab := panel(50, 6, 0.5, 1)
	r := &measure.Release{Original: tab, Released: tab, Paired: true}
	if _, err := GapLinkage.New().Measure(t.Context(), r.Against(&intruder.Intruder{Name: "x", Knows: []string{"visita"}}),
		rng.Source{}); err == nil || !strings.Contains(err.Error(), "gaps: true") {
		t.Errorf("who knows of no gaps: %v", err)
	}
	v, _ := gapTake(t, r.Against(&intruder.Intruder{Name: "x", Gaps: true}))
	if all, _ := gapTake(t, r); v.Score != all.Score {
		t.Errorf("who knows gaps alone finds %v, who knows all %v", v.Score, all.Score)
	}
}

// A million records of 14 columns whose gaps all change take 4 times the yardstick.
func BenchmarkGapLinkageMeasure1M(b *testing.B) {
	tab := panel(1_000_000, 14, 0.2, 1)
	r := &measure.Release{Original: tab, Released: panel(1_000_000, 14, 0.2, 2), Paired: true}
	for b.Loop() {
		gapTake(b, r)
	}
	yardstick.Report(b)
}
