package desk

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// costs is a file of 40 people: with four visits at 10 each of the first half, and one at 90 each of the others, and
// what is no number.
func costs() string {
	var b strings.Builder
	b.WriteString("who,cost\n")
	for p := range 40 {
		for range 4 {
			if p < 20 {
				fmt.Fprintf(&b, "%d,10.4\n", p)
			}
		}
		if p >= 20 {
			fmt.Fprintf(&b, "%d,90\n%d,\n%d,unknown\n", p, p, p)
		}
	}
	return b.String()
}

// At an epsilon that leaves nothing to chance quantiles are those of the numbers, the nearest of the domain, and of a
// person as many records count as are said.
func TestQuantiles(t *testing.T) {
	f := newFolder(t)
	q := QuantilesRequest{Source: Source{Path: f.put(t, "a.csv", costs())}, Of: "cost", Domain: "0..50/1", Epsilon: "1e5",
		At: []string{"0.9", "1/2", "0.75"}}
	for _, c := range []struct {
		person  string
		records int
		want    string
	}{{"", 0, "1/2 10, 0.75 10, 0.9 50, "}, {"who", 1, "1/2 10..50, 0.75 50, 0.9 50, "}} {
		q.Person, q.Records = c.person, c.records
		out := must.Get((&Desk{}).Quantiles(ctx, q))(t)
		got := ""
		for _, x := range out.Quantiles {
			value := fmt.Sprint(x.Value)
			if c.person != "" && x.At == "1/2" { // all between are as good
				value = "10..50"
			}
			got += x.At + " " + value + ", "
		}
		if got != c.want || out.Candidates != 51 {
			t.Errorf("of %q: %s; expected %s", c.person, got, c.want)
		}
	}
}

// Quantiles are charged before they are chosen, and refused beyond the budget and where something is not said.
func TestQuantilesAreCharged(t *testing.T) {
	f := newFolder(t)
	ledger := filepath.Join(t.TempDir(), "budget")
	must.Get((&Desk{}).Budget(BudgetRequest{Ledger: ledger, Begin: true, Epsilon: "1"}))(t)
	q := QuantilesRequest{Source: Source{Path: f.put(t, "a.csv", costs())}, Of: "cost", Domain: "0..100/10",
		Epsilon: "2/3", At: []string{"0.5"}, Spending: Spending{Ledger: ledger}}
	out, err := (&Desk{}).Quantiles(ctx, q)
	must.NoError(t, err)
	if c := out.Charged; c == nil || c.Spent != 2.0/3 || c.Left != 1.0/3 {
		t.Errorf("charged is %+v", c)
	}
	if _, err := (&Desk{}).Quantiles(ctx, q); err == nil {
		t.Error("quantiles beyond the budget are chosen")
	}
	q.Ledger = ""
	for what, bad := range map[string]func(q *QuantilesRequest){
		"categories":        func(q *QuantilesRequest) { q.Domain = "a|b" },
		"an uneven width":   func(q *QuantilesRequest) { q.Domain = "0..100/7" },
		"the largest":       func(q *QuantilesRequest) { q.At = []string{"1"} },
		"none":              func(q *QuantilesRequest) { q.At = nil },
		"an epsilon of 0":   func(q *QuantilesRequest) { q.Epsilon = "0" },
		"nobody's records":  func(q *QuantilesRequest) { q.Records = 2 },
		"a missing column":  func(q *QuantilesRequest) { q.Of = "price" },
		"a missing person":  func(q *QuantilesRequest) { q.Person = "whom" },
		"too many numbers":  func(q *QuantilesRequest) { q.Domain = "0..2000000/1" },
		"persons and homes": func(q *QuantilesRequest) { q.Person, q.Household = "who", "who" },
	} {
		b := q
		if bad(&b); err == nil {
			if _, err := (&Desk{}).Quantiles(ctx, b); err == nil {
				t.Errorf("%s is not refused", what)
			}
		}
	}
}
