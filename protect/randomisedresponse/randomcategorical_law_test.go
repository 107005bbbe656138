package randomisedresponse

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestCategoricalGolden compares the exact law with an independently computed one (Islam 2007, section 7.3.1).
func TestCategoricalGolden(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/random_categorical.json"))(t)
	var cases []struct {
		Input struct {
			Value  string
			Domain []string
			P      float64
		}
		Expected map[string]float64
	}
	must.NoError(t, json.Unmarshal(data, &cases))
	for _, c := range cases {
		got := Law(int32(slices.Index(c.Input.Domain, c.Input.Value)), len(c.Input.Domain), c.Input.P)
		for v, l := range c.Input.Domain {
			if math.Abs(got[v]-c.Expected[l]) > 1e-12 {
				t.Errorf("%s: %v, expected %v", l, got[v], c.Expected[l])
			}
		}
	}
}

// TestReleaseFollowsLaw perturbs 100,000 records and compares, for every attribute and old value, the frequencies
// with the exact law, each cell at the level 1e-6/cells: a right program fails once in a million.
func TestReleaseFollowsLaw(t *testing.T) {
	tab := generate.CS(100_000, rng.New([32]byte{1}))
	p := must.Get(NewCategorical().Fit(context.Background(), tab, rng.New([32]byte{2})))(t)
	out := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{3}), protect.Options{}))(t)
	if got := p.Changes(); len(got) != 5 || slices.Contains(got, "Status") {
		t.Errorf("the plan changes %q", got)
	}
	const cells = 1834
	compared := 0
	for j := range tab.Width() - 1 {
		n := len(tab.Attr(j).Labels)
		seen, total := make([]float64, n*n), make([]float64, n)
		for i, old := range tab.Cat(j) {
			seen[int(old)*n+int(out.Cat(j)[i])]++
			total[old]++
		}
		for old := range n {
			for v, q := range Law(int32(old), n, 0.1) {
				compared++
				if f := seen[old*n+v]; far(f, total[old], q, 1e-6/cells) {
					t.Errorf("%s, %d -> %d: %v of %v, probability %v", tab.Attr(j).Name, old, v, f, total[old], q)
				}
			}
		}
	}
	if compared != cells {
		t.Errorf("%d cells are compared, expected %d", compared, cells)
	}
}

// far reports whether count of n draws is too high or too low for the probability q: each with probability below
// alpha/2 by the binomial law.
func far(count, n, q, alpha float64) bool {
	atLeast := func(k, p float64) float64 { // k successes of n
		switch {
		case k <= 0:
			return 1
		case p <= 0:
			return 0
		case p >= 1:
			return 1
		}
		return mathext.RegIncBeta(k, n-k+1, p)
	}
	return atLeast(count, q) < alpha/2 || atLeast(n-count, 1-q) < alpha/2
}

// TestOneValue checks that a domain of one value is left alone, whatever p.
func TestOneValue(t *testing.T) {
	if law := Law(0, 1, 0.7); !slices.Equal(law, []float64{1}) {
		t.Errorf("the law is %v", law)
	}
	tab := tabletest.Of(t, table.CatColumn("c", []string{"x"}, make([]int32, 50)))
	q := NewCategorical()
	q.P = 1
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{2})))(t)
	out, err := p.Apply(tab, rng.New([32]byte{3}))
	if err != nil || slices.Max(out.Cat(0)) != 0 {
		t.Errorf("released %v, %v", out.Cat(0), err)
	}
}

// TestWide checks that the cost of a table is not quadratic in its width: twice the columns take about twice the
// memory.
func TestWide(t *testing.T) {
	bytes := func(width int) float64 {
		cols := make([]table.Column, width)
		for j := range cols {
			cols[j] = table.CatColumn(fmt.Sprint("c", j), []string{"x", "y"}, []int32{0})
		}
		tab := tabletest.Of(t, cols...)
		p := &CategoricalPlan{Single{Attrs: tab.Attrs(), P: 0.5}}
		for j := range cols {
			p.Columns = append(p.Columns, j)
		}
		if _, err := p.Apply(tab, rng.New([32]byte{1})); err != nil { // also builds what the plan needs
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		must.Get(p.Apply(tab, rng.New([32]byte{1})))(t)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if few, many := bytes(400), bytes(800); many > 3*few {
		t.Errorf("400 columns take %v bytes, 800 take %v", few, many)
	}
}

// BenchmarkApply perturbs a million records of five attributes: half the time of sorting a million random numbers.
func BenchmarkApply(b *testing.B) {
	tab := generate.CS(1_000_000, rng.New([32]byte{1}))
	p := must.Get(NewCategorical().Fit(context.Background(), tab, rng.New([32]byte{2})))(b)
	for b.Loop() {
		must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{3}), protect.Options{}))(b)
	}
	yardstick.Report(b)
}
