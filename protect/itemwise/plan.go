package itemwise

import (
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
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

	does string // the key of what the plan does
}

// What plans of the two techniques do.
const (
	flipped     = "does.mask"
	keptOrAdded = "does.emask"
)

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence { return message.Say(p.does) }

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
func (p *Plan) Notes() []message.Sentence {
	b := randomised.Bits{One: p.P, Zero: p.Q}
	out := []message.Sentence{told(b)}
	for k, j := range p.Columns {
		name, s := p.Attrs[j].Name, p.Support[k]
		if !(s > 0 && s < 1) || !(b.Density(s) > 0 && b.Density(s) < 1) {
			continue
		}
		labels := float64(len(p.Attrs[j].Labels))
		out = append(out,
			message.Say("plan.items.item").Name("column", name).Share("before", s).
				Digits("there", b.Believed(s), 3).Digits("not", s*(1-p.P)/(1-b.Density(s)), 3).
				Fixed("privacy", b.Privacy(s, 1), 1).Fixed("both", b.Privacy(s, 0.9), 1),
			items(name, float64(b.Density(s)*labels), float64(s*labels)), found(name, b, float64(p.Records), s))
	}
	return out
}

// Epsilon is that of one item.
func (p *Plan) Epsilon() float64 { return portable.Log(randomised.Bits{One: p.P, Zero: p.Q}.Gamma()) }

// told says how far the odds of two originals may move.
func told(b randomised.Bits) message.Sentence {
	gamma := b.Gamma()
	switch {
	case math.IsInf(gamma, 1):
		return message.Say("plan.items.unbounded")
	case gamma == 1:
		return message.Say("plan.items.nothing")
	}
	return message.Say("plan.items.epsilon").Digits("epsilon", portable.Log(gamma), 3).Digits("gamma", gamma, 3).
		Digits("up", up(gamma), 3)
}

// up is what a probability of 0.05 becomes at most.
func up(gamma float64) float64 {
	_, most := randomised.Posterior(0.05, gamma)
	return most
}

// found says which itemsets can still be found.
func found(column string, b randomised.Bits, n, background float64) message.Sentence {
	return lowest(column, func(k int) (lowest, condition float64) { return b.Lowest(k, n, background), b.Condition(k) })
}

// lowest says which supports of a column can be found for itemsets of 1 to 3 items.
func lowest(column string, of func(k int) (lowest, condition float64)) message.Sentence {
	var supports []message.Sentence
	for k := 1; k <= 3; k++ {
		s, condition := of(k)
		at := message.Say("plan.none")
		if s <= 1 {
			at = message.Share(s)
		}
		one := message.Say("plan.items.support").Part("support", at).Count("items", k)
		if condition > 0 {
			one = message.Say("plan.items.condition").Part("support", one).Digits("condition", condition, 3)
		}
		supports = append(supports, one)
	}
	return message.Say("plan.items.lowest").Name("column", column).Part("supports", message.Listed(supports))
}

// items says how many items a record has in the mean.
func items(column string, after, before float64) message.Sentence {
	return message.Say("plan.items.mean").Name("column", column).Digits("after", after, 3).Digits("before", before, 3)
}

// Corrections says how a user of the release estimates supports of the original.
func (p *Plan) Corrections() []message.Sentence {
	d := p.P + p.Q - 1
	if math.Abs(d) < 1e-9 {
		return []message.Sentence{message.Say("correct.items.none")}
	}
	return []message.Sentence{message.Say("correct.items.support").Term("there", p.Q/d, 6).Term("not", (p.Q-1)/d, 6),
		message.Say("correct.clip")}
}

// Published returns the two probabilities of every column.
func (p *Plan) Published() ([]modelfile.Part, error) {
	var out []modelfile.Part
	for _, j := range p.Columns {
		out = append(out, modelfile.Part{Columns: []string{p.Attrs[j].Name}, Items: &modelfile.Items{One: p.P, Zero: p.Q}})
	}
	return out, nil
}

// Memoised says that draws are keyed by the values of the columns.
func (*Plan) Memoised() bool { return true }
