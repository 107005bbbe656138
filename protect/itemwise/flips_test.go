package itemwise

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// The estimates from a release of 20,000 records lie within five of their errors, each: a right program fails once in
// 1.7 million.
func TestMaskReleaseIsEstimable(t *testing.T) {
	const n = 20_000
	tab := baskets(t, n, 50)
	q := newMask()
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(t.Context(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	b := randomised.Bits{One: q.P, Zero: q.P}
	for _, items := range [][]int32{{0}, {0, 1}, {0, 1, 2}, {3, 4}, {0, 3}} {
		count := func(s *table.Sets) []float64 {
			ones := make([]float64, len(items)+1)
			for i := range n {
				has := 0
				for _, v := range items {
					if slices.Contains(s.Present.Row(i), v) {
						has++
					}
				}
				ones[has]++
			}
			return ones
		}
		truth, e := count(tab.Sets(0))[len(items)]/n, b.Support(count(out.Sets(0)))
		if math.Abs(e.Share-truth) > 5*e.Error {
			t.Errorf("items %v: estimated %v +- %v, expected %v", items, e.Share, e.Error, truth)
		}
	}
}

// The custodian is told what an item tells, how long records get, and what can be found; the user how to estimate.
func TestMaskSentences(t *testing.T) {
	tab := baskets(t, 1000, 50)
	for _, c := range []struct {
		p           float64
		notes, user string
	}{
		{0.9, "local differential privacy of one item: epsilon is 2.2 (amplification gamma 9)", "1.125^t (-0.125)^(k-t)"},
		{0.9, `"bought": a record has 6.28 items on average in the release, 1.6 before`, "set estimates below 0 to 0"},
		{0.9, "a released item was present with probability 0.229", "set estimates below 0 to 0"},
		{0.9, "for 1 item (condition number 1.25)", "set estimates below 0 to 0"},
		{0.5, "nothing is released of the items", "cannot be estimated"},
		{1, "gamma is without bound", "1^t"},
	} {
		q := newMask()
		q.P = c.p
		p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		if got := strings.Join(message.Written(p.(protect.Noted).Notes()), "\n"); !strings.Contains(got, c.notes) {
			t.Errorf("p = %v: the notes lack %q: %s", c.p, c.notes, got)
		}
		if got := strings.Join(message.Written(p.(protect.Corrected).Corrections()), "\n"); !strings.Contains(got, c.user) {
			t.Errorf("p = %v: the corrections lack %q: %s", c.p, c.user, got)
		}
	}
}

func TestMaskRefused(t *testing.T) {
	tab := tabletest.Insert(protecttest.Mixed(50), 1, tabletest.Baskets("purchases", 50))
	for _, c := range []struct {
		columns, except []string
		want            string
	}{
		{[]string{"nobody"}, nil, `parameter "columns": there is no column "nobody"`},
		{[]string{"age"}, nil, `parameter "columns": column "age" is numeric`},
		{nil, []string{"purchases"}, "no column that is not excepted holds sets of items"},
	} {
		q := newMask()
		q.Columns, q.Except = c.columns, c.except
		if _, err := q.Fit(t.Context(), tab, protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %q: %v", c.columns, c.except, err)
		}
	}
	p := must.Get(newMask().Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	for what, change := range map[string]func(p *Plan){
		"p": func(p *Plan) { p.P = math.NaN() }, "q": func(p *Plan) { p.Q = 2 },
		"support":    func(p *Plan) { p.Support = []float64{2} },
		"no support": func(p *Plan) { p.Support = nil }, "records": func(p *Plan) { p.Records = -1 },
		"columns": func(p *Plan) { p.Columns = []int{0} },
	} {
		bad := *p.(*Plan)
		if change(&bad); bad.Check() == nil {
			t.Errorf("a plan with a bad %s is accepted", what)
		}
	}
}

// The estimates from a release of 20,000 records lie within five of their errors, each: a right program fails once in
// 1.7 million.
func TestEMaskReleaseIsEstimable(t *testing.T) {
	const n = 20_000
	tab := baskets(t, n, 50)
	q := newEMask()
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(t.Context(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	b := randomised.Bits{One: q.P, Zero: q.Q}
	for _, items := range [][]int32{{0}, {0, 1}, {0, 1, 2}, {3, 4}, {0, 3}} {
		count := func(s *table.Sets) []float64 {
			ones := make([]float64, len(items)+1)
			for i := range n {
				has := 0
				for _, v := range items {
					if slices.Contains(s.Present.Row(i), v) {
						has++
					}
				}
				ones[has]++
			}
			return ones
		}
		truth, e := count(tab.Sets(0))[len(items)]/n, b.Support(count(out.Sets(0)))
		if math.Abs(e.Share-truth) > 5*e.Error {
			t.Errorf("items %v: estimated %v +- %v, expected %v", items, e.Share, e.Error, truth)
		}
	}
}

// The custodian is told that EMASK amplifies more than MASK at the same privacy, and that records stay short.
func TestEMaskSentences(t *testing.T) {
	p := must.Get(newEMask().Fit(t.Context(), baskets(t, 1000, 50), protecttest.Seed(1)))(t)
	notes := strings.Join(message.Written(p.(protect.Noted).Notes()), "\n")
	for _, want := range []string{"epsilon is 2.81 (amplification gamma 16.7)", `"bought": a record has 2.25 items on average in the release, 1.6 before`} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q: %s", want, notes)
		}
	}
	if got, want := strings.Join(message.Written(p.(protect.Corrected).Corrections()), "\n"),
		"2.06383^t (-0.0638298)^(k-t)"; !strings.Contains(got, want) {
		t.Errorf("the corrections lack %q: %s", want, got)
	}
}
