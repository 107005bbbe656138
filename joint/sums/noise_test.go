package sums

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/param"
)

func noisyCase(epsilon string, parties, rows int) jointtest.Case {
	c := totals("noise", parties, rows, 7)
	c.Plan.Noise = &joint.Noise{Epsilon: epsilon}
	return c
}

// The noise of totals has the law that the plan's epsilon, halved for two totals, takes for one record: once for each
// party. Of 1,200 runs the mean is within 4.5 standard errors of 0 and the variance within 4.5 of its own, which a
// right program misses once in 70,000 for each; the seeds are fixed.
func TestNoise(t *testing.T) {
	const runs, rows = 1200, 50
	exact := totals("noise", 3, rows, 7).Want[0].Tables[0].Rows[0][1].(float64)
	for k, q := range Protocols {
		c := noisyCase("1/2", 3, rows)
		var records, cost []float64
		for seed := range uint64(runs / len(Protocols)) {
			r := jointtest.Results(t, &q, c, 1+seed+uint64(k)*runs)[seed%3]
			records = append(records, float64(r.Figures[0].Value.(int64)-3*rows))
			cost = append(cost, math.Round((r.Tables[0].Rows[0][1].(float64)-exact)*100))
		}
		quarter := must.Get(mechanism.NewRatio(1, 4))(t)
		for name, of := range map[string]struct {
			noise       []float64
			sensitivity uint64 // of the cost 1,000 in cents
		}{"records": {records, 1}, "cost": {cost, 100_000}} {
			law := must.Get(mechanism.NewLaplace(quarter, of.sensitivity))(t)
			want, mean, square := 3*law.Variance(), 0.0, 0.0
			n := float64(len(of.noise))
			for _, v := range of.noise {
				mean += v / n
				square += v * v / n
			}
			// the fourth moment of a sum of three Laplace numbers is 3 + 3/3 times the square of its variance
			if math.Abs(mean) > 4.5*math.Sqrt(want/n) || math.Abs(square/want-1) > 4.5*math.Sqrt(3/n) {
				t.Errorf("%s, %s: mean %v and variance %v, expected 0 and %v", q.Name, name, mean, square, want)
			}
		}
	}
}

// A run charges the epsilon of its plan, says how large the noise is, and is refused by protocols that add none. With
// noise no comparison tells of the records before; where their number comes out too small, nothing is shown.
func TestNoiseIsCharged(t *testing.T) {
	c := noisyCase("0.3", 3, 20)
	jointtest.Fill(&c.Plan, "sharedsum")
	comp := must.Get(Protocols[1].Computation(&c.Plan))(t)
	entries, err := comp.(joint.Noisy).Charges(&c.Plan)
	if err != nil || len(entries) != 1 || entries[0].Amount.String() != "3/10" ||
		entries[0].Parameters["scale of total 2"] != "2000000/3" {
		t.Errorf("%v: charges %+v", err, entries[0])
	}
	r := jointtest.Results(t, &Protocols[1], c, 3)[0]
	if got := r.Figures[1].Value.(float64); math.Abs(got-math.Sqrt(6)/0.15) > 0.1 {
		t.Errorf("the noise of records has the standard deviation %v", got)
	}
	for _, view := range jointtest.Views(t, &Protocols[1], c, 3) {
		for _, m := range view {
			if m.Kind == "sums.bgw" {
				t.Fatal("totals with noise are compared before")
			}
		}
	}
	few := noisyCase("20", 3, 1)
	if r := jointtest.Results(t, &Protocols[1], few, 3)[0]; fmt.Sprint(r.Figures[0].Value) !=
		fmt.Sprint(joint.Withheld{Why: joint.BelowCell}) {
		t.Errorf("of three records it shows %v", r.Figures[0].Value)
	}
	silent := Protocols[1]
	silent.New = func() joint.Computation { return silentSum{} }
	var f *joint.PlanFault
	if _, err := silent.Computation(&c.Plan); !errors.As(err, &f) || f.Path != "/noise" {
		t.Errorf("a protocol without noise takes the plan: %v", err)
	}
}

// silentSum adds no noise.
type silentSum struct{ joint.Computation }

// Params is none.
func (silentSum) Params() param.Set { return nil }
