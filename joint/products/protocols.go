package products

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Protocols are the catalogue entries.
var Protocols = []joint.Protocol{
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "scalarproduct",
				Title:   "Secure scalar product",
				Aliases: []string{"secure scalar product by oblivious transfer", "private dot product"},
				Summary: "Multiplies a column of one party with a column of the other, and adds up.",
				Paper:   "Goethals et al. 2004; Gilboa 1999; Islam 2008, section 3.3",
				Needs:   "the same people at both parties, with a numeric column each",
				Exposes: "the product",
				Missing: "refused",
				Cost:    "24 bytes for each record and binary place of the second party's column, about 2 µs each; three rounds",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks:    "nothing but the number of records; below the minimum cell, the product to the program, not to the result",
		},
		Roles: owners,
		New:   func() joint.Computation { return &product{by: transferred} },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "commodityproduct",
				Title:   "Scalar product with a commodity server",
				Aliases: []string{"du zhan scalar product", "beaver scalar product"},
				Summary: "The same, with a third party that hands out random numbers.",
				Paper:   "Du & Atallah 2001; Du & Zhan 2002; Beaver 1997",
				Needs:   "the same people at both parties, with a numeric column each; a server without a table",
				Exposes: "the product",
				Missing: "refused",
				Cost:    "32 bytes for each record; three rounds",
			},
			Threat:   joint.SemiHonest,
			Survives: "none: the server and one party together learn the other's column",
			Leaks:    "to the server: the number of records",
		},
		Roles: append(owners[:1:1],
			joint.Role{Name: "server", Help: "hands out random numbers, and is no friend of either", Least: 1, Most: 1}),
		New: func() joint.Computation { return &product{by: served} },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "algebraicproduct",
				Title:   "Scalar product in Vaidya & Clifton's algebraic form",
				Aliases: []string{"vaidya clifton scalar product"},
				Summary: "A demonstration: it gives each party half of what it needs to solve the other's column.",
				Paper:   "Vaidya & Clifton 2002; Islam 2008, section 3.3",
				Needs:   "the same people at both parties, at most 64, with a numeric column each",
				Exposes: "the product, and both columns where their values are few",
				Missing: "refused",
				Cost:    "12 bytes for each record, their number squared in products; three rounds",
			},
			Threat:   joint.Broken,
			Survives: "none",
			Leaks:    "for n records n/2 linear equations of each column: columns of 0 and 1 can be solved",
		},
		Roles: owners,
		New:   func() joint.Computation { return &product{by: algebraic} },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "comparison",
				Title:   "Secure comparison",
				Aliases: []string{"millionaires", "yao's millionaires"},
				Summary: "Says whether the first party's total of a column is at least the second's.",
				Paper:   "Yao 1982; Goldreich, Micali & Wigderson 1987; Islam 2008, section 3.3",
				Needs:   "records of both parties, with the numeric column of the plan",
				Exposes: "which total is larger",
				Missing: "not added",
				Cost:    "3 kB and 16 rounds, beside 256 group operations",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks:    "nothing",
		},
		Roles: owners,
		New:   func() joint.Computation { return &comparison{} },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "packedproduct",
				Title:   "Scalar product by packed homomorphic encryption",
				Aliases: []string{"BGV scalar product", "homomorphic scalar product"},
				Summary: "The same, of wide numbers: 8,192 are encrypted together and multiplied unseen.",
				Paper:   "Goethals et al. 2004, with Brakerski, Gentry & Vaikuntanathan 2012; Islam 2008, section 3.3",
				Needs:   "the same people at both parties, with a numeric column each, whose product is below 2^39",
				Exposes: "the product",
				Missing: "refused",
				Cost:    "590 kB and 20 ms for each 8,192 records, whatever the size of the numbers; 200 kB besides; five rounds",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks: "nothing but the number of records; below the minimum cell, the product to the program, not to the result; " +
				"errors are flooded, so that the second party's numbers are within a chance of 2^-48 for each 8,192 hidden",
		},
		Roles: owners,
		New:   func() joint.Computation { return &product{by: packed} },
	},
}

var owners = []joint.Role{{Name: "owner", Help: "brings a column", Least: 2, Most: 2, Table: true}}

// product multiplies.
type product struct{ by kind }

// mostAlgebraic is how many records the demonstration takes: its matrix has half of their square.
const mostAlgebraic = 64

type kind int

const (
	transferred kind = iota
	served
	algebraic
	packed
)

func (q *product) Params() param.Set { return nil }

// CheckPlan asks for one column of numbers of each of the two owners.
func (q *product) CheckPlan(p *joint.Plan) error {
	for _, m := range p.Parties {
		of := p.Of(m.Name)
		switch {
		case m.Role == "server" && len(of) == 0:
		case len(of) != 1 || of[0].Values != nil:
			return joint.ColumnsFault("party %q must own one column of numbers", m.Name)
		case math.Max(math.Abs(of[0].Min), math.Abs(of[0].Max))*math.Pow10(of[0].Decimals) > 1<<31:
			return joint.ColumnsFault("%q is too wide: at most 2^31 units of its decimals", of[0].Name)
		}
	}
	return nil
}

// Run multiplies.
func (q *product) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	mates := p.WithRole("owner", "owner")
	if t == nil { // the server learns how many records there are
		n, err := p.ReceiveWords(mates[0], "products.length", 1)
		if err != nil {
			return nil, err
		}
		if n[0] >= uint64(p.Plan().Limits.Frame)/8 { // what the server hands out is one message
			return nil, p.Blame(mates[0], errors.New("more records than a message of the plan holds; raise limits: frame"))
		}
		_, err = Served(p.Group([]int{mates[0], mates[1], p.Me()}), nil, int(n[0]))
		return &joint.Result{}, err
	}
	two := p.Group(mates)
	t, err := two.Aligned(t)
	if err != nil {
		return nil, err
	}
	if q.by == algebraic && t.Rows() > mostAlgebraic {
		return nil, p.Mine(fmt.Errorf("%d records; this demonstration takes %d at most", t.Rows(), mostAlgebraic))
	}
	mine, err := numbersOf(two, t)
	if err != nil {
		return nil, err
	}
	total, err := q.multiply(p, two, mates, mine)
	if err != nil {
		return nil, err
	}
	units := 0
	for k := range mates {
		units += p.Plan().Of(two.Name(k))[0].Decimals
	}
	f := joint.Figure{Name: "product", Value: int64(total)}
	switch {
	case binaries(p.Plan(), two) && !p.Plan().Least.Shows(int64(total)) || !p.Plan().Least.Shows(int64(t.Rows())):
		f.Value = joint.Withheld{Why: joint.BelowCell}
	case units > 0:
		f.Value = float64(int64(total)) / math.Pow10(units)
	}
	return &joint.Result{Figures: []joint.Figure{f}}, nil
}

func numbersOf(p *joint.Party, t *table.Table) ([]uint64, error) {
	c := p.Owned()[0]
	v, missing, err := p.Numbers(t, c)
	if err != nil {
		return nil, err
	}
	if missing != nil {
		return nil, p.Mine(fmt.Errorf("column %q has missing values: what is the product of none? Fill them or leave these "+
			"records out, at both parties", c.Name))
	}
	out := make([]uint64, len(v))
	for i, x := range v {
		out[i] = uint64(x)
	}
	return out, nil
}

// binaries reports whether both columns are of 0 and 1, so that the product counts records.
func binaries(plan *joint.Plan, two *joint.Party) bool {
	for k := range 2 {
		if c := plan.Of(two.Name(k))[0]; c.Min != 0 || c.Max > 1 || c.Decimals > 0 {
			return false
		}
	}
	return true
}

// fitsPacked reports whether the product of so many records is below half of plainPrime.
func fitsPacked(plan *joint.Plan, two *joint.Party, n int) bool {
	most := uint64(n)
	for k := range 2 {
		c := plan.Of(two.Name(k))[0]
		widest := math.Ceil(float64(math.Max(math.Abs(c.Min), math.Abs(c.Max)) * math.Pow10(c.Decimals)))
		hi, lo := bits.Mul64(most, uint64(widest))
		if hi > 0 || lo >= plainPrime/2 {
			return false
		}
		most = lo
	}
	return true
}

// multiply returns the product to both owners.
func (q *product) multiply(p, two *joint.Party, mates []int, mine []uint64) (uint64, error) {
	var share uint64
	switch q.by {
	case packed:
		if !fitsPacked(p.Plan(), two, len(mine)) {
			return 0, p.Mine(errors.New("the product may be above 2^39: give a column fewer decimals or a narrower range in " +
				"the plan, or take scalarproduct"))
		}
		share, err := Packed(two, mine)
		if err != nil {
			return 0, err
		}
		return openPacked(two, share)
	case algebraic:
		for i, v := range mine {
			if int64(v) < 0 {
				mine[i] = prime - uint64(-int64(v))
			}
		}
		v, err := Algebraic(two, mine)
		if v > prime/2 {
			v -= prime
		}
		return v, err
	case served:
		server := p.WithRole("server", "owner")[0]
		if two.Me() == 0 {
			if err := p.Send(server, "products.length", joint.AppendWords(nil, []uint64{uint64(len(mine))})); err != nil {
				return 0, err
			}
		}
		var err error
		if share, err = Served(p.Group([]int{mates[0], mates[1], server}), mine, len(mine)); err != nil {
			return 0, err
		}
		c := pair.Bare(two)
		all, err := c.Open([]uint64{share})
		if err != nil {
			return 0, err
		}
		return all[0], nil
	case transferred:
	}
	c, err := pair.New(two)
	if err != nil {
		return 0, err
	}
	if share, err = c.DotIn(mine, p.Plan().Of(two.Name(1))[0]); err != nil {
		return 0, err
	}
	all, err := c.Open([]uint64{share})
	if err != nil {
		return 0, err
	}
	return all[0], nil
}

// comparison compares totals.
type comparison struct{}

func (q *comparison) Params() param.Set { return nil }

// CheckPlan asks for one column of numbers that both have.
func (q *comparison) CheckPlan(p *joint.Plan) error {
	if len(p.Columns) != 1 || p.Columns[0].Owner != "" || p.Columns[0].Values != nil {
		return joint.ColumnsFault("name the one column of numbers that both parties have")
	}
	return nil
}

// Run compares.
func (q *comparison) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	v, missing, err := p.Numbers(t, &p.Plan().Columns[0])
	if err != nil {
		return nil, err
	}
	total := int64(0)
	for i, x := range v {
		if missing != nil && missing[i] {
			continue
		}
		if total += x; bits.Len64(uint64(max(total, -total))) > 61 {
			return nil, p.Mine(errors.New("the total is too large: give the column fewer decimals in the plan"))
		}
	}
	c, err := pair.New(p)
	if err != nil {
		return nil, err
	}
	if p.Me() == 1 {
		total = -total
	}
	less, err := c.Negative([]uint64{uint64(total)})
	if err != nil {
		return nil, err
	}
	if less, err = c.OpenBits(less[:1]); err != nil {
		return nil, err
	}
	larger := p.Name(int(less[0] & 1))
	return &joint.Result{Figures: []joint.Figure{{Name: "at least as large", Value: larger}}}, nil
}
