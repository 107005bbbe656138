package itemwise

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// SelectTechnique holds the parameters of select-a-size.
type SelectTechnique struct {
	Gamma     float64  // amplification of the operators that are chosen
	Itemset   int      // items of the itemset whose error is least
	Steps     int      // that rho is tried in
	Operators []string // m=rho/p0/p1/.../pm instead, for records of m items
	named.SetColumns
}

// newSelectASize returns the technique with gamma = 19, of which 5 % become 50 % at most, for pairs of items.
func newSelectASize() *SelectTechnique { return param.Default(&SelectTechnique{}) }

// Params declares the parameters.
func (q *SelectTechnique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.Gamma, "gamma", 19, 1.001, 1e9, "", "amplification: the largest factor by which a release "+
			"changes the odds of two records of the same size"),
		param.Int(&q.Itemset, "itemset", 2, 1, 5, "items", "choose the operators for the least error of rare "+
			"itemsets of this size"),
		param.Int(&q.Steps, "steps", 100, 2, 10_000, "", "try rho in steps of 1 divided by this"),
		param.Names(&q.Operators, "operators", "given operators for records of m items, as m=rho/p0/p1/.../pm, "+
			"where pj is the probability of keeping j items"),
	}, q.SetColumns.Params()...)
}

// Fit chooses the columns, and an operator for every number of items that a record has.
func (q *SelectTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	given := map[int]modelfile.Operator{}
	for _, text := range q.Operators {
		o, err := read(text)
		if err != nil {
			return nil, fmt.Errorf("parameter %q: %w", "operators", err)
		}
		given[o.Items] = o
	}
	p := &Selected{Gamma: q.Gamma}
	err := p.fit(ctx, t, &q.SetColumns, func(ctx context.Context, items []int) ([]modelfile.Operator, error) {
		out := make([]modelfile.Operator, len(items))
		p.From = make([]int, len(items))
		return out, parallel.Each(ctx, len(items), func(k int) (err error) {
			if o, ok := given[items[k]]; ok {
				out[k] = o
				return nil
			}
			out[k], p.From[k], err = q.limited(items[k])
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// limited returns the operator for records of m items of the least error, and from how many items kept on a release is
// gamma times as likely.
func (q *SelectTechnique) limited(m int) (modelfile.Operator, int, error) {
	if m == 0 {
		return modelfile.Operator{Kept: []float64{1}}, 0, nil
	}
	absent := make([]float64, min(m, q.Itemset)+1)
	absent[0] = 1
	best, from, _, err := randomised.Choose(m, q.Gamma, absent, q.Steps)
	return modelfile.Operator{Items: m, Kept: best.Kept, Rho: best.Rho}, from, err
}

// read reads one operator.
func read(text string) (o modelfile.Operator, err error) {
	name, rest, ok := strings.Cut(text, "=")
	o.Items, err = strconv.Atoi(strings.TrimSpace(name))
	if !ok || err != nil {
		return o, fmt.Errorf("%q does not begin with a number of items; expected m=rho/p0/p1/.../pm", text)
	}
	for k, word := range strings.Split(rest, "/") {
		p, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return o, fmt.Errorf("%q is not a probability", word)
		}
		if k == 0 {
			o.Rho = p
		} else {
			o.Kept = append(o.Kept, p)
		}
	}
	return o, o.Check()
}

// Selected is the plan of select-a-size.
type Selected struct {
	Sized
	Gamma float64 `json:"gamma"` // asked for
	// by operator: j*, from how many items kept on a release is gamma times as likely; 0 of one that was not chosen
	From []int `json:"from"`
}

// Check refuses a decoded plan that could not be applied.
func (p *Selected) Check() error {
	if len(p.From) != len(p.Operators) {
		return fmt.Errorf("there are %d numbers for %d operators", len(p.From), len(p.Operators))
	}
	return p.Sized.Check()
}

// Describe says what the plan does.
func (p *Selected) Describe() message.Sentence { return message.Say("does.selectasize") }

// shown is how many operators the notes tell.
const shown = 12

// Notes says which operators were chosen, besides what all such plans say.
func (p *Selected) Notes() []message.Sentence {
	var chosen []message.Sentence
	for k, from := range p.From {
		if o := &p.Operators[k]; from > 0 {
			chosen = append(
				chosen,
				message.Say("plan.sized.operator").Count("items", o.Items).Count("from", from).Digits("rho", o.Rho, 3).
					Digits("kept", float64(o.Sizes().KeptShare()*float64(o.Items)), 3),
			)
		}
	}
	out := p.Sized.Notes()
	if more := len(chosen) - shown; more > 0 {
		chosen = append(chosen[:shown], message.Say("plan.sized.further").Count("n", more))
	}
	if len(chosen) > 0 {
		out = append(out, message.Say("plan.sized.chosen").Digits("gamma", p.Gamma, 4).Parts("operators", chosen))
	}
	return out
}
