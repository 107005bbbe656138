package randomisedresponse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestMultivariateConformance(t *testing.T) {
	for _, set := range []map[string]string{nil, {"theta": "0.2"}, {"groups": "sex=0.6"}} {
		t.Run(fmt.Sprint(set), func(t *testing.T) { protecttest.Run(t, Multivariate, protecttest.Options{Set: set}) })
	}
}

func FuzzMultivariatePlan(f *testing.F) {
	protecttest.FuzzPlan(f, Multivariate,
		protecttest.Options{Set: map[string]string{"groups": "a+c=0.8, b"}, Table: multivariateAnswers(30)})
}

// multivariateAnswers returns n records of four columns of two categories, which depend on each other, the last the
// class, and one of three.
func multivariateAnswers(n int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	var cols []table.Column
	for j, name := range []string{"a", "b", "c", "y", "more"} {
		labels, codes := []string{"no", "yes", "perhaps"}[:2+j/4], make([]int32, n)
		for i := range codes {
			codes[i] = r.Int32N(int32(len(labels)))
			if j > 0 && r.IntN(4) > 0 {
				codes[i] = cols[j-1].Cat[i]
			}
		}
		cols = append(cols, table.CatColumn(name, labels, codes))
	}
	cols[3].Role = table.Class
	return tabletest.Must(cols...)
}

func multivariateFit(t testing.TB, tab *table.Table, set map[string]string) *MultivariatePlan {
	t.Helper()
	q := NewMultivariate()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	return p.(*MultivariatePlan)
}

// A group is sent as it is or exchanged as a whole, each with the probability it has, and groups apart: the four joint
// outcomes of two groups over 40,000 records lie within five standard errors. A right program fails once in 400,000.
// Missing values stay missing and change nothing.
func TestGroupsGoTogether(t *testing.T) {
	const n = 40_000
	tab := multivariateAnswers(n)
	gaps := append([]int32(nil), tab.Cat(1)...)
	for i := range n / 10 {
		gaps[i] = -1
	}
	tab = tab.WithCat(1, gaps)
	p := multivariateFit(t, tab, map[string]string{"groups": "b+a=0.9, c+y", "theta": "0.3"})
	if got := strings.Join(p.Changes(), " "); got != "a b c y" {
		t.Errorf("the plan changes %s", got)
	}
	out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
	var seen [2][2]float64
	for i := range n {
		flip := func(j int) int { return int(tab.Cat(j)[i] ^ out.Cat(j)[i]) }
		if gaps[i] < 0 && out.Cat(1)[i] >= 0 || gaps[i] >= 0 && flip(0) != flip(1) || flip(2) != flip(3) || flip(4) != 0 {
			t.Fatalf("row %d: a group is torn, or a column that is in none changes", i)
		}
		seen[flip(0)][flip(2)]++
	}
	for k, p := range []float64{0.9 * 0.3, 0.9 * 0.7, 0.1 * 0.3, 0.1 * 0.7} {
		if z := (seen[k/2][k%2] - n*p) / math.Sqrt(n*p*(1-p)); math.Abs(z) > 5 {
			t.Errorf("outcome %d: %v of %d, z = %.1f", k, seen[k/2][k%2], n, z)
		}
	}
}

// Du & Zhan 2003: all 3^4 conjunctions of four attributes are estimated from one release of 50,000 records to within
// 5.5 of their standard errors, for one group and for two. By the sum of their chances a right program fails once in
// 160,000.
func TestConjunctionsAreEstimated(t *testing.T) {
	tab := multivariateAnswers(long.Of(10_000, 50_000))
	for _, groups := range []string{"", "a+c=0.8, b+y=0.7"} {
		p := multivariateFit(t, tab, map[string]string{"groups": groups})
		out := must.Get(p.Apply(tab, protecttest.Seed(3)))(t)
		for code := range 81 {
			var when []transition.Value
			for j, rest := 0, code; j < 4; j, rest = j+1, rest/3 {
				if rest%3 < 2 {
					when = append(when, transition.Value{Column: j, Code: int32(rest % 3)})
				}
			}
			want := transition.Conjunction(tab, nil, when).Share // counted
			got := transition.Conjunction(out, p.Groups, when)
			if math.Abs(got.Share-want) > 5.5*got.Error+1e-12 {
				t.Errorf("%q, %v: %v +- %v, expected %v", groups, when, got.Share, got.Error, want)
			}
		}
	}
}

// The exact algebra: the expected share of a conjunction in the release, by theta, is inverted by the printed factors.
func TestInversion(t *testing.T) {
	for _, theta := range []float64{0, 0.2, 0.7, 1} {
		g := transition.Group{Theta: theta}
		e, other := 0.3, 0.1
		w := g.Weights()
		if got := w[0]*(theta*e+(1-theta)*other) + w[1]*(theta*other+(1-theta)*e); math.Abs(got-e) > 1e-12 {
			t.Errorf("theta %v: %v, expected %v", theta, got, e)
		}
	}
}

func TestMultivariateSentences(t *testing.T) {
	tab := multivariateAnswers(20)
	for _, c := range []struct {
		set  map[string]string
		want []string
	}{
		{nil, []string{"epsilon is 1.1 for a whole record of 1 group", "anyone who knows one of them knows the others",
			`values of "a, b, c, y": 1.5 s - 0.5 r`}},
		{map[string]string{"groups": "a,b=0.9"}, []string{"epsilon is 3.3 for a whole record of 2 groups", "values of several groups", `"b": 1.125 s - 0.125 r`}},
		{map[string]string{"theta": "0.5"}, []string{"but which values occur together", "nothing can be estimated"}},
		{map[string]string{"theta": "1"}, []string{`values of "a, b, c, y" can all be recovered`}},
	} {
		p := multivariateFit(t, tab, c.set)
		all := strings.Join(message.Written(append(p.Notes(), p.Corrections()...)), "\n")
		for _, want := range c.want {
			if !strings.Contains(all, want) {
				t.Errorf("%v: the sentences lack %q: %s", c.set, want, all)
			}
		}
		if strings.Contains(all, "several") != (len(p.Groups) > 1) {
			t.Errorf("%v: %s", c.set, all)
		}
	}
}

func TestMultivariateRefused(t *testing.T) {
	tab := multivariateAnswers(20)
	for _, c := range []struct {
		set  map[string]string
		want string
	}{
		{map[string]string{"groups": "more"}, `"more" is categorical with 3 categories`},
		{map[string]string{"except": "a,b,c,y"}, "no column that is not excepted has two categories"},
		{map[string]string{"groups": "a,a"}, `"a" is named twice`},
	} {
		q := NewMultivariate()
		must.NoError(t, q.Params().Apply(c.set))
		if _, err := q.Fit(t.Context(), tab, protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.set, err)
		}
	}
	if p := (&MultivariatePlan{Attrs: tab.Attrs(),
		Groups: []transition.Group{{Columns: []int{4}, Theta: 0.5}}}); p.Check() == nil {
		t.Error("a group of three categories is accepted")
	}
}

// Four columns: 1M records take 0.5 of the yardstick, 30k 0.014.
func BenchmarkMultivariateRelease(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		t := multivariateAnswers(size.rows)
		p := multivariateFit(b, t, nil)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				must.Get(executor.Run(b.Context(), p, t, rng.New([32]byte{2}), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
