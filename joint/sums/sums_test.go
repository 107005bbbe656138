package sums

import (
	"math"
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
			totals("few", 3, 1, 4), kept(totals("one contributor", 3, 20, 6), joint.BelowCell, 20),
			kept(totals("two contributors", 3, 20, 8), joint.FewContributors, 20, 20),
			kept(totals("few others", 3, 20, 9), joint.BelowCell, 2, 20, 2),
			alike(totals("identical", 3, 7, 7)),
		}
	}
	five := totals("five in two rings", 5, 9, 5)
	five.Plan.Parameters = map[string]string{"rings": "2"}
	cases["ringsum"] = append(cases["ringsum"], five)
	for _, q := range Protocols[:2] { // which never go on without a party
		for k := range cases[q.Name] {
			cases[q.Name][k].Without = nil
		}
	}
	jointtest.Family(t, Protocols, cases)
}

// kept leaves the parties so many records: totals of one contributor, or of two where the plan asks for three, are
// withheld, and so are those of which all but a few records are of one party.
func kept(c jointtest.Case, why string, rows ...int) jointtest.Case {
	r := plain(0, 0, "")
	r.Figures[0].Value, r.Tables[0].Rows[0][1] = joint.Withheld{Why: why}, joint.Withheld{Why: why}
	c.Plain, c.Want, c.Without = true, []*joint.Result{r}, nil
	c.Plan.Least.Contributors = 3
	for k := range c.Tables {
		n := 0
		if k < len(rows) {
			n = rows[k]
		}
		c.Tables[k] = c.Tables[k].Slice(0, n)
	}
	return c
}

// alike gives all parties the records of the first.
func alike(c jointtest.Case) jointtest.Case {
	total := int64(0)
	for _, v := range c.Tables[0].Num(0) {
		total += int64(math.Round(v * 100))
	}
	n := len(c.Tables)
	for k := range c.Tables {
		c.Tables[k] = c.Tables[0]
	}
	c.Plain, c.Want, c.Without = true, []*joint.Result{plain(n*c.Tables[0].Rows(), int64(n)*total, "")}, nil
	return c
}

// totals is a case of random numbers, with its plain totals: of all parties, and without each of them.
func totals(name string, parties, rows int, seed uint64) jointtest.Case {
	draw := rand.New(rand.NewPCG(seed, 0))
	c := jointtest.Case{Name: name, Plan: joint.Plan{
		Parties: jointtest.Parties([]string{"ada", "bob", "cyd", "dan", "eve"}[:parties]...),
		Columns: []joint.Column{{Name: "cost", Min: -1000, Max: 1000, Decimals: 2}},
	}}
	total, part := int64(0), make([]int64, parties)
	for k := range parties {
		v := make([]float64, rows)
		for i := range v {
			units := draw.Int64N(200_000) - 100_000
			v[i] = float64(units) / 100
			part[k] += units
		}
		total += part[k]
		c.Tables = append(c.Tables, numbers("cost", 0.01, v...))
	}
	c.Want = []*joint.Result{plain(parties*rows, total, "")}
	for k := range parties {
		c.Without = append(c.Without, plain((parties-1)*rows, total-part[k], c.Plan.Parties[k].Name))
	}
	return c
}

// plain is the result for so many records with a total in cents.
func plain(count int, total int64, without string) *joint.Result {
	records, cost := any(int64(count)), any(float64(total)/100)
	if count < 5 {
		records, cost = joint.Withheld{Why: joint.BelowCell}, joint.Withheld{Why: joint.BelowCell}
	}
	r := &joint.Result{Figures: []joint.Figure{{Name: "records", Value: records}},
		Tables: []joint.ResultTable{{Name: "totals", Columns: []string{"column", "total"}, Rows: [][]any{{"cost", cost}}}}}
	if without != "" {
		r.Figures = append(r.Figures, joint.Figure{Name: "without", Value: without})
	}
	return r
}
