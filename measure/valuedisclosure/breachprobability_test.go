package valuedisclosure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var knows = &intruder.Intruder{Name: "neighbour", Knows: []string{"role:quasi-identifier"},
	Secret: []string{"role:confidential"}}

// breachReleased deals the values of column j out inside groups by passing each on to the next record.
func breachReleased(t *table.Table, j int, of []int32) *measure.Release {
	codes, first, last := append([]int32(nil), t.Cat(j)...), map[int32]int{}, map[int32]int{}
	for i, g := range of {
		if t.Cat(j)[i] < 0 {
			continue
		}
		if k, ok := last[g]; ok {
			codes[i] = t.Cat(j)[k]
		} else {
			first[g] = i
		}
		last[g] = i
	}
	for g, i := range first {
		codes[i] = t.Cat(j)[last[g]]
	}
	r := &measure.Release{Original: t, Released: t.WithCat(j, codes), Paired: true, Intruder: knows}
	r.Segments = segment.ByGroups(t, []segment.Group{{Column: j, Of: of}})
	return r
}

// patients are the microdata of Xiao & Tao 2006, table 1, with the groups of table 3: the first four and the last four.
func patients(t testing.TB) *measure.Release {
	age := table.NumColumn("age", 1, []float64{23, 27, 35, 59, 61, 65, 65, 70})
	age.Role = table.Quasi
	disease := table.CatColumn("disease", []string{"bronchitis", "dyspepsia", "flu", "gastritis", "pneumonia"},
		[]int32{4, 1, 1, 4, 2, 3, 2, 0})
	disease.Role = table.Confidential
	return breachReleased(tabletest.Of(t, age, disease), 1, []int32{0, 0, 0, 0, 1, 1, 1, 1})
}

// Of the paper's tables 3 an intruder is sure of Bob's pneumonia with 1/2 (section 3.1), of nobody's disease with more,
// and the re-construction error of Bob is 1/2. That of all is four times 1/2 in the first group, and in the second 7/8
// for bronchitis and gastritis and 3/8 for flu: 4.5 of 8 records.
func TestPaper(t *testing.T) {
	r := patients(t)
	v := must.Get((&BreachProbabilityMeter{}).Measure(t.Context(), r, rng.Source{}))(t)
	d := v.Detail.(*BreachProbabilityDetail)
	for what, c := range map[string][2]float64{
		"score":     {v.Score, 0.5},
		"Bob":       {d.Records()[0], 0.5},
		"Mandy":     {d.Records()[7], 0.25},
		"posterior": {d.Secrets[0].Posterior, (4*0.5 + 2*0.5 + 2*0.25) / 8},
		"prior":     {d.Secrets[0].Prior, (6*0.25 + 2*0.125) / 8},
		"gain":      {d.Secrets[0].Gain, 0.25},
		"rce":       {d.Secrets[0].RCE, 4.5 / 8},
		"groups":    {float64(d.Groups), 2},
	} {
		if math.Abs(c[0]-c[1]) > 1e-15 {
			t.Errorf("%s is %v, expected %v", what, c[0], c[1])
		}
	}
}

// On random tables the figures are those of the definitions, counted term by term.
func TestBreachProbabilityTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(r, "records")
		codes := rapid.SliceOfN(rapid.Int32Range(-1, 3), n, n).Draw(r, "codes")
		of := rapid.SliceOfN(rapid.Int32Range(0, 4), n, n).Draw(r, "groups")
		s := table.CatColumn("s", []string{"a", "b", "c", "d"}, codes)
		s.Role = table.Confidential
		age := table.NumColumn("age", 1, make([]float64, n))
		age.Role = table.Quasi
		rel := breachReleased(tabletest.Of(t, age, s), 1, of)
		v, err := (&BreachProbabilityMeter{}).Measure(context.Background(), rel, rng.Source{})
		moved := false
		for i := range n {
			moved = moved || rel.Released.Cat(1)[i] != codes[i]
		}
		if !moved {
			if err == nil {
				r.Fatal("nothing was dealt out, and there is a figure")
			}
			return
		}
		must.NoError(r, err)
		largest, mean, rce, known := 0.0, 0.0, 0.0, 0.0
		for i := range n {
			if codes[i] < 0 {
				continue
			}
			known++
			share := func(v int32) float64 {
				with, all := 0.0, 0.0
				for k := range n {
					if of[k] == of[i] && codes[k] >= 0 {
						all++
						if codes[k] == v {
							with++
						}
					}
				}
				return with / all
			}
			largest, mean = max(largest, share(codes[i])), mean+share(codes[i])
			for v := range int32(4) {
				d := share(v)
				if v == codes[i] {
					d--
				}
				rce += d * d
			}
		}
		got := v.Detail.(*BreachProbabilityDetail).Secrets[0]
		for what, c := range map[string][2]float64{"largest": {v.Score, largest}, "mean": {got.Posterior, mean / known},
			"rce": {got.RCE, rce / known}} {
			if math.Abs(c[0]-c[1]) > 1e-12 {
				r.Fatalf("%s is %v, expected %v", what, c[0], c[1])
			}
		}
	})
}

// A column whose values leave their group, and one that stays as it is, have no figure.
func TestNotDealt(t *testing.T) {
	r := patients(t)
	for name, codes := range map[string][]int32{"left": {0, 1, 1, 4, 2, 3, 2, 4}, "kept": r.Original.Cat(1)} {
		r.Released = r.Original.WithCat(1, codes)
		if _, err := (&BreachProbabilityMeter{}).Measure(t.Context(), r, rng.Source{}); !errors.Is(err,
			measure.ErrNotApplicable) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A million records in groups of seven take 1.1 of the yardstick.
func BenchmarkBreachProbabilityMeasure(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		codes, of := make([]int32, rows), make([]int32, rows)
		for i := range codes {
			codes[i], of[i] = int32(i%7), int32(i/7)
		}
		s := table.CatColumn("s", []string{"a", "b", "c", "d", "e", "f", "g"}, codes)
		s.Role = table.Confidential
		age := table.NumColumn("age", 1, make([]float64, rows))
		age.Role = table.Quasi
		r := breachReleased(tabletest.Of(b, age, s), 1, of)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				must.Get((&BreachProbabilityMeter{}).Measure(b.Context(), r, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
