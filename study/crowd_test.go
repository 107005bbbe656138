package study

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/protect/kanonymise"
	"github.com/dither-data/dither/protect/mdav"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/protect/swapping"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestCrowdOfStages: stages promise k-anonymity over the columns of a stage that no later one changes, and keep it,
// also where the stage was fitted to other noise of the one before than it is applied to.
func TestCrowdOfStages(t *testing.T) {
	draw := protecttest.Seed(7).Rand()
	var num [3][]float64
	for range 300 {
		for k, n := range []int{60, 40, 90} {
			num[k] = append(num[k], float64(draw.IntN(n)))
		}
	}
	tab := tabletest.Of(t, table.NumColumn("age", 1, num[0]), table.NumColumn("place", 1, num[1]),
		table.NumColumn("wage", 1, num[2]))
	for j, r := range []table.Role{table.Quasi, table.Quasi, table.Confidential} {
		a := *tab.Attr(j)
		a.Role = r
		tab = tab.WithAttr(j, a)
	}
	for name, c := range map[string]struct {
		methods []protect.Method
		set     string
		want    string
	}{
		"alone":             {[]protect.Method{kanonymise.Method}, "", "age place"},
		"last":              {[]protect.Method{swapping.Rank, kanonymise.Method}, "1.except=place", "age place"},
		"another changed":   {[]protect.Method{kanonymise.Method, swapping.Rank}, "2.except=age,place", "age place"},
		"one of it changed": {[]protect.Method{mdav.MDAV, swapping.Rank}, "1.columns=age,place 2.except=age,wage", ""},
		"the one of more":   {[]protect.Method{kanonymise.Method, mdav.MDAV}, "2.columns=wage", "age place"},
		"again, of one":     {[]protect.Method{mdav.MDAV, mdav.MDAV}, "1.columns=age,place 2.columns=age", "age"},
		"nobody":            {[]protect.Method{swapping.Rank, swapping.Rank}, "", ""},
	} {
		m := c.methods[0]
		if len(c.methods) > 1 {
			m = stages.Of(c.methods...)
		}
		q, set := m.New(), map[string]string{}
		for _, s := range strings.Fields(c.set) {
			of, v, _ := strings.Cut(s, "=")
			set[of] = v
		}
		if err := q.Params().Apply(set); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p := must.Get(protect.Fit(t.Context(), q, tab, protecttest.Seed(1)))(t)
		got := Crowd(p)
		if slices.Sort(got); strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v", name, got)
		}
		released := must.Get(execute.Plan(t.Context(), p, tab, protecttest.Seed(2), execute.Options{}))(t).Table
		if got != nil && smallest(released, got) < 3 {
			t.Errorf("%s: %d records look alike in %v", name, smallest(released, got), got)
		}
	}
}

// smallest is the size of the smallest group of records that agree in columns.
func smallest(t *table.Table, columns []string) int {
	groups := map[string]int{}
	for i := range t.Rows() {
		var key []byte
		for _, n := range columns {
			c := t.Column(t.Find(n))
			key = append(c.AppendKey(key, i), 0)
		}
		groups[string(key)]++
	}
	least := t.Rows()
	for _, n := range groups {
		least = min(least, n)
	}
	return least
}
