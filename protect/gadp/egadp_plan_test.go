package gadp

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/stats/orthobasis"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// normalTable returns k confidential columns and q others, continuous.
func normalTable(t *testing.T, k, q, n int) *table.Table {
	t.Helper()
	var cols []table.Column
	for j, c := range egadpCorrelated(rand.New(rand.NewPCG(11, 12)), k+q, n) {
		col := table.NumColumn(string(rune('a'+j)), 0, c)
		if j < k {
			col.Role = table.Confidential
		}
		cols = append(cols, col)
	}
	return tabletest.Of(t, cols...)
}

func values(tab *table.Table) [][]float64 {
	var out [][]float64
	for j := range tab.Width() {
		out = append(out, tab.Num(j))
	}
	return out
}

// Continuous columns keep their moments to the precision of their grid, and those without the role confidential are not
// touched.
func TestRelease(t *testing.T) {
	tab := normalTable(t, 2, 2, 1000)
	p, out := protectedBy(t, tab, nil)
	if got := strings.Join(p.Changes(), " "); got != "a b" {
		t.Errorf("changes %q", got)
	}
	mean, cov := orthobasis.Drift(values(tab), values(out))
	if mean > 1e-10 || cov > 1e-10 { // of the implied grid
		t.Errorf("means drift by %.2g, covariances by %.2g", mean, cov)
	}
	if out.Attr(0).Domain == tab.Attr(0).Domain {
		t.Error("the observed domain is not widened")
	}
	if _, out := protectedBy(t, tab, map[string]string{"outside": "clip"}); out.Attr(0).Domain != tab.Attr(0).Domain {
		t.Error("a domain that values are clipped to is widened")
	}
}

// The notes tell the security that a regression finds.
func TestSecurityNote(t *testing.T) {
	tab := normalTable(t, 1, 2, 200)
	p, out := protectedBy(t, tab, map[string]string{"security": "0.5"})
	given := [][]float64{out.Num(0), tab.Num(1), tab.Num(2)}
	left := stat.Variance(residuals([][]float64{tab.Num(0)}, given)[0], nil) / stat.Variance(tab.Num(0), nil)
	if left < 0.1 || left > 0.9 {
		t.Fatalf("the example leaves %v open", left)
	}
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes, `"a" `+trim(left)) {
		t.Errorf("a regression leaves %v open; notes %s", left, notes)
	}
}

func trim(v float64) string {
	b, _ := json.Marshal(math.Round(v*1000) / 1000)
	return string(b)
}

func TestNotes(t *testing.T) {
	for _, c := range []struct {
		k, q, n  int
		security string
		note     string
		other    string
	}{
		{2, 1, 100, "1", "", "few"},
		{2, 1, 7, "1", "", "few"},
		{2, 1, 6, "1", "6 complete records are too few for noise orthogonal", "means are released"},
		{2, 1, 5, "0.5", "security counts as 1", "means are released"},
		{2, 1, 4, "1", "4 complete records are too few to keep the moments of 2 columns and hide the records: means are " +
			"released", "orthogonal"},
		{1, 0, 1, "1", "that of a single record is the record", "few"},
	} {
		p, _ := protectedBy(t, normalTable(t, c.k, c.q, c.n), map[string]string{"security": c.security})
		notes := strings.Join(message.Written(p.Notes()), "\n")
		if !strings.Contains(notes, c.note) || strings.Contains(notes, c.other) {
			t.Errorf("%+v: notes %s", c, notes)
		}
	}
	tab := normalTable(t, 3, 1, 50)
	copyOf, flat, gap := make([]float64, 50), make([]float64, 50), append([]float64{}, tab.Num(2)...)
	for i, v := range tab.Num(3) {
		copyOf[i] = 3 * v
	}
	gap[4] = math.NaN()
	tab = tab.WithNum(0, copyOf).WithNum(1, flat).WithNum(2, gap)
	tab = tab.WithAttr(0, table.Attribute{Name: "a", Role: table.Confidential, Domain: table.Interval{Lo: -1e6, Hi: 1e6}})
	p, _ := protectedBy(t, tab, nil)
	notes := strings.Join(message.Written(p.Notes()), "\n")
	for _, want := range []string{`over 99 % of the variance of column "a"`, `column "b" has no two different values and is released as it is`,
		"1 of 50 records have a missing value: moments are exact for the 49 complete ones"} {
		if !strings.Contains(notes, want) {
			t.Errorf("there is no note with %q: %s", want, notes)
		}
	}
}

// With part of the residuals let through an intruder reads the release as original plus noise of the covariance that
// the plan tells, and a user works out the mean of a group.
func TestAdditiveAndCorrections(t *testing.T) {
	tab := normalTable(t, 2, 1, 400)
	gap := append([]float64{}, tab.Num(1)...)
	gap[7] = math.NaN()
	tab = tab.WithNum(1, gap)
	p, out := protectedBy(t, tab, map[string]string{"security": "0.4"})
	names, z, noise, err := p.Additive(out)
	if err != nil || strings.Join(names, " ") != "a b" {
		t.Fatal(names, err)
	}
	if z[0][7] == z[0][7] || z[1][7] == z[1][7] {
		t.Error("an incomplete record is read as original plus noise")
	}
	e := egadpColumns(nil, 2, 399)
	for j := range e {
		at := 0
		for i, v := range z[j] {
			if i != 7 {
				e[j][at] = v - tab.Num(j)[i]
				at++
			}
		}
		if m := stat.Mean(e[j], nil); math.Abs(m) > 1e-9*stat.StdDev(e[j], nil) {
			t.Errorf("the noise of column %d has mean %v", j, m)
		}
	}
	for j := range e {
		for l := range e {
			if got, want := stat.Covariance(e[j], e[l], nil), noise.At(j, l); math.Abs(
				got-want,
			) > 1e-9*math.Sqrt(noise.At(j, j)*noise.At(l, l)) {
				t.Errorf("the noise of columns %d and %d has covariance %v, the plan says %v", j, l, got, want)
			}
		}
	}
	if c := strings.Join(message.Written(p.Corrections()), "\n"); !strings.Contains(c, "(m - 0.4 f) / 0.6") ||
		!strings.Contains(c, "regression on c,") {
		t.Errorf("corrections %s", c)
	}
	safe, out := protectedBy(t, tab, nil)
	if names, _, _, err := safe.Additive(out); len(names) > 0 || err != nil {
		t.Errorf("with security 1 the release is original plus noise for %q, %v", names, err)
	}
	if c := strings.Join(message.Written(safe.Corrections()), "\n"); !strings.Contains(c, "nothing more of it is "+
		"released") {
		t.Errorf("corrections %s", c)
	}
}

func TestEGADPCheck(t *testing.T) {
	good, _ := protectedBy(t, normalTable(t, 2, 2, 20), nil)
	must.NoError(t, good.Check())
	for what, spoil := range map[string]func(p *EGADPPlan){
		"security":     func(p *EGADPPlan) { p.Security[0] = 1.5 },
		"no security":  func(p *EGADPPlan) { p.Security[1] = math.NaN() },
		"two":          func(p *EGADPPlan) { p.Security[0] = 0.5 },
		"outside":      func(p *EGADPPlan) { p.Outside = fence.OutsideRedraw },
		"no facts":     func(p *EGADPPlan) { p.Facts = nil },
		"columns":      func(p *EGADPPlan) { p.Columns = []int{1, 0} },
		"others":       func(p *EGADPPlan) { p.Others = []int{9} },
		"both":         func(p *EGADPPlan) { p.Others = []int{1, 2} },
		"figures":      func(p *EGADPPlan) { p.Facts = &orthobasis.Facts{Records: 20} },
		"counts":       func(p *EGADPPlan) { p.Facts.Complete = 21 },
		"without name": func(p *EGADPPlan) { p.Columns = []int{7} },
	} {
		p, facts := *good, *good.Facts
		p.Facts, p.Security = &facts, slices.Clone(p.Security)
		spoil(&p)
		if p.Check() == nil {
			t.Errorf("a plan with bad %s is accepted", what)
		}
	}
}

// Tendick & Matloff 1994: with the indicators of a group in S the means in the group are kept, here exactly; a group of
// one record would be released as it is, and is refused.
func TestEGADPGivenKeepsGroupMeans(t *testing.T) {
	tab := normalTable(t, 2, 1, 300)
	codes := make([]int32, 300)
	for i := range codes {
		codes[i] = int32(i % 3)
	}
	codes[17] = -1
	x, sd := slices.Clone(tab.Num(0)), stat.StdDev(tab.Num(0), nil)
	for i, c := range codes { // groups differ
		x[i] += float64(c) * sd
	}
	tab = egadpGrouped(t, tab.WithNum(0, x), codes)
	p, out := protectedBy(t, tab, map[string]string{"given": "group"})
	for j := range 2 {
		for g := range 3 {
			if was, is := groupMean(tab, j, g), groupMean(out, j, g); math.Abs(is-was) > 1e-10*math.Abs(was) {
				t.Errorf("column %d has mean %v in group %d, released %v", j, was, g, is)
			}
		}
	}
	if c := strings.Join(message.Written(p.Corrections()), "\n"); !strings.Contains(c, "regression on c, group, fitted") {
		t.Errorf("corrections %s", c)
	}
	codes[5] = 3
	q := NewEGADP()
	q.Given = []string{"group"}
	_, err := q.Fit(t.Context(), egadpGrouped(t, tab.Select(0, 1, 2), codes), protecttest.Seed(1))
	if err == nil || !strings.Contains(err.Error(), "1 record is like no other") {
		t.Errorf("a group of one record: %v", err)
	}
}

func egadpGrouped(t *testing.T, tab *table.Table, codes []int32) *table.Table {
	t.Helper()
	return tabletest.Of(t, append(tab.Columns(), table.CatColumn("group", []string{"x", "y", "z", "alone"}, codes))...)
}

func groupMean(tab *table.Table, j, group int) float64 {
	var v []float64
	for i, c := range tab.Cat(3) {
		if int(c) == group {
			v = append(v, tab.Num(j)[i])
		}
	}
	return stat.Mean(v, nil)
}
