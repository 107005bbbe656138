package anonymity

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// sudaTake measures a table released as it is, for one who knows all of it.
func sudaTake(t testing.TB, m SUDAMeter, columns ...table.Column) *SUDADetail {
	tab := tabletest.Of(t, columns...)
	who := &intruder.Intruder{Name: "x", Knows: []string{"all"}}
	r := &measure.Release{Original: tab, Released: tab, Paired: true, Intruder: who}
	v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
	return v.Detail.(*SUDADetail)
}

// TestSdcMicro compares scores and shares of the columns with those that suda2 of sdcMicro 5.8.1 gives with DisFraction
// 0.1 for 60 records in which values are missing, by both of its weights.
func TestSdcMicro(t *testing.T) {
	f := must.Get(os.Open("testdata/sdcmicro.csv"))(t)
	defer f.Close()
	lines := must.Get(csv.NewReader(f).ReadAll())(t)
	figures := map[string][]float64{}
	for j, name := range lines[0] {
		for _, line := range lines[1:] {
			v, err := strconv.ParseFloat(line[j], 64)
			if line[j] == "" {
				v = math.NaN()
			} else if err != nil {
				t.Fatal(err)
			}
			figures[name] = append(figures[name], v)
		}
	}
	var columns []table.Column
	for _, name := range []string{"a", "b", "c", "d"} {
		columns = append(columns, table.NumColumn(name, 0, figures[name]))
	}
	for _, by := range []struct{ weights, score, dis string }{
		{Elliot, "score", "dis_suda"}, {IHSN, "ihsn_score", "ihsn_dis_suda"},
	} {
		d := sudaTake(t, SUDAMeter{Weights: by.weights, Fraction: 0.1, Work: math.MaxInt}, columns...)
		for i, want := range figures[by.score] {
			protecttest.Near(t, by.weights, d.scores[i], want, 1e-9)
			protecttest.Near(t, by.dis, d.risk[i], figures[by.dis][i], 1e-6) // its fraction has 24 bits
		}
		if by.weights != Elliot {
			continue // the file has the shares by the other weights
		}
		for k, name := range []string{"share_a", "share_b", "share_c", "share_d"} {
			sum, all := 0.0, 0.0
			for i, s := range figures["score"] {
				sum, all = sum+s*figures[name][i], all+s
			}
			protecttest.Near(t, name, d.Contributions[k], sum/all, 1e-9)
		}
	}
}

// TestGuide has the ten records of the "SDC Practice Guide" of the World Bank, with their scores.
func TestGuide(t *testing.T) {
	columns := []table.Column{
		table.CatColumn("residence", []string{"urban", "rural"}, []int32{0, 0, 0, 0, 1, 0, 0, 0, 0, 0}),
		table.CatColumn("gender", []string{"female", "male"}, []int32{0, 0, 0, 1, 0, 1, 0, 1, 0, 0}),
		table.CatColumn("education",
			[]string{"secondary incomplete", "primary incomplete", "secondary complete", "primary complete", "post-secondary"},
			[]int32{0, 0, 1, 2, 2, 2, 3, 4, 0, 0}),
		table.CatColumn("labor", []string{"employed", "non-LF", "unemployed"}, []int32{0, 0, 1, 0, 2, 0, 1, 2, 1, 1}),
	}
	for weights, want := range map[string][]float64{
		Elliot: {0, 0, 6, 0, 12, 0, 6, 10, 0, 0}, IHSN: {0, 0, 1.75, 0, 3.25, 0, 1.75, 2.75, 0, 0},
	} {
		d := sudaTake(t, SUDAMeter{Weights: weights, Fraction: 0.1, Work: math.MaxInt}, columns...)
		for i, w := range want {
			protecttest.Near(t, weights, d.scores[i], w, 1e-9)
		}
		if fmt.Sprint(d.Least) != "[4 0 0 0]" {
			t.Errorf("%s: %+v", weights, d)
		}
	}
	// work for sets of two columns of the seven different rows, but not of three
	d := sudaTake(t, SUDAMeter{Size: 3, Weights: Elliot, Fraction: 0.1, Work: 70 + 4*7 - 1}, columns...)
	if d.Size != 2 || d.scores[4] != 3*2+3*2 {
		t.Errorf("size %d, scores %v", d.Size, d.scores)
	}
}

// BenchmarkSUDAMeasure measures records like Adult's against one who knows seven columns, with sets of three and of any
// number. With 30,162 of them it takes 0.12 of the yardstick and 0.2, with 1,000,000 6 and 10.
func BenchmarkSUDAMeasure(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		for _, size := range []int{3, 0} {
			b.Run(fmt.Sprint(rows, " size ", size), func(b *testing.B) {
				t := protecttest.AdultLike(b, rows)
				knows := []string{"age", "education", "marital_status", "race", "sex", "native_country", "hours_per_week"}
				who := &intruder.Intruder{Name: "x", Knows: knows, Secret: []string{}}
				m := SUDAMeter{Size: size, Weights: Elliot, Work: math.MaxInt}
				b.ReportAllocs()
				for b.Loop() {
					r := &measure.Release{Original: t, Released: t, Paired: true, Intruder: who}
					must.Get(m.Measure(context.Background(), r, rng.Source{}))(b)
				}
				yardstick.Report(b)
			})
		}
	}
}
