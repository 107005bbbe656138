package mdav

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/mining/microaggregation"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func vmdavFitted(tab *table.Table, set map[string]string) (*VMDAVPlan, error) {
	q := NewVMDAV()
	if err := q.Params().Apply(set); err != nil {
		return nil, err
	}
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		return nil, err
	}
	return p.(*VMDAVPlan), nil
}

func vmdavFit(t testing.TB, tab *table.Table, set map[string]string) *VMDAVPlan {
	t.Helper()
	p := must.Get(vmdavFitted(tab, set))(t)
	return p
}

func vmdavRelease(t testing.TB, tab *table.Table, set map[string]string) *table.Table {
	t.Helper()
	out := must.Get(vmdavFit(t, tab, set).Apply(tab, protecttest.Seed(2)))(t)
	return out
}

func one(t testing.TB, values ...float64) *table.Table {
	t.Helper()
	return tabletest.Of(t, table.NumColumn("x", 1, values))
}

// Solanas & Martínez-Ballesté 2006: where records form clusters of more than k, groups grow to hold them; with gamma 0
// they do not, and one bridges the clusters.
func TestGammaKeepsClusters(t *testing.T) {
	tab := one(t, 0, 1, 2, 3, 100, 101, 102, 103, 104)
	for gamma, want := range map[string]string{"1.1": "[2 2 2 2 102 102 102 102 102]", "0": "[1 1 1 68 68 68 103 103 " +
		"103]"} {
		if got := fmt.Sprint(vmdavRelease(t, tab, map[string]string{"gamma": gamma}).Num(0)); got != want {
			t.Errorf("gamma %s: %s, expected %s", gamma, got, want)
		}
	}
	notes := strings.Join(message.Written(vmdavFit(t, tab, map[string]string{"gamma": "1.1"}).Notes()), "\n")
	if !strings.Contains(notes, "2 groups of 4 to 5 records") {
		t.Errorf("notes %s", notes)
	}
}

// The groups are those of V-MDAV on scaled columns, of k records at least; values are replaced by weighted means,
// rounded to the grid.
func TestMeansOfGroups(t *testing.T) {
	tab := protecttest.Mixed(400)
	for _, set := range []map[string]string{{"gamma": "0"}, {"gamma": "1"}, {"gamma": "100", "k": "7"}} {
		p, out := vmdavFit(t, tab, set), vmdavRelease(t, tab, set)
		points, kinds := microaggregation.Points(tab, p.By)
		group, groups, err := microaggregation.MixedVMDAV(context.Background(), points, kinds, nil, p.K, p.Gamma)
		if err != nil || groups != p.Found.Groups || p.Found.Smallest < p.K || p.Found.Largest > 3*p.K-2 {
			t.Fatal(groups, p.Found, err)
		}
		const temperature = 2 // tenths, none missing
		sums, weights := make([]float64, groups), make([]float64, groups)
		for i, g := range group {
			w := tab.Num(tab.WithRole(table.Weight))[i]
			sums[g] += w * tab.Num(temperature)[i]
			weights[g] += w
		}
		for i, g := range group {
			if d := out.Num(temperature)[i] - sums[g]/weights[g]; math.Abs(d) > 0.05+1e-9 {
				t.Fatalf("%v: record %d is %v, the mean of its group %v", set, i, out.Num(temperature)[i], sums[g]/weights[g])
			}
		}
	}
}

// Sampling weights make weighted means; a finer grid shows them with two more decimals.
func TestWeights(t *testing.T) {
	w := table.NumColumn("w", 1, []float64{1, 1, 2, 1, 1, 1})
	w.Role = table.Weight
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2, 4, 11, 12, 14}), w)
	out := vmdavRelease(t, tab, map[string]string{"grid": "finer"})
	if want := []float64{2.75, 2.75, 2.75, 12.33, 12.33, 12.33}; !slices.Equal(out.Num(0), want) ||
		out.Attr(0).Step != 0.01 {
		t.Errorf("means %v with step %v, expected %v", out.Num(0), out.Attr(0).Step, want)
	}
}

func TestVMDAVRefusals(t *testing.T) {
	if _, err := vmdavFitted(one(t, 1, 2), nil); err == nil || !strings.Contains(err.Error(), "at least k = 3") {
		t.Errorf("two records: the error is %v", err)
	}
	if _, err := vmdavFitted(one(t, 1, 2, 3), map[string]string{"by": "y"}); err == nil ||
		!strings.Contains(err.Error(), `there is no column "y"`) {
		t.Errorf("an unknown column: the error is %v", err)
	}
	p := vmdavFit(t, one(t, 1, 2, 3), nil)
	if _, err := p.Apply(protecttest.Mixed(9), protecttest.Seed(1)); err == nil {
		t.Error("records of another schema are accepted")
	}
	for _, gamma := range []float64{-1, 101, math.NaN()} {
		if p.Gamma = gamma; p.Check() == nil {
			t.Errorf("a plan with gamma %v is accepted", gamma)
		}
	}
	p = vmdavFit(t, one(t, 1, 2, 3), nil)
	if p.K = 0; p.Check() == nil {
		t.Error("a plan with k = 0 is accepted")
	}
	if !strings.Contains(p.Describe().String(), "V-MDAV") {
		t.Errorf("the plan says %q", p.Describe())
	}
}
