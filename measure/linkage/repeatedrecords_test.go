package linkage

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// who can tell the records of a person.
var who = &intruder.Intruder{Name: "insurer", Knows: []string{"all"}, Person: "patient"}

// visits returns so many visits of each person: the patient, whose postcode is one of ten and birth a year, and a
// weight that changes.
func visits(people, each int, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 2))
	n := people * each
	birth, weight, patient, code := make([]float64, n), make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		patient[i], weight[i] = float64(i/each), math.Round(50+40*r.Float64())
		birth[i], code[i] = float64(1930+r.IntN(80)), int32(r.IntN(10))
		if i%each > 0 {
			birth[i], code[i] = birth[i-1], code[i-1]
		}
	}
	return tabletest.Must(table.NumColumn("patient", 1, patient), table.NumColumn("birth", 1, birth),
		table.NumColumn("weight", 1, weight),
		table.CatColumn("postcode", []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, code))
}

// perturbed changes one of ten postcodes to another one. With once, all visits of a person get the same.
func perturbed(t *table.Table, each int, once bool, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 6))
	code := slices.Clone(t.Cat(3))
	for i := range code {
		if once && i%each > 0 {
			code[i] = code[i-1]
		} else if r.IntN(10) == 0 {
			code[i] = (code[i] + 1 + int32(r.IntN(9))) % 10
		}
	}
	return t.WithCat(3, code)
}

func repeatedTake(t testing.TB, original, released *table.Table, seed byte) (measure.Value, *RepeatedRecordsDetail) {
	t.Helper()
	r := (&measure.Release{Original: original, Released: released, Paired: true}).Against(who)
	v := must.Get(RepeatedRecords.New().Measure(context.Background(), r, rng.New([32]byte{seed})))(t)
	return v, v.Detail.(*RepeatedRecordsDetail)
}

// Twenty visits take a postcode that is right in nine of ten records to right for all; the same noise in all visits
// tells no more than one visit.
func TestRepeatedRecordsPlanted(t *testing.T) {
	tab := visits(1000, 20, 1)
	v, d := repeatedTake(t, tab, perturbed(tab, 20, false, 1), 1)
	if d.Best == nil || d.Best.Column != "postcode" || math.Abs(d.Best.Without-0.9) > 0.02 || d.Best.With < 0.995 ||
		v.Lo < 0.05 ||
		v.Score < 0.08 {
		t.Fatalf("%v from %v, %+v", v.Score, v.Lo, d.Best)
	}
	if len(d.Columns) != 2 || d.People != 1000 || d.Each != 20 { // the weight is not the same in all visits
		t.Errorf("%+v", d)
	}
	v, d = repeatedTake(t, tab, perturbed(tab, 20, true, 1), 1)
	if v.Lo != 0 || v.Hi > 0.02 {
		t.Errorf("with one noise a person %v to %v, %+v", v.Lo, v.Hi, *d.Best)
	}
}

// The noise of a number averages out.
func TestNumbers(t *testing.T) {
	tab := visits(600, 30, 3)
	r := rand.New(rand.NewPCG(9, 9))
	birth := slices.Clone(tab.Num(1))
	for i := range birth {
		birth[i] += math.Round(3 * r.NormFloat64())
	}
	v, d := repeatedTake(t, tab, tab.WithNum(1, birth), 1)
	if d.Best.Column != "birth" || v.Lo < 0.3 || d.Best.By.String() != "the mean" {
		t.Errorf("%v from %v, %+v", v.Score, v.Lo, *d.Best)
	}
}

// Records of one person that are not one person's tell no more: of 100 releases whose visits all have the same noise at
// most 5 have a lower bound above 0, but for chance; more than 13 have a probability below 0.001.
func TestRepeatedRecordsFalseAlarms(t *testing.T) {
	alarms := 0
	for seed := range byte(100) {
		tab := visits(100, 4, uint64(seed))
		if v, _ := repeatedTake(t, tab, perturbed(tab, 4, true, uint64(seed)), seed); v.Lo > 0 {
			alarms++
		}
	}
	if alarms > 13 {
		t.Errorf("%d of 100 releases seem to tell more", alarms)
	}
}

// A majority is what counting gives.
func TestRepeatedRecordsTwin(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		codes := rapid.SliceOfN(rapid.Int32Range(-1, 3), 1, 9).Draw(rt, "codes")
		truth := rapid.Int32Range(0, 3).Draw(rt, "truth")
		was, rows := make([]int32, len(codes)), make([]int32, len(codes))
		for i := range was {
			was[i], rows[i] = truth, int32(i)
		}
		names := []string{"a", "b", "c", "d"}
		c := constant{was: table.CatColumn("x", names, was), is: table.CatColumn("x", names, codes)}
		var n [4]int
		for _, code := range codes {
			if code >= 0 {
				n[code]++
			}
		}
		most := slices.Max(n[:])
		want := 0.0
		if most > 0 && n[truth] == most {
			ties := 0
			for _, k := range n {
				if k == most {
					ties++
				}
			}
			want = 1 / float64(ties)
		}
		if got := c.majority(rows); got != want {
			rt.Fatalf("%v, expected %v", got, want)
		}
	})
}

func TestRepeatedRecordsDoesNotApply(t *testing.T) {
	tab := visits(20, 1, 1)
	for name, i := range map[string]*intruder.Intruder{"does not know": {Name: "x"}, "one record each": who} {
		r := (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(i)
		if _, err := RepeatedRecords.New().Measure(t.Context(), r, rng.Source{}); !errors.Is(err, measure.ErrNotApplicable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(
		&intruder.Intruder{Name: "x", Person: "nothere"},
	)
	if _, err := RepeatedRecords.New().Measure(t.Context(), r, rng.Source{}); err == nil ||
		errors.Is(err, measure.ErrNotApplicable) {
		t.Errorf("an unknown column: %v", err)
	}
}

// A million records of 50,000 people take 2 times the yardstick.
func BenchmarkRepeatedRecordsMeasure1M(b *testing.B) {
	tab := visits(50_000, 20, 1)
	released := perturbed(tab, 20, false, 1)
	for b.Loop() {
		repeatedTake(b, tab, released, 1)
	}
	yardstick.Report(b)
}
