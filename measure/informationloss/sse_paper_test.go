package informationloss

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// means returns the columns with the values of every group, of positions, replaced by their mean.
func means(columns [][]float64, groups [][]int) [][]float64 {
	out := make([][]float64, len(columns))
	for j, v := range columns {
		out[j] = make([]float64, len(v))
		for _, g := range groups {
			mean := 0.0
			for _, i := range g {
				mean += v[i] / float64(len(g))
			}
			for _, i := range g {
				out[j][i] = mean
			}
		}
	}
	return out
}

// TestDomingoFerrerMateoSanzCompanies has surface and employees of the eleven companies of Domingo-Ferrer & Mateo-Sanz
// 2002, in groups of three at least: SST is 22, and SSE/SST 0.3402 for the best groups and 0.5495 for those of MDAV.
func TestDomingoFerrerMateoSanzCompanies(t *testing.T) {
	x := [][]float64{{790, 710, 730, 810, 950, 510, 400, 330, 510, 760, 50}, {55, 44, 32, 17, 3, 25, 45, 50, 5, 52, 12}}
	for _, c := range []struct {
		groups [][]int
		loss   float64
	}{
		{[][]int{{0, 1, 2, 9}, {3, 4, 8}, {5, 6, 7, 10}}, 0.3402},
		{[][]int{{10, 8, 5}, {0, 9, 1}, {2, 3, 4, 6, 7}}, 0.5495},
	} {
		v, d, err := sseTake(t, tableOf(t, x), tableOf(t, means(x, c.groups)))
		if err != nil || math.Abs(v.Score-c.loss) > 0.00005 || d.SST != 22 {
			t.Errorf("%v: %v of %v, error %v, expected %v", c.groups, v.Score, d.SST, err, c.loss)
		}
	}
}

// TestGoldenMicroaggregation has groups by UMA and MDAV, with the sums of squares in the attributes' own units.
func TestGoldenMicroaggregation(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/microaggregation.json"))(t)
	var cases []struct {
		Name  string
		Input struct {
			Values []float64
			Rows   [][]float64
		}
		Expected struct {
			Groups         [][]int
			SSE, SST, Loss float64
		}
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) == 0 {
		t.Fatal(err)
	}
	for _, c := range cases {
		x := [][]float64{c.Input.Values}
		if c.Input.Rows != nil {
			x = make([][]float64, len(c.Input.Rows[0]))
			for _, row := range c.Input.Rows {
				for j, v := range row {
					x[j] = append(x[j], v)
				}
			}
		}
		v, d, err := sseTake(t, tableOf(t, x), tableOf(t, means(x, c.Expected.Groups)))
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		var sse, sst float64
		for _, a := range d.Attributes {
			sse, sst = sse+a.Error*a.SD*a.SD, sst+float64(a.Cells)*a.SD*a.SD
		}
		if !near(sse, c.Expected.SSE) || !near(sst, c.Expected.SST) || !near(sse/sst, c.Expected.Loss) {
			t.Errorf("%s: %v of %v, expected %v of %v", c.Name, sse, sst, c.Expected.SSE, c.Expected.SST)
		}
		if len(x) == 1 && !near(v.Score, c.Expected.Loss) {
			t.Errorf("%s: score %v, expected %v", c.Name, v.Score, c.Expected.Loss)
		}
	}
}
