package ranking

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
)

// drawContest is a comparison of a few settings with figures of a coarse grid, so that ties happen.
func drawContest(t *rapid.T) *Contest {
	var trials []trial
	for k := range rapid.IntRange(1, 6).Draw(t, "settings") {
		trials = append(trials, trial{
			name:     string(rune('a' + k)),
			baseline: rapid.IntRange(0, 4).Draw(t, "baseline") == 0,
			accuracy: float64(rapid.IntRange(80, 95).Draw(t, "accuracy")),
			alike:    float64(rapid.IntRange(0, 10).Draw(t, "alike")) / 10,
			linkage:  float64(rapid.IntRange(0, 5).Draw(t, "linkage")) / 20,
		})
	}
	half := rapid.SampledFrom([]float64{0, 0.005, 0.02}).Draw(t, "half")
	c := compared(half, rapid.IntRange(1, 3).Draw(t, "sets"), trials...)
	if rapid.Bool().Draw(t, "gaps") {
		for i := range c.Summaries {
			if s := &c.Summaries[i]; s.Setting > 0 && rapid.IntRange(0, 9).Draw(t, "gap") == 0 {
				s.Mean, s.Lo, s.Hi = math.NaN(), math.NaN(), math.NaN()
			}
		}
	}
	return must.Get(New(c, Options{}))(t)
}

// TestOrder: every setting enters once; candidates come before baselines, those with a figure before those without, the
// better first.
func TestOrder(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		k := drawContest(t)
		seen := map[int]bool{0: true}
		for i, e := range k.Entrants {
			if seen[e.Setting] || e.Baseline != k.Settings[e.Setting].Method.Baseline {
				t.Fatalf("setting %d enters twice, or is another", e.Setting)
			}
			seen[e.Setting] = true
			if i == 0 {
				continue
			}
			before := k.Entrants[i-1]
			x, y := k.Over(k.Utility, before.Setting), k.Over(k.Utility, e.Setting)
			if before.Baseline && !e.Baseline ||
				before.Baseline == e.Baseline && (!x.Known() && y.Known() || x.Known() && y.Known() && x.Mean < y.Mean) {
				t.Fatalf("%v stands before %v", before, e)
			}
		}
		if len(seen) != len(k.Settings) {
			t.Fatal("a setting is lost")
		}
	})
}

// TestBeatenBy: a setting is dominated exactly when one that dominates it is named, no baseline dominates, and none
// that is named stands worse than another that dominates too.
func TestBeatenBy(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		k := drawContest(t)
		m := k.Map(-1)
		standings := m.Standings()
		for _, e := range k.Entrants {
			if e.Standing != standings[e.Setting-1] {
				t.Fatal("an entrant stands elsewhere than on the map")
			}
			if e.BeatenBy == 0 {
				continue
			}
			by := k.Settings[e.BeatenBy].Method
			if e.Standing != Dominated || by.Baseline || !m.Dominates(e.BeatenBy-1, e.Setting-1) {
				t.Fatalf("%+v is said to be beaten by %s", e, by.Name)
			}
			for other := range standings {
				if m.Dominates(other, e.Setting-1) && standings[other] > standings[e.BeatenBy-1] {
					t.Fatalf("%+v: setting %d dominates it too and stands better", e, other+1)
				}
			}
		}
	})
}

// TestVerdictHolds: the leaders are the best and those it does not clearly beat; who is safer, safest or ahead
// elsewhere is so against all others; and what the best pays agrees with its definition.
func TestVerdictHolds(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		k := drawContest(t)
		v := k.Judge()
		if len(v.Known) == 0 {
			if v.Lead != nil {
				t.Fatal("nobody is known and somebody leads")
			}
			return
		}
		best := v.Known[0]
		for i, e := range v.Known {
			if e.Baseline || v.By.Beats(v.Value(e).Mean, v.Value(best).Mean) {
				t.Fatalf("%v is a candidate before the best", e)
			}
			if led := i < len(v.Lead); led == v.By.Clearly(v.Value(best), v.Value(e)) {
				t.Fatalf("%v leads: %v", e, led)
			}
		}
		if e, ok := v.Safer(); ok {
			for _, other := range v.Lead {
				if other.Setting != e.Setting && !v.Risk.Clearly(v.Over(v.Risk, e.Setting), v.Over(v.Risk, other.Setting)) {
					t.Fatalf("%v is the safer of %v, and is not clearly so", e, other)
				}
			}
		}
		if e, in := v.Elsewhere(); len(in) > 0 {
			for _, s := range in {
				if s == v.By || s.Side != measure.Utility {
					t.Fatalf("%s breaks the tie", s.Label)
				}
				if got, ok := v.AheadOf(s, v.Lead); !ok || got.Setting != e.Setting {
					t.Fatalf("%v is not ahead in %s", e, s.Label)
				}
			}
		}
		if e, ok := v.Safest(v.Field); ok {
			for _, other := range v.Field {
				if r := v.Over(v.Risk, other.Setting); r.Known() && v.Risk.Beats(r.Mean, v.Over(v.Risk, e.Setting).Mean) {
					t.Fatalf("%v is safer than the safest", other)
				}
			}
		}
		price(t, &v)
		if n := v.Wins(best); n < 0 || n > len(v.Data) || len(v.Data) == 1 && n != 1 && v.Over(v.By, best.Setting).Known() {
			t.Fatalf("the best wins on %d of %d", n, len(v.Data))
		}
	})
}

// price checks what the best pays.
func price(t *rapid.T, v *Verdict) {
	var stands strings.Builder
	for _, e := range v.Known[1:] {
		stands.WriteByte("?-=+"[v.Risk.Relate(v.Over(v.Risk, e.Setting), v.Over(v.Risk, v.Known[0].Setting))])
	}
	s := stands.String()
	safer, riskier := strings.Count(s, "+"), strings.Count(s, "-")
	ok := true
	switch v.Price() {
	case SameRisk:
		ok = safer+riskier == 0 && !v.Useless()
	case NoneSafer:
		ok = safer == 0 && riskier > 0
	case HighestRisk:
		ok = safer == len(s) && safer > 0
	case NoPrice:
		ok = len(s) == 0 || safer > 0 && safer < len(s) || v.Useless() || strings.Contains(s, "?")
	}
	if !ok {
		t.Fatalf("others stand %q to the best, and it pays %v", s, v.Price())
	}
}
