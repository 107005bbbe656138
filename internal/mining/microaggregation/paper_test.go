package microaggregation

import (
	"context"
	_ "embed"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
)

//go:embed testdata/microaggregation.json
var golden []byte

// Roy, section 2.3.1: the worked examples.
func TestGolden(t *testing.T) {
	type in struct {
		Rows [][]float64
		K    int
	}
	type out struct {
		Groups    [][]int32
		Perturbed [][]float64
		SSE, SST  float64
	}
	for _, c := range protecttest.Cases[in, out](t, golden, "mdav") {
		points := slices.Concat(c.Input.Rows...)
		kinds := make([]Kind, len(c.Input.Rows[0]))
		group, groups, err := MDAV(context.Background(), points, len(kinds), c.Input.K)
		must.NoError(t, err)
		records, ends := Members(group, groups)
		lo := int32(0)
		for g, hi := range ends {
			if got := records[lo:hi]; !slices.Equal(got, c.Expected.Groups[g]) {
				t.Errorf("%s: group %d is %v, expected %v", c.Name, g, got, c.Expected.Groups[g])
			}
			for d, v := range Centre(points, kinds, records[lo:hi]) {
				protecttest.Near(t, c.Name, v, c.Expected.Perturbed[records[lo]][d], c.Tolerance.Abs*max(1, v))
			}
			lo = hi
		}
		sse, sst := Loss(points, kinds, group, groups)
		protecttest.Near(t, c.Name+": SSE", sse, c.Expected.SSE, c.Tolerance.Abs*sst)
		protecttest.Near(t, c.Name+": SST", sst, c.Expected.SST, c.Tolerance.Abs*sst)
	}
}

// companies returns the eleven companies, standardised: surface and employees.
func companies() []float64 {
	surface := []float64{790, 710, 730, 810, 950, 510, 400, 330, 510, 760, 50}
	employees := []float64{55, 44, 32, 17, 3, 25, 45, 50, 5, 52, 12}
	var points []float64
	for i := range surface {
		for _, v := range [][]float64{surface, employees} {
			mean, sd := stat.PopMeanStdDev(v, nil)
			points = append(points, (v[i]-mean)/sd)
		}
	}
	return points
}

// The example of Domingo-Ferrer & Mateo-Sanz 2002, k = 3: SST is 22; the best partition loses .3402 of it, MDAV .5495.
func TestCompanies(t *testing.T) {
	points, kinds := companies(), make([]Kind, 2)
	sse, sst := Loss(points, kinds, []int32{0, 0, 0, 1, 1, 2, 2, 2, 1, 0, 2}, 3)
	protecttest.Near(t, "SST", sst, 22, 1e-12)
	protecttest.Near(t, "the best partition", sse/sst, 0.3402, 0.00005)
	group, groups, err := MDAV(context.Background(), points, 2, 3)
	if err != nil || groups != 3 {
		t.Fatal(groups, err)
	}
	sse, sst = Loss(points, kinds, group, groups)
	protecttest.Near(t, "MDAV", sse/sst, 0.5495, 0.00005)
}

// Solanas & Martínez-Ballesté 2006: groups of one size bridge clusters of four and of five records; groups that grow do
// not.
func TestClustersStayWhole(t *testing.T) {
	points := []float64{0, 1, 2, 3, 100, 101, 102, 103, 104}
	for gamma, want := range map[float64][]int32{1.1: {0, 0, 0, 0, 1, 1, 1, 1, 1}, 0: {0, 0, 0, 1, 1, 1, 2, 2, 2}} {
		group, groups, err := VMDAV(context.Background(), points, 1, 3, gamma)
		if err != nil || groups != int(slices.Max(want))+1 || !reflect.DeepEqual(group, want) {
			t.Errorf("gamma %v: groups %v, expected %v (%v)", gamma, group, want, err)
		}
	}
}

// Domingo-Ferrer & Torra 2005: the centre of nominal values is their mode, of ordinal ones the median.
func TestMixedCentre(t *testing.T) {
	points := []float64{1, 1, 2, 2, 5, 0, 4, 7, 0, 9, 8, 2} // of two modes the lower
	got := Centre(points, []Kind{Number, Ordinal, Nominal}, []int32{0, 1, 2, 3})
	if want := []float64{4, 5, 0}; !slices.Equal(got, want) {
		t.Errorf("the centre is %v, expected %v", got, want)
	}
	if d := squared([]Kind{Number, Ordinal, Nominal})([]float64{1, 2, 7}, []float64{3, 1, 0}); d != 6 {
		t.Errorf("the squared distance is %v, expected 6", d)
	}
}
