package sample

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique. Which records are drawn depends on those it is applied to, and on the source.
type Plan struct {
	protect.OneGroup
	Attrs  []table.Attribute `json:"schema"`
	Share  float64           `json:"share"`            // (0, 1]
	Strata []int             `json:"strata,omitempty"` // positions in the schema

	Rows   int `json:"rows"`            // records of the fit
	Groups int `json:"groups"`          // strata there
	Empty  int `json:"empty,omitempty"` // of them without a record in the sample
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// weight returns the position of the sampling weights that are multiplied, or -1.
func (p *Plan) weight() int {
	return slices.IndexFunc(p.Attrs, func(a table.Attribute) bool {
		return a.Role&table.Weight != 0 && a.Kind == table.Numeric && !a.Declared
	})
}

// Changes returns the name of the weights, if any.
func (p *Plan) Changes() []string {
	if j := p.weight(); j >= 0 {
		return protect.Names(p.Attrs, []int{j})
	}
	return nil
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	if len(p.Strata) > 0 {
		return message.Say("does.sampleStrata").Number("share", p.Share, 0)
	}
	return message.Say("does.sample").Number("share", p.Share, 0)
}

// Notes says how many records are released, and what becomes of weights.
func (p *Plan) Notes() []message.Sentence {
	n := p.size(p.Rows)
	if n == 0 {
		return nil
	}
	factor := float64(p.Rows) / float64(n)
	out := []message.Sentence{message.Say("plan.sample.size").Count("n", n).Count("all", p.Rows)}
	switch {
	case p.weight() >= 0:
		out = append(out, message.Say("plan.sample.weighted"))
	case slices.ContainsFunc(p.Attrs, func(a table.Attribute) bool { return a.Role&table.Weight != 0 }):
		out = append(out, message.Say("plan.sample.weights").Digits("factor", factor, 6))
	default:
		out = append(out, message.Say("plan.sample.counts").Digits("factor", factor, 6))
	}
	if p.Empty > 0 {
		out = append(out, message.Say("plan.sample.strata").Count("n", p.Empty).Count("all", p.Groups))
	}
	return out
}

// Check refuses a decoded plan whose numbers are out of range.
func (p *Plan) Check() error {
	if !(p.Share >= leastShare && p.Share <= 1) {
		return fmt.Errorf("the share is %v; expected %v to 1", p.Share, leastShare)
	}
	for _, j := range p.Strata {
		if j < 0 || j >= len(p.Attrs) {
			return fmt.Errorf("column %d of the strata is not one of the %d of the schema", j, len(p.Attrs))
		}
	}
	return nil
}

// size returns how many of so many records are drawn.
func (p *Plan) size(rows int) int {
	return min(rows, max(1, int(math.Round(p.Share*float64(rows)))))
}

// strata are the strata of a table's records.
type strata struct {
	of    []int32 // by record
	sizes []int   // by stratum
}

// strata numbers the strata, in an order that depends on their values alone.
func (p *Plan) strata(t *table.Table) strata {
	s := strata{of: make([]int32, t.Rows())}
	keys, numbers := make([]uint64, t.Rows()), min(1, t.Rows())
	for _, j := range p.Strata {
		codes := codes(t, j, keys)
		for i, c := range codes {
			keys[i] = uint64(s.of[i])<<32 | uint64(uint32(c+1))
		}
		numbers = len(tree.Number(keys, s.of))
	}
	s.sizes = make([]int, numbers)
	for _, g := range s.of {
		s.sizes[g]++
	}
	return s
}

// codes returns numbers for the values of a column, -1 for a missing category; spare is overwritten.
func codes(t *table.Table, j int, spare []uint64) []int32 {
	switch t.Attr(j).Kind {
	case table.Numeric:
	case table.Categorical:
		return t.Cat(j)
	case table.SetValued: // is not among the strata
	}
	for i, v := range t.Num(j) {
		spare[i] = math.Float64bits(v + 0) // minus zero becomes zero
		if v != v {
			spare[i] = math.Float64bits(math.NaN())
		}
	}
	out := make([]int32, len(spare))
	tree.Number(spare, out)
	return out
}

// shares returns how many records are drawn of each stratum: in proportion to its size, rounded down, and one more
// where the remainder is among the largest.
func (p *Plan) shares(sizes []int) []int {
	rows := 0
	for _, n := range sizes {
		rows += n
	}
	out, order, left := make([]int, len(sizes)), make([]int, len(sizes)), p.size(rows)
	all, drawn := uint64(rows), uint64(left)
	for g, n := range sizes {
		out[g], order[g] = int(uint64(n)*drawn/all), g
		left -= out[g]
	}
	remainder := func(g int) uint64 { return uint64(sizes[g]) * drawn % all }
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(remainder(b), remainder(a)), cmp.Compare(sizes[b], sizes[a]))
	})
	for _, g := range order[:left] {
		out[g]++
	}
	return out
}

// Apply draws the sample. The records of a stratum with the lowest random numbers are in it; they keep their order.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	s := p.strata(chunk)
	shares := p.shares(s.sizes)
	left, rows := slices.Clone(shares), make([]int, 0, p.size(chunk.Rows()))
	ids, first := chunk.IDs()
	for _, i := range rng.Order(src.Fork("sample").Stream(), chunk.Rows(), chunk.Rows(), ids, first) {
		if g := s.of[i]; left[g] > 0 {
			left[g]--
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	out := chunk.Gather(rows)
	if j := p.weight(); j >= 0 {
		return out.WithColumn(j, weighted(out.Column(j), rows, s, shares))
	}
	return out, nil
}

// weighted multiplies weights by what a record of its stratum stands for. The attribute tells the new values' domain,
// and has no grid.
func weighted(c table.Column, rows []int, s strata, shares []int) table.Column {
	least, most := math.Inf(1), 1.0
	v := make([]float64, len(rows))
	for k, i := range rows {
		g := s.of[i]
		factor := float64(s.sizes[g]) / float64(shares[g])
		least, most = min(least, factor), max(most, factor)
		v[k] = float64(c.Num[k] * factor)
	}
	c.Num, c.Step = v, 0
	if len(rows) > 0 {
		ends := []float64{float64(c.Domain.Lo * least), float64(c.Domain.Lo * most), float64(c.Domain.Hi * least),
			float64(c.Domain.Hi * most)}
		lo, hi := table.Range(v)
		c.Domain = table.Interval{Lo: min(lo, slices.Min(ends)), Hi: max(hi, slices.Max(ends))}
	}
	return c
}
