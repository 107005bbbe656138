package sums

import (
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/table"
)

func numbers(name string, step float64, values ...float64) *table.Table {
	t, err := table.New(table.NumColumn(name, step, values))
	if err != nil {
		panic(err)
	}
	return t
}

func TestConformance(t *testing.T) {
	cases := map[string][]jointtest.Case{}
	for _, q := range Protocols {
		cases[q.Name] = []jointtest.Case{
			totals("three", 3, 20, 1), totals("four", 4, 6, 2), totals("none", 3, 0, 3),
		}
	}
	jointtest.Family(t, Protocols, cases)
}

// totals is a case of random numbers, with its plain totals.
func totals(name string, parties, rows int, seed uint64) jointtest.Case {
	draw := rand.New(rand.NewPCG(seed, 0))
	c := jointtest.Case{Name: name, Plan: joint.Plan{
		Parties: jointtest.Parties([]string{"ada", "bob", "cyd", "dan"}[:parties]...),
		Columns: []joint.Column{{Name: "cost", Min: -1000, Max: 1000, Decimals: 2}},
	}}
	total, count := int64(0), int64(0)
	for range parties {
		v := make([]float64, rows)
		for i := range v {
			units := draw.Int64N(200_000) - 100_000
			v[i] = float64(units) / 100
			total += units
			count++
		}
		c.Tables = append(c.Tables, numbers("cost", 0.01, v...))
	}
	records, cost := any(count), any(float64(total)/100)
	if count < 5 {
		records, cost = joint.Withheld{Why: joint.BelowCell}, joint.Withheld{Why: joint.BelowCell}
	}
	c.Want = []*joint.Result{{Figures: []joint.Figure{{Name: "records", Value: records}},
		Tables: []joint.ResultTable{{Name: "totals", Columns: []string{"column", "total"}, Rows: [][]any{{"cost", cost}}}}}}
	return c
}
