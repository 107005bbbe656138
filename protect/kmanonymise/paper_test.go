package kmanonymise

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// written returns the items of every record.
func written(t *table.Table, j int) string {
	var out []string
	for i := range t.Rows() {
		var row []string
		for _, v := range t.Sets(j).Present.Row(i) {
			row = append(row, t.Attr(j).Labels[v])
		}
		out = append(out, strings.Join(row, " "))
	}
	return strings.Join(out, ", ")
}

func parsed(t testing.TB, text string) *hierarchy.Hierarchy {
	t.Helper()
	h := must.Get(hierarchy.Parse("bought", strings.NewReader(text)))(t)
	return h
}

// four is the example of the paper, figures 1 to 3: of two kinds of items a and b, k = m = 2 asks for the group of a1
// and a2 alone.
func four() *table.Table {
	return tabletest.Must(
		table.SetColumn("bought", []string{"a1", "a2", "b1", "b2"},
			table.SetsOf([][]int32{{0, 2, 3}, {1, 2}, {1, 2, 3}, {0, 1, 3}}, nil)),
	)
}

func TestPaper(t *testing.T) {
	const kinds = "a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n"
	for _, c := range []struct {
		suppress, tree, want string
	}{
		{Local, kinds, "A b1 b2, A b1, A b1 b2, A b2"},
		{Global, kinds, "A b1 b2, A b1, A b1 b2, A b2"},
		{Local, "", "b1 b2, a2 b1, a2 b1 b2, a2 b2"},
		{Global, "", "b1 b2, a2 b1, a2 b1 b2, a2 b2"},
	} {
		var h hierarchy.Set
		if c.tree != "" {
			h = hierarchy.Set{"bought": parsed(t, c.tree)}
		}
		p, out := release(t, four(), map[string]string{"k": "2", "m": "2", "suppress": c.suppress}, h)
		if got := written(out, 0); got != c.want {
			t.Errorf("%s %q: %s, expected %s", c.suppress, c.tree, got, c.want)
		}
		notes := strings.Join(message.Written(p.Notes()), "\n")
		want := `2 of 11 occurrences of items are deleted, from 2 of 4 records; of up to 2 items at least 2 records have all, or none has`
		if c.tree != "" {
			want = `2 of 4 items are released as groups, of which and of other items there are 3; what is left loses 15.2 % of its detail`
		}
		if !strings.Contains(notes, want) {
			t.Errorf("%s %q: %s, expected %s", c.suppress, c.tree, notes, want)
		}
	}
}

func TestRefused(t *testing.T) {
	for want, set := range map[string]hierarchy.Set{
		`column "bought": its hierarchy does not list 2 items that occur`: {"bought": parsed(t, "a1;A;*\na2;A;*\n")},
		`have one label`: {"bought": parsed(t, "a1;b1;*\na2;b1;*\nb1;B;*\nb2;C;*\n")},
	} {
		q := New()
		q.K = 2
		q.UseHierarchies(set)
		if _, err := q.Fit(t.Context(), four(), protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	long := make([]int32, 3000)
	labels := make([]string, len(long))
	for v := range long {
		long[v], labels[v] = int32(v), fmt.Sprint("i", v)
	}
	q := New()
	q.M = 4
	if _, err := q.Fit(t.Context(), tabletest.Of(t, table.SetColumn("bought", labels, table.SetsOf([][]int32{long}, nil))),
		protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), "expected a smaller m") {
		t.Error(err)
	}
	p, _ := release(t, four(), map[string]string{"k": "2"}, hierarchy.Set{"bought": parsed(t, "a1;A;*\na2;A;*\nb1;B;*\n"+
		"b2;B;*\n")})
	for what, change := range map[string]func(p *Plan, g *Groups){
		"k": func(p *Plan, _ *Groups) { p.K = 1 }, "m": func(p *Plan, _ *Groups) { p.M = 6 },
		"suppress":  func(p *Plan, _ *Groups) { p.Suppress = "" },
		"columns":   func(p *Plan, _ *Groups) { p.Columns = []int{1} },
		"no groups": func(p *Plan, _ *Groups) { p.Groups = nil },
		"items":     func(_ *Plan, g *Groups) { g.Of = g.Of[1:] },
		"label":     func(_ *Plan, g *Groups) { g.Of = []int32{0, 0, 3, 1} },
		"twice":     func(_ *Plan, g *Groups) { g.Labels = []string{"A", "A", "b"} },
	} {
		bad, g := *p, *p.Groups[0]
		bad.Groups = []*Groups{&g}
		if change(&bad, &g); bad.Check() == nil {
			t.Errorf("a plan with bad %s is accepted", what)
		}
	}
}
