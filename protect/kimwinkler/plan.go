package kimwinkler

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/additive"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique. What it says of itself as additive noise (noisemodel.Additive) takes every row of
// numbers for those of its record and noise: right for records that did not swap, and of the rows as a set, but of a
// record that swapped the row is a stranger's.
type Plan struct {
	protect.OneGroup // each record is compared with every other
	additive.Plan
	Keys     []int     `json:"keys"`     // positions in the schema, ascending
	Cuts     []float64 `json:"cuts"`     // between the classes of the records' sizes, ascending
	Target   float64   `json:"target"`   // per cent
	Totals   bool      `json:"totals"`   // keep them
	Smallest int       `json:"smallest"` // fewest values that have a total of their own
	Alone    int       `json:"alone"`    // records that have no partner to swap with
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence { return message.Say("does.kimwinkler") }

// Check refuses a decoded plan that is not consistent.
func (p *Plan) Check() error {
	switch {
	case p.Shrink != 1:
		return fmt.Errorf("the constant is %v; expected 1", p.Shrink)
	case len(p.Columns) > 0 && len(p.Root) != len(p.Columns)*len(p.Columns):
		return fmt.Errorf("there are %d entries of a root for %d columns", len(p.Root), len(p.Columns))
	case !(p.Target >= 0 && p.Target <= 100):
		return fmt.Errorf("the target is %v %%; expected 0 to 100", p.Target)
	case p.Smallest < 3:
		return fmt.Errorf("the smallest number of values with a total is %d; expected 3 or more", p.Smallest)
	}
	for i, c := range p.Cuts {
		if math.IsNaN(c) || i > 0 && c <= p.Cuts[i-1] {
			return errors.New("the limits of the records' sizes are not in ascending order")
		}
	}
	if err := p.Plan.Check(); err != nil {
		return err
	}
	return protect.CheckColumns(p.Attrs, p.Keys, table.Categorical)
}

// Notes adds to those of the noise what swapping cannot do.
func (p *Plan) Notes() []message.Sentence {
	out := p.Plan.Notes()
	if len(p.Columns) == 0 {
		return out
	}
	if len(p.Keys) == 0 {
		out = append(out, message.Say("plan.kimwinkler.noKeys"))
	}
	if len(p.behind()) < 2 {
		out = append(out, message.Say("plan.kimwinkler.noSwaps"))
	} else {
		out = append(out, message.Say("plan.kimwinkler.part").Part("columns", p.parted()))
	}
	if p.Alone > 0 {
		out = append(out, message.Say("plan.kimwinkler.alone").Count("n", p.Alone))
	}
	return out
}

// behind returns the columns that tell people apart, vary, and are neither perturbed nor keys: from these swaps part
// the numbers.
func (p *Plan) behind() []int {
	var out []int
	for j, a := range p.Attrs {
		if a.Role&table.Weight == 0 && !slices.Contains(slices.Concat(p.Columns, p.Constant, p.Keys), j) {
			out = append(out, j)
		}
	}
	return out
}

// parted returns the names of these columns, quoted; of many the first twenty.
func (p *Plan) parted() message.Sentence {
	const most = 20
	var out []message.Sentence
	for _, name := range protect.Names(p.Attrs, p.behind()) {
		out = append(out, message.Quoted(name))
	}
	return message.First(out, most)
}

// Corrections says how a user of the release works out moments of the original: Cov_sub(X) = Cov_sub(Y) - d C (Kim &
// Winkler 1995), where d/(1+d) times the covariance of the whole release stands for d C. A subpopulation is a
// combination of keys.
func (p *Plan) Corrections() []message.Sentence {
	if len(p.Columns) == 0 {
		return nil
	}
	group := message.Say("correct.swaps.whole")
	if len(p.Keys) > 0 {
		group = message.Say("correct.swaps.keys").Listed("columns", protect.Names(p.Attrs, p.Keys))
	}
	if p.Totals {
		group = message.Say("correct.swaps.totals").Part("group", group).Count("n", p.Smallest)
	}
	d := p.Noise
	return append([]message.Sentence{
		message.Say("correct.swaps.means").Part("group", group),
		message.Say("correct.noise.divide").Term("f", 1+d, 6),
		message.Say("correct.noise.group").Term("g", d/(1+d), 6),
		message.Say("correct.swaps.relations"),
	}, p.Exactness()...)
}

// Apply adds the noise, corrects the totals and swaps. Column j draws its noise from src.Fork(name of j).
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) { return p.apply(t, src) })
}

func (p *Plan) apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	noisy, err := p.Plan.Apply(chunk, src)
	if err != nil || len(p.Columns) == 0 || chunk.Rows() == 0 {
		return noisy, err
	}
	g := p.group(chunk)
	x, y := p.values(chunk), p.values(noisy)
	if p.Totals {
		if y, err = p.balance(chunk, y, g, src.Fork("controlled distortion")); err != nil {
			return nil, err
		}
	}
	from := p.swap(chunk, x, y, g, src.Fork("swapping"))
	cols := noisy.Columns()
	for k, j := range p.Columns {
		cols[j].Num = make([]float64, len(from))
		for i, f := range from {
			cols[j].Num[i] = y[k][f]
		}
	}
	return noisy.WithColumns(cols)
}

// values returns the perturbed columns of a table.
func (p *Plan) values(t *table.Table) [][]float64 {
	out := make([][]float64, len(p.Columns))
	for k, j := range p.Columns {
		out[k] = t.Num(j)
	}
	return out
}

// deviations returns the standard deviations of the original columns.
func (p *Plan) deviations() []float64 {
	n := len(p.Columns)
	out := make([]float64, n)
	for k := range out {
		s := 0.0
		for _, b := range p.Root[k*n : k*n+n] {
			s += float64(b * b)
		}
		out[k] = math.Sqrt(s / p.Noise)
	}
	return out
}
