package sums

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Protocols are the catalogue entries.
var Protocols = []joint.Protocol{
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "ringsum",
				Title:   "Secure sum in a ring",
				Aliases: []string{"secure sum", "ring sum"},
				Summary: "Adds columns over the parties: a masked partial total goes round.",
				Paper:   "Clifton et al. 2002; Islam 2008, section 3.3",
				Needs:   "records of each party, with the numeric columns of the plan",
				Exposes: "the totals and, to a party's two neighbours together, its own part",
				Missing: "not added",
				Cost:    "one vector from each party to the next, then to all; as many rounds as parties, and one",
			},
			Threat:   joint.SemiHonest,
			Survives: "none: the two neighbours of a party together learn its part of every total",
			Leaks:    "for each total, of how many records and parties it is made",
		},
		Roles: custodians,
		New:   func() joint.Computation { return param.Default(&sum{adding: Ring}) },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "sharedsum",
				Title:   "Secure sum of additive shares",
				Aliases: []string{"additive sharing", "additive shares"},
				Summary: "Adds columns over the parties: each number is cut into random shares.",
				Paper:   "Clifton et al. 2002, section 3.1; Islam 2008, section 3.3",
				Needs:   "records of each party, with the numeric columns of the plan",
				Exposes: "the totals",
				Missing: "not added",
				Cost:    "two vectors from each party to each other; two rounds",
			},
			Threat:   joint.SemiHonest,
			Survives: "all parties but two: together they learn the total of the other two, not their parts",
			Leaks:    "for each total, of how many records and parties it is made",
		},
		Roles: custodians,
		New:   func() joint.Computation { return param.Default(&sum{adding: Shares}) },
	},
}

var custodians = []joint.Role{{Name: "custodian", Help: "brings records", Least: 3, Table: true}}

// sum adds the columns of numbers of the plan, and counts records.
type sum struct {
	adding Add
}

// Params declares none: the columns of the plan say what is added.
func (q *sum) Params() param.Set { return nil }

// CheckPlan asks for columns of numbers that all parties have.
func (q *sum) CheckPlan(p *joint.Plan) error {
	for k := range p.Columns {
		if c := &p.Columns[k]; c.Owner != "" || c.Values != nil {
			return fmt.Errorf("columns: %q must hold numbers that each party has", c.Name)
		}
	}
	return nil
}

// Run adds.
func (q *sum) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	columns := p.Plan().Columns
	values, counts := []int64{int64(t.Rows())}, []int64{int64(t.Rows())}
	for k := range columns {
		v, missing, err := p.Numbers(t, &columns[k])
		if err != nil {
			return nil, err
		}
		total, count := int64(0), int64(len(v))
		for i, x := range v {
			if missing != nil && missing[i] {
				count--
			}
			if total += x; total > math.MaxInt64/2000 || total < -math.MaxInt64/2000 {
				return nil, p.Mine(errors.New("the total of a column is too large: give it fewer decimals in the plan"))
			}
		}
		values, counts = append(values, total), append(counts, count)
	}
	opened, err := Guarded(p, q.adding, values, counts)
	if err != nil {
		return nil, err
	}
	out := joint.ResultTable{Name: "totals", Columns: []string{"column", "total"}}
	for k := range columns {
		cell := opened[k+1].Cell()
		if d := columns[k].Decimals; d > 0 && opened[k+1].Shown() {
			cell = float64(opened[k+1].Value) / math.Pow10(d)
		}
		out.Rows = append(out.Rows, []any{columns[k].Name, cell})
	}
	return &joint.Result{Figures: []joint.Figure{{Name: "records", Value: opened[0].Cell()}},
		Tables: []joint.ResultTable{out}}, nil
}
