package kanonymise

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// localTwin recodes round by round by the definitions: it returns the levels and records of the rounds, and the levels
// of every record, of those that are left the last.
func localTwin(r *rapid.T, t *table.Table, hs []*hierarchy.Hierarchy, g *Goals, loss string) (rounds []string,
	levels [][]int,
) {
	rows, last := make([]int, t.Rows()), []int(nil)
	for i := range rows {
		rows[i] = i
	}
	levels = make([][]int, t.Rows())
	for len(rows) > 0 {
		some := t.Gather(rows)
		best := exhaust(r, some, hs, []int{coarse, free, free}, g, int(float64(len(rows))*0.95), loss)
		if len(best) == 0 {
			break
		}
		own, sum := make([]int, 3), 0
		must.Get(fmt.Sscanf(best[0], "%d [%d %d %d]", &sum, &own[0], &own[1], &own[2]))(r)
		groups, _, _ := node(r, some, hs, own, loss)
		var taken []int
		for _, x := range groups {
			if !x.void && good(g, some, x.rows) {
				taken = append(taken, x.rows...)
			}
		}
		if len(taken) == 0 {
			break
		}
		last = own
		rounds = append(rounds, fmt.Sprint(own, len(taken)))
		var left []int
		for k, i := range rows {
			if slices.Contains(taken, k) {
				levels[i] = own
			} else {
				left = append(left, i)
			}
		}
		rows = left
	}
	for _, i := range rows {
		levels[i] = last
	}
	return rounds, levels
}

// TestLocalEqualsTwin: rounds are those that all nodes were tried for, a record shows the label of its round's level or
// is suppressed, every group of what is released meets the goals, and the loss is that of the cells.
func TestLocalEqualsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, hs := small(r)
		q := New()
		q.Goals = Goals{K: rapid.IntRange(1, 5).Draw(r, "k"), L: rapid.SampledFrom([]float64{1, 1.5, 2}).Draw(r, "l"),
			C: 2, T: 1, Diversity: rapid.SampledFrom([]string{"distinct", "entropy", "recursive"}).Draw(r, "diversity")}
		q.Loss = rapid.SampledFrom([]string{"ncp", "precision"}).Draw(r, "loss")
		q.Local, q.Suppression, q.Quasi, q.Sensitive = true, 1, []string{"age", "city", "size"}, []string{"sick"}
		q.UseHierarchies(hierarchy.Set{"city": hs[1]})
		if tab.Rows() < q.K {
			r.Skip("fewer than k")
		}
		fitted, err := q.Fit(t.Context(), tab, protecttest.Seed(1))
		want, levels := localTwin(r, tab, hs, &q.Goals, q.Loss)
		if len(want) == 0 || err != nil && strings.Contains(err.Error(), "all records together do not meet") {
			if err == nil && len(fitted.(*Plan).Local.Rounds) > 1 {
				r.Fatal("rounds are found where there are none")
			}
			return
		}
		must.NoError(r, err)
		p := fitted.(*Plan)
		var got []string
		for _, round := range p.Solution().Rounds {
			got = append(got, fmt.Sprint(round.Levels, round.Records))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			r.Fatalf("rounds %v, the twin has %v", got, want)
		}
		out := must.Get(p.Apply(tab, protecttest.Seed(2)))(r)
		lost, sum := 0, 0.0
		for i := range tab.Rows() {
			gone := out.MissingAt(i, 0) && out.MissingAt(i, 1) && out.MissingAt(i, 2) &&
				!(tab.MissingAt(i, 0) && tab.MissingAt(i, 1) && tab.MissingAt(i, 2))
			if gone {
				lost++
			}
			for j := range 3 {
				switch {
				case tab.MissingAt(i, j):
				case gone:
					sum++
				default:
					text, cost := label(r, tab, hs[j], i, j, levels[i][j], q.Loss)
					if sum += cost; out.Attr(j).Labels[out.Cat(j)[i]] != text {
						r.Fatalf("row %d shows %q, expected %q", i, out.Attr(j).Labels[out.Cat(j)[i]], text)
					}
				}
			}
		}
		if lost != p.Found.Suppressed {
			r.Fatalf("%d records are suppressed, the plan says %d", lost, p.Found.Suppressed)
		}
		protecttest.Near(t, "loss", p.Found.Loss, sum/float64(3*tab.Rows()), 1e-6)
		shown := map[string][]int{}
		for i := range out.Rows() {
			key := look(out, i, []int{0, 1, 2})
			shown[key] = append(shown[key], i)
		}
		for key, rows := range shown {
			if void := key == "?|?|?|"; !(void && lost == 0) && !good(&q.Goals, tab, rows) {
				r.Fatalf("%d records show %s and do not meet the goals", len(rows), key)
			}
		}
	})
}

// label is what a value shows on a level, and what its cell loses.
func label(r *rapid.T, t *table.Table, h *hierarchy.Hierarchy, i, j, level int, loss string) (string, float64) {
	c := t.Column(j)
	of := must.Get(h.Groups(&c, level))(r)
	if loss == "precision" {
		return h.Labels(level)[of[i]], float64(level) / float64(h.Height())
	}
	return h.Labels(level)[of[i]], h.Spans(level)[of[i]]
}

// TestLocalLosesLess: on records like those of Adult, levels by record lose less than levels by column, within the same
// limit of suppression.
func TestLocalLosesLess(t *testing.T) {
	tab, set := adult(t, 3000)
	tab = clip(tab)
	var plans []*Plan
	for _, local := range []string{"false", "true"} {
		p := must.Get(fitted(tab, set, map[string]string{"k": "5", "local": local,
			"columns": "age,education,marital_status,race,sex"}))(t)
		plans = append(plans, p)
	}
	column, record := plans[0].Found, plans[1].Found
	t.Logf("by column %.3f and %d suppressed, by record %.3f and %d in %d rounds", column.Loss, column.Suppressed,
		record.Loss, record.Suppressed, len(plans[1].Local.Rounds))
	if record.Loss > 0.8*column.Loss || record.Suppressed > column.Suppressed {
		t.Errorf("by column %+v, by record %+v", column, record)
	}
	if got := protect.SolutionOf(plans[1]); len(got.Rounds) != len(plans[1].Local.Rounds) || got.Nodes[0].Suppressed == 0 {
		t.Errorf("%+v", got)
	}
}

// TestLocalRefuses: what rounds cannot hold is refused with what to do.
func TestLocalRefuses(t *testing.T) {
	for want, set := range map[string]map[string]string{
		`parameter "local": search=mondrian`:                 {"search": "mondrian"},
		`parameter "local": classes of rounds`:               {"t": "0.5", "sensitive": "risk"},
		`parameter "levels": with local=true numbers of col`: {"levels": "age=0"},
	} {
		set["columns"], set["local"] = "age,city,sex", "true"
		if _, err := fitted(people(300), nil, set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", set, err)
		}
	}
}
