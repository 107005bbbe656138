package distributions

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/dither-data/dither/internal/stats/correlation"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestAdultMoments compares the mean vector and the correlation matrix that Islam 2007, section 7.3.1, prints for
// 25,600 of the 30,162 complete records of Adult with those of all complete records. The subset is not published. A
// mean of 25,600 of 30,162 records drawn without replacement has a standard error of s sqrt((1-f)/n), f = 25600/30162;
// a correlation has at most sqrt((1-f)/n) = 0.0024 for normal variables, and 0.01 leaves room for the heavy tails of
// the capital columns. With five standard errors for six means, a false alarm has probability below 1e-5; the test is
// exact in that it draws nothing.
func TestAdultMoments(t *testing.T) {
	names := []string{"age", "fnlwgt", "education_num", "capital_gain", "capital_loss", "hours_per_week"}
	columns := adult(t, names)
	if len(columns[0]) != 30162 {
		t.Fatalf("%d complete records, expected 30,162", len(columns[0]))
	}
	m := must.Get(correlation.Of(context.Background(), columns))(t)
	mean := []float64{38.44, 189669.70, 10.12, 1102.66, 87.39, 40.88}
	corr := [][]float64{
		{1, -.075, .046, .082, .060, .104},
		{-.075, 1, -.043, .001, -.011, -.024},
		{.046, -.043, 1, .126, .079, .152},
		{.082, .001, .126, 1, -.032, .082},
		{.060, -.011, .079, -.032, 1, .049},
		{.104, -.024, .152, .082, .049, 1},
	}
	f := math.Sqrt((1 - 25600./30162) / 25600)
	for k, name := range names {
		if d := math.Abs(m.Mean[k] - mean[k]); d > 5*f*m.SD[k]+0.005 {
			t.Errorf("mean of %s is %v, printed %v", name, m.Mean[k], mean[k])
		}
		for l := range names {
			if d := math.Abs(m.Corr[k][l] - corr[k][l]); d > 0.01 {
				t.Errorf("correlation of %s and %s is %v, printed %v", name, names[l], m.Corr[k][l], corr[k][l])
			}
		}
	}
}

// adult returns the named columns of the complete records.
func adult(t *testing.T, names []string) [][]float64 {
	f := must.Get(os.Open(dataset.File(t, "adult/adult.csv")))(t)
	defer f.Close()
	rows := must.Get(csv.NewReader(f).ReadAll())(t)
	columns := make([][]float64, len(names))
	for _, row := range rows[1:] {
		if slices.Contains(row, "?") || slices.Contains(row, "") {
			continue
		}
		for k, n := range names {
			v := must.Get(strconv.ParseFloat(row[slices.Index(rows[0], n)], 64))(t)
			columns[k] = append(columns[k], v)
		}
	}
	return columns
}
