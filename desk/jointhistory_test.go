package desk

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/table"
)

// people is a table of so many records, from the first number on.
func people(t *testing.T, from, n int) *table.Table {
	t.Helper()
	cost, sex := make([]float64, n), make([]int32, n)
	for i := range n {
		cost[i], sex[i] = float64(from+i), int32((from+i)%2)
	}
	return must.Get(table.New(table.NumColumn("cost", 1, cost), table.CatColumn("sex", []string{"f", "m"}, sex)))(t)
}

// A run whose records differ from those of any earlier one by fewer than the plan's cell is refused; the same records,
// and records of other columns, are not.
func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	plan := &joint.Plan{Version: 1, Parties: []joint.Member{{Name: "a"}, {Name: "b"}},
		Columns: []joint.Column{{Name: "cost", Max: 100}}, Least: joint.Least{Cell: 5, Contributors: 2}}
	enter := func(p *joint.Plan, tab *table.Table) error {
		h, err := openHistory(path)
		if err != nil {
			return err
		}
		run, err := h.next(p, [32]byte{1}, tab, 0, time.Unix(0, 0))
		if err == nil {
			err = h.append(run)
		}
		return errors.Join(err, h.close())
	}
	both := *plan
	both.Columns = append(slices.Clone(plan.Columns), joint.Column{Name: "sex", Values: []string{"f", "m"}})
	for k, c := range []struct {
		plan   *joint.Plan
		tab    *table.Table
		differ int // from the nearest; 0: it is taken
	}{
		{plan, people(t, 0, 30), 0}, {plan, people(t, 0, 30), 0}, {plan, people(t, 0, 31), 1}, {plan, people(t, 2, 28), 2},
		{plan, people(t, 2, 30), 4}, {plan, people(t, 0, 35), 0}, {plan, people(t, 0, 34), 1}, {plan, people(t, 50, 30), 0},
		{&both, people(t, 0, 31), 0}, {&both, people(t, 0, 32), 1}, {plan, people(t, 0, 0), 0}, {plan, people(t, 0, 3), 3},
	} {
		err := enter(c.plan, c.tab)
		var alike *TooAlike
		switch {
		case c.differ == 0 && err != nil, c.differ > 0 && !errors.As(err, &alike):
			t.Errorf("run %d: %v, expected %d", k, err, c.differ)
		case c.differ > 0 && (alike.Differ != c.differ || alike.Day != "1970-01-01"):
			t.Errorf("run %d: %v, expected %d", k, err, c.differ)
		}
	}
	with := func(names ...string) *joint.Plan {
		p := *plan
		p.Parties = nil
		for _, n := range names {
			p.Parties = append(p.Parties, joint.Member{Name: n})
		}
		return &p
	}
	for k, c := range []struct {
		plan  *joint.Plan
		apart string
	}{{with("a", "b", "c"), "c"}, {with("a", "b", "c", "d"), ""}, {with("a", "c", "d", "e"), ""},
		{with("a", "b", "c", "d", "e"), "e"}} { // the first ones were a and b
		err := enter(c.plan, people(t, 0, 30))
		var alike *TooAlike
		if c.apart == "" && err != nil || c.apart != "" && (!errors.As(err, &alike) ||
			strings.Join(alike.Parties, "") != c.apart) {
			t.Errorf("group %d: %v, expected %q", k, err, c.apart)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") != 9 || strings.Count(string(text), `"same_as"`) != 3 {
		t.Errorf("%v: the history is\n%s", err, text)
	}
	for _, broken := range []string{"{}\n", "nonsense\n" + string(text), string(text) + "{\"records\":\"AAAA\"}\n",
		string(text) + "{\"same_as\":99}\n"} {
		must.NoError(t, os.WriteFile(path, []byte(broken), 0o600))
		if err := enter(plan, people(t, 0, 30)); err == nil || !strings.Contains(err.Error(), "line") {
			t.Errorf("a broken history: %v", err)
		}
	}
}

// differ is the count over all values of both lists.
func TestDiffer(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		lists := make([][]uint64, 2)
		for k := range lists {
			for range draw.IntN(12) {
				lists[k] = append(lists[k], draw.Uint64N(8))
			}
			slices.Sort(lists[k])
		}
		want := 0
		for v := range uint64(8) {
			n := 0
			for _, x := range lists[0] {
				if x == v {
					n++
				}
			}
			for _, x := range lists[1] {
				if x == v {
					n--
				}
			}
			want += max(n, -n)
		}
		if got := differ(lists[0], lists[1]); got != want {
			t.Fatalf("%v and %v differ by %d, expected %d", lists[0], lists[1], got, want)
		}
	}
}
