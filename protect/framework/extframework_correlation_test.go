package framework

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/correlation"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// wbc returns the nine attributes and the class of the complete records of Wisconsin Breast Cancer.
func wbc(t *testing.T) *table.Table {
	f := must.Get(os.Open(dataset.File(t, "wbc/wbc.csv")))(t)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	must.NoError(t, err)
	head, rows := rows[0], slices.DeleteFunc(rows[1:], func(r []string) bool { return slices.Contains(r, "?") })
	var cols []table.Column
	class := make([]int32, len(rows))
	for j := 1; j < 10; j++ {
		v := make([]float64, len(rows))
		for i, r := range rows {
			if v[i], err = strconv.ParseFloat(r[j], 64); err != nil {
				t.Fatal(err)
			}
			if r[10] == "4" {
				class[i] = 1
			}
		}
		cols = append(cols, table.NumColumn(head[j], 1, v))
	}
	c := table.CatColumn("class", []string{"2", "4"}, class)
	c.Role = table.Class
	return tabletest.Of(t, append(cols, c)...)
}

// change returns the largest absolute difference of two correlations of numeric attributes, and of two means in
// standard deviations.
func change(t *testing.T, tab, out *table.Table) (corr, mean float64) {
	cols := must.Get(protect.Columns(tab, table.Numeric, nil))(t)
	a := must.Get(correlation.OfTable(context.Background(), tab, cols))(t)
	b := must.Get(correlation.OfTable(context.Background(), out, cols))(t)
	for i := range cols {
		mean = max(mean, math.Abs(a.Mean[i]-b.Mean[i])/a.SD[i])
		for j := range i {
			corr = max(corr, math.Abs(a.Corr[i][j]-b.Corr[i][j]))
		}
	}
	return corr, mean
}

// medians returns the medians of change over ten seeds.
func medians(t *testing.T, m protect.Method, tab *table.Table, set map[string]string) (corr, mean float64) {
	q := m.New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{5})))(t)
	var corrs, means []float64
	for seed := range byte(10) {
		out := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{seed}), protect.Options{}))(t)
		c, m := change(t, tab, out)
		corrs, means = append(corrs, c), append(means, m)
	}
	slices.Sort(corrs)
	slices.Sort(means)
	return (corrs[4] + corrs[5]) / 2, (means[4] + means[5]) / 2
}

// TestCorrelations: the correlations of the attributes are "significantly better preserved than in the data sets
// perturbed by the Framework" (Islam 2007, section 7.3.1): the largest difference of correlations is at most half of
// the Framework's, in the median of ten seeds. Of the paper's conjecture that C-GADP and EGADP do even better than
// GADP, C-GADP's part holds with a wide margin, for means as well.
func TestCorrelations(t *testing.T) {
	var adult *table.Table // in a long test
	if long.Enabled() {
		adult = protecttest.AdultLike(t, 30_162)
	}
	for _, c := range []struct {
		name string
		tab  *table.Table
		set  map[string]string
	}{
		{"Adult, minimum leaf 200", adult, map[string]string{"minLeaf": "200",
			"except": "workclass, education, marital_status, occupation, relationship, race, sex, native_country"}},
		{"WBC", wbc(t), map[string]string{}},
		{"WBC, minimum leaf 2", wbc(t), map[string]string{"minLeaf": "2"}},
	} {
		if c.tab == nil {
			continue
		}
		base, _ := medians(t, Framework, c.tab, c.set)
		corr, mean := map[string]float64{}, map[string]float64{}
		for _, technique := range []string{GADP, CGADP, EGADP} {
			c.set["technique"] = technique
			corr[technique], mean[technique] = medians(t, ExtFramework, c.tab, c.set)
			t.Logf("%s, %s: correlations change by %.3f at most (Framework %.3f), means by %.3f standard deviations", c.name,
				technique, corr[technique], base, mean[technique])
			if corr[technique] > base/2 {
				t.Errorf("%s, %s: correlations change by %.3f, by the Framework by %.3f", c.name, technique, corr[technique], base)
			}
		}
		if corr[CGADP] > 0.8*corr[GADP] || mean[CGADP] > 0.5*mean[GADP] {
			t.Errorf("%s: C-GADP changes correlations by %.3f and means by %.3f, GADP by %.3f and %.3f", c.name, corr[CGADP],
				mean[CGADP], corr[GADP], mean[GADP])
		}
	}
}
