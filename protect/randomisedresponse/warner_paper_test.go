package randomisedresponse

import (
	_ "embed"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

//go:embed testdata/warner.json
var warnerGolden []byte

type in struct{ Yes, N, P float64 }
type out struct{ Estimate, Variance float64 }

// Islam 2007, section 6.2: the estimate and its variance.
func TestEstimate(t *testing.T) {
	for _, c := range protecttest.Cases[in, out](t, warnerGolden, "warner") {
		share, variance, err := transition.EstimateUniform(c.Input.Yes, c.Input.N, 2, c.Input.P)
		must.NoError(t, err)
		protecttest.Near(t, "estimate", share, c.Expected.Estimate, c.Tolerance.Abs)
		protecttest.Near(t, "variance", variance, c.Expected.Variance, c.Tolerance.Abs)
		// Warner 1965: the variance is that of a sample, plus that of the coin.
		p, n := c.Input.P, c.Input.N
		sampled := share*(1-share)/n + p*(1-p)/(n*(2*p-1)*(2*p-1))
		protecttest.Near(t, "variance by parts", variance, sampled, 1e-12)
	}
	for _, bad := range []struct {
		n, p float64
		k    int
	}{{10, 0.5, 2}, {10, 0.25, 4}, {0, 0.7, 2}, {10, 0.7, 1}} {
		if _, _, err := transition.EstimateUniform(1, bad.n, bad.k, bad.p); err == nil {
			t.Errorf("%+v is estimated", bad)
		}
	}
}

// The estimate for k categories is the inverse of the matrix, and unbiased to the last digit in expectation.
func TestEstimateInverts(t *testing.T) {
	counts := []float64{50, 30, 15, 5}
	m := transition.Uniform(4, 0.7)
	for k, c := range m.Expected(counts) {
		share, _, err := transition.EstimateUniform(c, 100, 4, 0.7)
		must.NoError(t, err)
		protecttest.Near(t, "share", share, counts[k]/100, 1e-12)
	}
}

// Epsilon is the largest log ratio of two rows of the matrix in one column.
func TestWarnerEpsilon(t *testing.T) {
	for _, k := range []int{2, 3, 7} {
		for _, p := range []float64{0.01, 0.2, 0.5, 0.9} {
			m, most := transition.Uniform(k, p), 0.0
			for x := range m {
				for y := range m {
					for z := range m {
						most = max(most, math.Log(m[x][z]/m[y][z]))
					}
				}
			}
			protecttest.Near(t, "epsilon", transition.Epsilon(k, p), most, 1e-12)
		}
	}
	if transition.Epsilon(1, 0.9) != 0 || !math.IsInf(transition.Epsilon(2, 1), 1) ||
		!math.IsInf(transition.Epsilon(3, 0), 1) ||
		transition.Epsilon(2, 0.5) != 0 {
		t.Error("at the ends epsilon is not 0 or infinite")
	}
}

// warnerAnswers returns a table of yes and no.
func warnerAnswers(yes, n int) *table.Table {
	codes := make([]int32, n)
	for i := range yes {
		codes[i] = 1
	}
	c := table.CatColumn("smokes", []string{"no", "yes"}, codes)
	c.Role = table.Class
	return tabletest.Must(c)
}

// The estimate from a release of 50,000 answers lies within five of its standard errors: a right program fails once in
// 1.7 million.
func TestReleaseIsEstimable(t *testing.T) {
	tab := warnerAnswers(9_000, 50_000)
	q := NewWarner()
	must.NoError(t, q.Params().Apply(map[string]string{"p": "0.7", "columns": "smokes"}))
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	rel := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
	yes := 0.0
	for _, c := range rel.Cat(0) {
		yes += float64(c)
	}
	share, variance, err := transition.EstimateUniform(yes, 50_000, 2, 0.7)
	if err != nil || math.Abs(share-0.18) > 5*math.Sqrt(variance) {
		t.Errorf("estimated %v +- %v, expected 0.18; %v", share, math.Sqrt(variance), err)
	}
}

// The user is told the epsilon of an answer and of a record, and the figures of the correction.
func TestWarnerSentences(t *testing.T) {
	tab := protecttest.Mixed(100)
	for _, c := range []struct {
		p           float64
		notes, user string
	}{
		{0.75, `epsilon is 1.1 for 2 categories ("sex"), 2.2 for 4 categories ("size"), 2.89 for 7 categories ("city"); 6.19 for a whole record`,
			`share of a category of "sex": (s - 0.25) / 0.5, where s is its share of the released values; its variance is s (1 - s) / (0.25 n) of n values`},
		{0.25, `nothing is released of columns with 4 categories, for p = 1/4: "size"`, `shares of "size" cannot be estimated`},
		{1, `without bound for a whole record`, `(s - 0) / 1`},
	} {
		q := NewWarner()
		q.P = c.p
		p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		if got := strings.Join(message.Written(p.(protect.Noted).Notes()), "\n"); !strings.Contains(got, c.notes) {
			t.Errorf("p = %v: the notes lack %q: %s", c.p, c.notes, got)
		}
		if got := strings.Join(message.Written(p.(protect.Corrected).Corrections()), "\n"); !strings.Contains(got, c.user) {
			t.Errorf("p = %v: the corrections lack %q: %s", c.p, c.user, got)
		}
	}
	if p := (&WarnerPlan{Single{Attrs: tab.Attrs(), P: 0.5}}); p.Notes() != nil || p.Corrections() != nil {
		t.Error("a plan without columns has something to say")
	}
}

func TestWarnerRefused(t *testing.T) {
	tab := protecttest.Mixed(50)
	for _, c := range []struct{ columns, want string }{
		{"nobody", `parameter "columns": there is no column "nobody"`},
		{"age", `parameter "columns": column "age" is numeric`},
		{"weight", `parameter "columns": column "weight" is numeric`},
	} {
		q := NewWarner()
		q.Columns = []string{c.columns}
		if _, err := q.Fit(t.Context(), tab, protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.columns, err)
		}
	}
	for _, p := range []Single{{Attrs: tab.Attrs(), P: 2}, {Attrs: tab.Attrs(), P: math.NaN()},
		{Attrs: tab.Attrs(), P: 1, Columns: []int{0}}} {
		if p.Check() == nil {
			t.Errorf("%v, %v is accepted", p.P, p.Columns)
		}
	}
}
