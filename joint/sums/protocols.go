package sums

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

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
				Cost: "for each ring one vector from each party to the next, then to all; as many rounds as parties, and " +
					"one; before it, the comparisons of the guard",
			},
			Threat: joint.SemiHonest,
			Survives: "none in one ring: the two neighbours of a party together learn its part of every total; in several, " +
				"all its neighbours together",
			Leaks: secretly,
		},
		Roles: custodians,
		Two:   []string{"comparison"},
		New:   func() joint.Computation { return param.Default(&ringSum{}) },
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
				Cost:    "two vectors from each party to each other; two rounds; before it, the comparisons of the guard",
			},
			Threat:   joint.SemiHonest,
			Survives: "all parties but two: together they learn the total of the other two, not their parts",
			Leaks:    secretly,
		},
		Roles: custodians,
		Two:   []string{"comparison"},
		New:   func() joint.Computation { return param.Default(&sum{adding: Shares}) },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "maskedsum",
				Title:   "Secure aggregation with pairwise masks",
				Aliases: []string{"secure aggregation", "SecAgg", "pairwise masks", "Bonawitz"},
				Summary: "Adds columns over the parties, and goes on without some that go.",
				Paper:   "Bonawitz et al. 2017",
				Needs:   "records of each party, with the numeric columns of the plan",
				Exposes: "the totals of the parties that stayed",
				Missing: "not added",
				Cost: "one vector from each party to the first and back; keys and shares between all; ten rounds for each " +
					"of three additions",
			},
			Threat: joint.SemiHonest,
			Survives: "fewer than half of the parties and one, the first among them or not: together they learn the total " +
				"of the others, not their parts",
			Leaks: "to the programs of the parties, which do not show it: of how many records and parties a total is " +
				"made, and how many parties see too few of others in it; who went",
		},
		Roles: maskedCustodians,
		Two:   []string{"comparison"},
		New:   func() joint.Computation { return param.Default(&sum{masked: true}) },
	},
}

// secretly is what Guarded tells.
const secretly = "whether a total is made of enough records, also without those of any one party, and of enough " +
	"parties: of one that is withheld, a party that has as many records as the minimum cell learns that the others have " +
	"too few, and every party that one of them may have nearly all; nothing else, unless half of the parties or more " +
	"pool what they saw"

// maskedCustodians are those of the protocol that goes on without some. Shares are numbered by a byte.
var maskedCustodians = []joint.Role{{Name: "custodian", Help: "brings records", Least: 3, Most: 255, Table: true}}

var custodians = []joint.Role{{Name: "custodian", Help: "brings records", Least: 3, Table: true}}

// ringSum adds in one ring, or in several.
type ringSum struct {
	sum
	rings int
}

// Params declares the number of rings.
func (q *ringSum) Params() param.Set {
	return param.Set{param.Int(&q.rings, "rings", 1, 1, 500, "rings", "into so many random shares each number is cut, of "+
		"which each goes round another ring")}
}

// CheckPlan asks for no more rings than there are.
func (q *ringSum) CheckPlan(p *joint.Plan) error {
	if most := Apart(len(p.Parties)); q.rings > most {
		return fmt.Errorf("rings: %d parties have %d rings in which no two are neighbours twice", len(p.Parties), most)
	}
	return q.sum.CheckPlan(p)
}

// Run adds.
func (q *ringSum) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	q.adding = func(p *joint.Party, x []uint64) ([]uint64, error) { return Rings(p, x, q.rings) }
	return q.sum.Run(ctx, p, t)
}

// sum adds the columns of numbers of the plan, and counts records.
type sum struct {
	adding Add
	masked bool // with masks instead
}

// Params declares none: the columns of the plan say what is added.
func (q *sum) Params() param.Set { return nil }

// CheckPlan asks for columns of numbers that all parties have.
func (q *sum) CheckPlan(p *joint.Plan) error {
	for k := range p.Columns {
		if c := &p.Columns[k]; c.Owner != "" || c.Values != nil {
			return joint.ColumnsFault("%q must hold numbers that each party has", c.Name)
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
	var opened []Opened
	var err error
	m := &masks{}
	if p.Plan().Noise != nil {
		if q.masked {
			q.adding = m.add
		}
		opened, err = noised(p, q.adding, values)
	} else if q.masked {
		if opened, err = guardedOpenly(p, m.add, values, counts); err == nil {
			err = m.steady(p)
		}
	} else {
		opened, err = Guarded(p, q.adding, values, counts)
	}
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
	r := &joint.Result{Figures: []joint.Figure{{Name: "records", Value: opened[0].Cell()}},
		Tables: []joint.ResultTable{out}}
	if p.Plan().Noise != nil {
		if err := tellNoise(p, p.Parties()-len(m.gone(p)), r); err != nil {
			return nil, p.Mine(err)
		}
	}
	if gone := m.gone(p); q.masked && len(gone) > 0 {
		r.Figures = append(r.Figures, joint.Figure{Name: "without", Value: strings.Join(gone, ", ")})
	}
	return r, nil
}
