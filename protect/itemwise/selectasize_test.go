package itemwise

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// processSelect returns the law of all releases of a record, items as bits, as the paper tells the process: so many
// kept, which ones is drawn, and others added.
func processSelect(record, labels int, kept []float64, rho float64) []float64 {
	law, m := make([]float64, 1<<labels), size(record)
	for keep := range 1 << labels {
		if keep&^record != 0 {
			continue
		}
		p := kept[size(keep)] / float64(combin.Binomial(m, size(keep)))
		for add := range 1 << labels {
			if add&record == 0 {
				law[keep|add] += p * math.Pow(rho, float64(size(add))) * math.Pow(1-rho, float64(labels-m-size(add)))
			}
		}
	}
	return law
}

// All 64 releases of records of four, two and no items have the probabilities of the process: chi-square, each once in
// a million.
func TestSelectReleaseIsTheProcess(t *testing.T) {
	const n, labels = 60_000, 6
	records := [][]int32{{0, 2, 3, 5}, {1, 4}, {}}
	sets := make([][]int32, 3*n)
	for i := range sets {
		sets[i] = records[i%3]
	}
	tab := tabletest.Of(t, table.SetColumn("c", strings.Fields("a b c d e f"), table.SetsOf(sets, nil)))
	for _, operators := range [][]string{nil, {"4=0.1/0.1/0.2/0.2/0.2/0.3", "2=0.6/0/0.5/0.5", "0=0.25/1"}} {
		q := newSelectASize()
		q.Operators = operators
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
			o := p.(*Selected).Operators[[]int{2, 1, 0}[k]]
			for got, p := range processSelect(set, labels, o.Kept, o.Rho) {
				if p*n < 5 { // together
					rest, few = rest+seen[got], few+p*n
					continue
				}
				chi, cells = chi+(seen[got]-p*n)*(seen[got]-p*n)/(p*n), cells+1
			}
			if few > 5 {
				chi, cells = chi+(rest-few)*(rest-few)/few, cells+1
			}
			if cells > 1 && (distuv.ChiSquared{K: cells - 1}).Survival(chi) < 1e-6 {
				t.Errorf("operators %q: records of %d items: chi-square %v of %v releases", operators, len(record), chi, cells)
			}
		}
	}
}

// The custodian is told that sizes are public, which operators were chosen, what gamma is and what can be found; the
// user the weights.
func TestSelectSentences(t *testing.T) {
	tab := baskets(t, 1000, 50)
	for _, c := range []struct {
		set  map[string]string
		want string
	}{
		{nil, "how many items a record has is public"},
		{nil, "epsilon is 2.94 (amplification gamma 19). What has the probability 0.05 before has 0.5 at most after"},
		// the scan of the golden case: p = .4847, .1616, .3411, .0126
		{map[string]string{"steps": "200"}, "3 from 2 on, rho 0.1, 0.882 kept"},
		{map[string]string{"operators": "3=0.1/0.1/0.2/0.3/0.4"}, "amplification gamma 2916, of records of 3 items; the " +
			"least is 19"},
		{map[string]string{"operators": "3=0.1/0.1/0.2/0.3/0.4, 1=0/0/1"}, "amplification gamma is without bound"},
		{nil, "for records of 1 item the weights of 0 of 1, and so on, are"},
		{nil, "the lowest support distinguishable from 0 (4 standard errors) is"},
	} {
		q := newSelectASize()
		must.NoError(t, q.Params().Apply(c.set))
		p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		got := strings.Join(
			message.Written(p.(protect.Noted).Notes()),
			"\n",
		) + strings.Join(
			message.Written(p.(protect.Corrected).Corrections()),
			"\n",
		)
		if !strings.Contains(got, c.want) {
			t.Errorf("%v: %q is lacking in: %s", c.set, c.want, got)
		}
	}
}

// Of all originals of a size no release changes the odds by more than gamma, whatever is chosen: brute force over
// records of three of six items.
func TestSelectGammaIsKept(t *testing.T) {
	for _, gamma := range []float64{2, 19, 500} {
		q := newSelectASize()
		q.Gamma = gamma
		o, from, err := q.limited(3)
		if err != nil || from == 0 {
			t.Fatal(from, err)
		}
		var laws [][]float64
		for record := range 1 << 6 {
			if size(record) == 3 {
				laws = append(laws, processSelect(record, 6, o.Kept, o.Rho))
			}
		}
		worst := 0.0
		for out := range laws[0] {
			least, most := math.Inf(1), 0.0
			for _, law := range laws {
				least, most = min(least, law[out]), max(most, law[out])
			}
			worst = max(worst, most/least)
		}
		if math.Abs(worst-gamma) > 1e-9*gamma {
			t.Errorf("gamma %v is %v", gamma, worst)
		}
	}
}

func TestSelectOperatorsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"x=0.1/1": "does not begin with a number of items", "2=0.1/0.5/0.5": "there are 2 probabilities; expected 3",
		"1=0.1/0.5/0.4": "sum to 0.9",
		"1=2/0.5/0.5":   "2 is not a probability", "1=a/1/0": `"a" is not a probability`,
	} {
		q := newSelectASize()
		q.Operators = []string{text}
		if _, err := q.Fit(t.Context(), baskets(t, 10, 5), protecttest.Seed(1)); err == nil ||
			!strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), `parameter "operators"`) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A plan that is not consistent is refused, and so is a record of a size that nobody had.
func TestSelectRefused(t *testing.T) {
	tab := baskets(t, 100, 10)
	for what, change := range map[string]func(p *Selected){
		"rho": func(p *Selected) { p.Operators[0].Rho = math.NaN() }, "order": func(p *Selected) { p.Operators[1].Items = 0 },
		"counts":       func(p *Selected) { p.Counts = nil },
		"fewer counts": func(p *Selected) { p.Counts[0] = p.Counts[0][1:] },
		"no law":       func(p *Selected) { p.Operators[0].Kept = nil }, "records": func(p *Selected) { p.Records = 3 },
		"from": func(p *Selected) { p.From = nil },
	} {
		p := must.Get(newSelectASize().Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		if change(p.(*Selected)); p.(*Selected).Check() == nil {
			t.Errorf("a plan with bad %s is accepted", what)
		}
	}
	p := must.Get(newSelectASize().Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	other := tabletest.Of(t, table.SetColumn("bought", tab.Attr(0).Labels, table.SetsOf([][]int32{{1, 2}}, nil)))
	if _, err := p.Apply(other, protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), "another number of items") {
		t.Errorf("a record of two items: %v", err)
	}
}
