package all_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// byColumn fits a technique with parameters; nil where it refuses the table.
func byColumn(t *testing.T, name string, tab *table.Table, set map[string]string) protect.Plan {
	t.Helper()
	m := must.Get(catalog.Method(name))(t)
	q := m.New()
	if err := judge.Settle(q.Params(), set); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	p, err := protect.Fit(t.Context(), q, tab, protecttest.Seed(1))
	if err != nil {
		t.Logf("%s %v: %v", name, set, err)
		return nil
	}
	return p
}

// elsewhere are the techniques, besides those that hide patterns, that say in another way where they work; the guide
// lists them with the reason (Some columns only).
var elsewhere = []string{"aim", "alpt", "anatomy", "approximateswap", "bayesiannetwork", "cliff", "copulasynthesis",
	"hintoglu", "localsuppression", "mst", "ppt", "privatesegments", "privbayes", "recordswap", "rpt", "sample"}

// Every technique works by column, hides patterns, or is one of those that say in another way where they work.
func TestWhoDoesNotWorkByColumn(t *testing.T) {
	var others []string
	for _, m := range catalog.Methods() {
		if m.Purpose != protect.Hides && !slices.Contains(m.Claims, protect.WorksByColumn) {
			others = append(others, m.Name)
		}
	}
	if slices.Sort(others); !slices.Equal(others, elsewhere) {
		t.Errorf("%v do not work by column, want %v", others, elsewhere)
	}
}

// Of every technique that works by column, columns= lets it change the named one alone, and except= all others; both
// are released as they are said to be, by a plan that is the technique's own.
func TestEveryTechniqueByColumn(t *testing.T) {
	long.Only(t, "a release by every technique")
	tab, tried := protecttest.Mixed(400), 0
	for _, m := range catalog.Methods() {
		if !slices.Contains(m.Claims, protect.WorksByColumn) {
			for _, p := range m.New().Params() {
				if p.Name == "except" {
					t.Errorf("%s has except, and does not work by column", m.Name)
				}
			}
			continue
		}
		for _, need := range []string{"columns", "except"} {
			if !m.New().Params().Has(need) {
				t.Errorf("%s works by column without the parameter %s", m.Name, need)
			}
		}
		whole := byColumn(t, m.Name, tab, nil)
		if whole == nil || len(whole.Changes()) < 2 {
			continue // sets of items, or hierarchies that the table lacks
		}
		tried++
		one, some := whole.Changes()[0], whole.Changes()[:1]
		if m.Name == "rdp" { // rotates pairs
			some = whole.Changes()[:2]
		}
		checkChanges(t, m.Name+" columns", tab, byColumn(t, m.Name, tab, map[string]string{"columns": param.JoinNames(some)}),
			some)
		rest := byColumn(t, m.Name, tab, map[string]string{"except": quoted(one)})
		if rest != nil && slices.Contains(rest.Changes(), one) {
			t.Errorf("%s changes the excepted column %s", m.Name, one)
		}
	}
	if tried < 35 {
		t.Errorf("%d techniques were tried", tried)
	}
}

func quoted(name string) string { return param.JoinNames([]string{name}) }

// checkChanges holds a plan, and what it releases, against the columns that may change.
func checkChanges(t *testing.T, what string, tab *table.Table, p protect.Plan, want []string) {
	t.Helper()
	if p == nil {
		t.Errorf("%s: the table is refused", what)
		return
	}
	if !slices.Equal(p.Changes(), want) {
		t.Errorf("%s: changes %q, want %q", what, p.Changes(), want)
	}
	for j, a := range p.Schema() {
		if a.Role != tab.Attr(j).Role {
			t.Errorf("%s: the plan has the role %s for %s, the table %s", what, a.Role, a.Name, tab.Attr(j).Role)
		}
	}
	out, err := executor.Run(t.Context(), p, tab, protecttest.Seed(2), protect.Options{})
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	for j := range tab.Width() {
		if name := tab.Attr(j).Name; !slices.Contains(want, name) && !same(tab, out, j) {
			t.Errorf("%s: releases %s changed", what, name)
		}
	}
}

// same reports whether a column is released as it is.
func same(tab, out *table.Table, j int) bool {
	a, b := tab.Column(j), out.Column(j)
	return slices.Equal(a.Labels, b.Labels) && slices.Equal(a.Cat, b.Cat) &&
		slices.EqualFunc(a.Num, b.Num, func(x, y float64) bool { return x == y || x != x && y != y })
}

// Inside segments and in stages the parameter is that of the technique.
func TestByColumnInComposites(t *testing.T) {
	tab := protecttest.Mixed(400)
	p := byColumn(t, "rnat", tab, nil)
	one := p.Changes()[1]
	checkChanges(t, "rnat-within", tab, byColumn(t, "rnat-within", tab, map[string]string{"columns": quoted(one)}),
		[]string{one})
	checkChanges(t, "rpt+rnat", tab, byColumn(t, "rpt+rnat", tab, map[string]string{"columns": quoted(one)}),
		[]string{one, tab.Attr(tab.WithRole(table.Class)).Name})
}

// Named columns are changed whatever their roles, and others stay as they are though they have the role.
func TestByColumnWhateverTheRole(t *testing.T) {
	tab := protecttest.Mixed(400)
	numbers := byColumn(t, "sadp", tab, nil).Changes()
	a := *tab.Attr(tab.Find(numbers[0]))
	a.Role |= table.Confidential
	tab = tab.WithAttr(tab.Find(a.Name), a)
	for _, m := range []string{"gadp", "liew", "multiplicativenoise", "sdp", "uma"} {
		checkChanges(t, m, tab, byColumn(t, m, tab, map[string]string{"columns": quoted(numbers[1])}), numbers[1:2])
	}
}

// Without the parameter the plan is as it was; and a plan by column is the technique's with the others excepted.
func TestByColumnIsExceptAllOthers(t *testing.T) {
	tab := protecttest.Mixed(400)
	one := byColumn(t, "sadp", tab, nil).Changes()[0]
	var others []string
	for _, a := range tab.Attrs() {
		if a.Name != one {
			others = append(others, a.Name)
		}
	}
	want, _ := json.Marshal(byColumn(t, "sadp", tab, map[string]string{"except": param.JoinNames(others)}))
	got, _ := json.Marshal(byColumn(t, "sadp", tab, map[string]string{"columns": quoted(one)}))
	if string(want) != string(got) {
		t.Errorf("the plan by column is\n%s\nwant\n%s", got, want)
	}
}

// What cannot be done by column is refused with why.
func TestByColumnRefuses(t *testing.T) {
	tab := protecttest.Mixed(400)
	sadp := must.Get(catalog.Method("sadp"))(t)
	numbers := byColumn(t, "sadp", tab, nil).Changes()
	category := ""
	for _, a := range tab.Attrs() {
		if a.Kind == table.Categorical && a.Role == 0 {
			category = a.Name
		}
	}
	for _, c := range []struct{ columns, except, says string }{
		{category, "", "is categorical, and would stay as it is; the technique changes: all numeric"},
		{quoted(numbers[0]) + "," + category, "", "is categorical, and would stay"},
		{"nobody", "", `there is no column "nobody"`},
		{quoted(numbers[0]), "nobody", `parameter "except": there is no column "nobody"`},
		{quoted(numbers[0]), quoted(numbers[0]), "is excepted, too"},
	} {
		q := sadp.New()
		must.NoError(t, q.Params().Apply(map[string]string{"columns": c.columns, "except": c.except}))
		if _, err := q.Fit(t.Context(), tab, protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("columns=%s except=%s: %v, want %q", c.columns, c.except, err, c.says)
		}
		for _, v := range q.Params().Values() { // the fit leaves the parameters as they were set
			want, is := map[string]string{"columns": c.columns, "except": c.except}[v.Name]
			if is && v.Value != want {
				t.Errorf("after the fit %s is %v", v.Name, v.Value)
			}
		}
	}
}
