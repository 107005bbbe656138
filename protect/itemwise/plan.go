package itemwise

import (
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/internal/randomised"
	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan releases every item by itself: the fitted MASK and EMASK. Column j draws from src.Fork(name of j).
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // positions in the schema, ascending
	P       float64           `json:"p"`       // probability that an item that is there stays
	Q       float64           `json:"q"`       // probability that one that is not there stays away
	Records int               `json:"records"` // fitted on
	Support []float64         `json:"support"` // of every column, the mean share of the records that have an item

	does string // what the plan does
}

// Describe says what the plan does.
func (p *Plan) Describe() string { return p.does }

// Schema returns the attributes the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if !(p.P >= 0 && p.P <= 1 && p.Q >= 0 && p.Q <= 1) {
		return fmt.Errorf("p is %v and q is %v; expected 0 to 1", p.P, p.Q)
	}
	if p.Records < 0 || len(p.Support) != len(p.Columns) {
		return errors.New("the supports are not those of the columns, or the number of records is below 0")
	}
	for _, s := range p.Support {
		if !(s >= 0 && s <= 1) {
			return errors.New("a support is not a share")
		}
	}
	return protect.CheckColumns(p.Attrs, p.Columns, table.SetValued)
}

// Apply keeps, drops and adds items.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	all := NewOperator(1-p.Q, func(w *rng.Turns, dst, items []int32) []int32 {
		for _, v := range items {
			if rng.Unit(w.Next()) < p.P {
				dst = append(dst, v)
			}
		}
		return dst
	})
	for _, j := range p.Columns {
		cols[j].Sets = Release(chunk, j, src.Fork(p.Attrs[j].Name).Stream(), func(int) *Operator { return all })
	}
	return chunk.WithColumns(cols)
}

// Notes says what a released item tells, how far the odds of two baskets may move, and which itemsets can still be
// found.
func (p *Plan) Notes() []string {
	b := randomised.Bits{One: p.P, Zero: p.Q}
	out := []string{told(b)}
	for k, j := range p.Columns {
		name, s := p.Attrs[j].Name, p.Support[k]
		if !(s > 0 && s < 1) || !(b.Density(s) > 0 && b.Density(s) < 1) {
			continue
		}
		out = append(out, fmt.Sprintf("%q, whose items are in %s of the records in the mean: a released item was there with probability %.3g, and with %.3g one that is not; "+
			"privacy is %.1f for items that are there, %.1f for those and, with weight 0.1, the others (100 is none told)",
			name, numeral.Percent(s), b.Believed(s), s*(1-p.P)/(1-b.Density(s)), b.Privacy(s, 1), b.Privacy(s, 0.9)))
		out = append(out, fmt.Sprintf("%q: a record has %.3g items in the release, %.3g before, in the mean", name, b.Density(s)*float64(len(p.Attrs[j].Labels)),
			s*float64(len(p.Attrs[j].Labels))), fmt.Sprintf("%q: %s", name, found(b, float64(p.Records), s)))
	}
	return out
}

// Epsilon is that of one item.
func (p *Plan) Epsilon() float64 { return math.Log(randomised.Bits{One: p.P, Zero: p.Q}.Gamma()) }

// told says how far the odds of two originals may move.
func told(b randomised.Bits) string {
	gamma := b.Gamma()
	switch {
	case math.IsInf(gamma, 1):
		return "some released items, or their absence, are certain: amplification gamma is without bound"
	case gamma == 1:
		return "nothing is released of the items, for p + q = 1"
	}
	return fmt.Sprintf("local differential privacy of one item: epsilon is %.3g (amplification gamma %.3g); of records that differ in d items d times as much. "+
		"An item that 5 in 100 records have is in one with probability %.3g at most after its release", math.Log(gamma), gamma, up(gamma))
}

// up is what a probability of 0.05 becomes at most.
func up(gamma float64) float64 {
	_, most := randomised.Posterior(0.05, gamma)
	return most
}

// found says which itemsets can still be found.
func found(b randomised.Bits, n, background float64) string {
	return lowestText(func(k int) (lowest, condition float64) { return b.Lowest(k, n, background), b.Condition(k) })
}

// lowestText says which supports can be found for itemsets of 1 to 3 items.
func lowestText(of func(k int) (lowest, condition float64)) string {
	text := "the lowest support that can be told from 0 (4 standard errors) is"
	for k := 1; k <= 3; k++ {
		s, condition := of(k)
		at := "none"
		if s <= 1 {
			at = numeral.Percent(s)
		}
		text += fmt.Sprintf(" %s for %s", at, numeral.Counted(k, "item"))
		if condition > 0 {
			text += fmt.Sprintf(" (condition number %.3g)", condition)
		}
		text += ","
	}
	return text[:len(text)-1]
}

// Corrections says how a user of the release estimates supports of the original.
func (p *Plan) Corrections() []string {
	d := p.P + p.Q - 1
	if math.Abs(d) < 1e-9 {
		return []string{"supports cannot be estimated, for p + q = 1"}
	}
	return []string{fmt.Sprintf("support of an itemset of k items: the mean over the records of %.6g^t (%.6g)^(k-t), where t is how many of the k items the released record "+
		"has; its standard error is the standard deviation of that over the root of the number of records", p.Q/d, (p.Q-1)/d),
		"put 0 for estimates below 0 and 1 for those above 1"}
}

// Published returns the two probabilities of every column.
func (p *Plan) Published() ([]published.Part, error) {
	var out []published.Part
	for _, j := range p.Columns {
		out = append(out, published.Part{Columns: []string{p.Attrs[j].Name}, Items: &published.Items{One: p.P, Zero: p.Q}})
	}
	return out, nil
}

// Memoised says that draws are keyed by the values of the columns.
func (*Plan) Memoised() bool { return true }
