package itemwise

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// processCut returns the law of all releases of a record, items as bits, as the paper tells the process: a cut, and
// every other item pasted by itself.
func processCut(record, labels, most int, rho float64) []float64 {
	law, m := make([]float64, 1<<labels), size(record)
	for j := range most + 1 {
		cut := min(j, m)
		for keep := range 1 << labels {
			if keep&^record != 0 || size(keep) != cut {
				continue
			}
			p := 1 / float64(most+1) / float64(combin.Binomial(m, cut))
			for paste := range 1 << labels {
				if paste&keep == 0 {
					law[keep|paste] += p * math.Pow(rho, float64(size(paste))) * math.Pow(1-rho, float64(labels-cut-size(paste)))
				}
			}
		}
	}
	return law
}

// All 64 releases of records of four, two and no items have the probabilities of the process: chi-square, each once in
// a million.
func TestCutReleaseIsTheProcess(t *testing.T) {
	const labels = 6
	n := long.Of(20_000, 60_000)
	records := [][]int32{{0, 2, 3, 5}, {1, 4}, {}}
	sets := make([][]int32, 3*n)
	for i := range sets {
		sets[i] = records[i%3]
	}
	tab := tabletest.Of(t, table.SetColumn("c", strings.Fields("a b c d e f"), table.SetsOf(sets, nil)))
	for _, c := range []struct {
		most int
		rho  float64
	}{{3, 0.2}, {1, 0.5}, {9, 0.05}} {
		q := newCutAndPaste()
		q.Most, q.Rho = c.most, c.rho
		p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
		for k, record := range records {
			set := 0
			for _, v := range record {
				set |= 1 << v
			}
			seen := make([]float64, 1<<labels)
			for i := k; i < 3*n; i += 3 {
				got := 0
				for _, v := range out.Sets(0).Present.Row(i) {
					got |= 1 << v
				}
				seen[got]++
			}
			chi, cells, rest, few := 0.0, 0.0, 0.0, 0.0
			for got, p := range processCut(set, labels, c.most, c.rho) {
				if p*float64(n) < 5 { // together
					rest, few = rest+seen[got], few+p*float64(n)
					continue
				}
				chi, cells = chi+(seen[got]-p*float64(n))*(seen[got]-p*float64(n))/(p*float64(n)), cells+1
			}
			if few > 5 {
				chi, cells = chi+(rest-few)*(rest-few)/few, cells+1
			}
			if (distuv.ChiSquared{K: cells - 1}).Survival(chi) < 1e-6 {
				t.Errorf("most %d, rho %v: records of %d items: chi-square %v of %v releases", c.most, c.rho, len(record), chi,
					cells)
			}
		}
	}
}

// The custodian is told that sizes are public, what gamma is of which records, how long records get and what can be
// found; the user the weights.
func TestCutSentences(t *testing.T) {
	tab := baskets(t, 1000, 50)
	for _, c := range []struct {
		most int
		rho  float64
		want string
	}{
		{3, 0.2, "how many items a record has is public"},
		// gamma 111 of m 3, K 2, rho .1: golden; of m 1: (2/3 + .1/3)(.9/.1)/(.9/3)
		{2, 0.1, "amplification gamma 111, of records of 3 items; the least is 21"},
		{3, 0.2, `"bought": a record has 10.8 items on average in the release, 1.6 before`},
		{3, 0.2, "for records of 1 item the weights of 0 of 1, and so on, are -0.333333 1.33333"},
		{3, 0.2, "the lowest support distinguishable from 0 (4 standard errors) is"},
		{3, 0, "amplification gamma is without bound"},
	} {
		q := newCutAndPaste()
		q.Most, q.Rho = c.most, c.rho
		p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		got := strings.Join(
			message.Written(p.(protect.Noted).Notes()),
			"\n",
		) + strings.Join(
			message.Written(p.(protect.Corrected).Corrections()),
			"\n",
		)
		if !strings.Contains(got, c.want) {
			t.Errorf("most %d, rho %v: %q is lacking in: %s", c.most, c.rho, c.want, got)
		}
	}
}

// A plan that is not consistent is refused, and so is a record of a size that nobody had.
func TestCutRefused(t *testing.T) {
	tab := baskets(t, 100, 10)
	for what, change := range map[string]func(p *Cut){
		"rho": func(p *Cut) { p.Operators[0].Rho = math.NaN() }, "order": func(p *Cut) { p.Operators[1].Items = 0 },
		"counts":       func(p *Cut) { p.Counts = nil },
		"fewer counts": func(p *Cut) { p.Counts[0] = p.Counts[0][1:] }, "no law": func(p *Cut) { p.Operators[0].Most = nil },
		"records": func(p *Cut) { p.Records = 3 },
	} {
		p := must.Get(newCutAndPaste().Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		if change(p.(*Cut)); p.(*Cut).Check() == nil {
			t.Errorf("a plan with bad %s is accepted", what)
		}
	}
	p := must.Get(newCutAndPaste().Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	other := tabletest.Of(t, table.SetColumn("bought", tab.Attr(0).Labels, table.SetsOf([][]int32{{1, 2}}, nil)))
	if _, err := p.Apply(other, protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), "another number of items") {
		t.Errorf("a record of two items: %v", err)
	}
}
