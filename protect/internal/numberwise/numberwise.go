// Package numberwise is noise on single numbers whose law is public by design: what the techniques of randomise and
// reconstruct share (Agrawal & Srikant 2000).
//
// A Plan holds a law for every column, the same as is published with the release (published.Number). Every value draws
// from the block of its own record.
//
// The law tells the range that the originals are taken from. Where a domain is declared, the range is that domain, and
// what would be released outside becomes the nearest end, which the law says too. An observed domain is rounded
// outwards first, to a tenth of it or less, so that no law tells the largest or the smallest value that somebody has;
// values are released beyond it.
package numberwise

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Plan is noise by columns.
type Plan struct {
	Attrs   []table.Attribute  `json:"schema"`
	Columns []int              `json:"columns"` // positions in the schema, ascending
	Laws    []modelfile.Number `json:"laws"`    // by position in Columns
}

// Fit plans noise for all numeric columns but those excepted: law completes the range of a column to its law.
func Fit(t *table.Table, except []string, complete func(j int, n *modelfile.Number) error) (*Plan, error) {
	columns, err := protect.Columns(t, table.Numeric, except)
	if err != nil {
		return nil, err
	}
	p := &Plan{Attrs: t.Attrs()}
	for _, j := range columns {
		a := t.Attr(j)
		n := modelfile.Number{Low: a.Domain.Lo, High: a.Domain.Hi, Step: a.Step, Ends: a.Declared}
		switch {
		case a.Declared:
			d := wrap.On(a.Domain, a.Step) // without open ends
			n.Low, n.High = d.Limits()
		case n.Low < n.High:
			n.Low, n.High = rounded(n.Low, n.High, a.Step)
		}
		if n.Low == n.High {
			continue // nothing to hide
		}
		if err := complete(j, &n); err != nil {
			return nil, fmt.Errorf("column %q: %w", a.Name, err)
		}
		p.Columns, p.Laws = append(p.Columns, j), append(p.Laws, n)
	}
	return p, nil
}

// rounded returns a range outwards to multiples of 1, 2 or 5 times a power of ten that is a tenth of the range or less,
// and of the step.
func rounded(lo, hi, step float64) (low, high float64) {
	tenth := (hi - lo) / 10
	unit := portable.Pow(10, math.Floor(portable.Log10(tenth)))
	for _, f := range []float64{5, 2} {
		if f*unit <= tenth {
			unit = float64(unit * f)
			break
		}
	}
	if step > 0 {
		unit = float64(math.Ceil(unit/step-1e-9) * step)
	}
	low, high = float64(math.Floor(lo/unit)*unit), float64(math.Ceil(hi/unit)*unit)
	if step > 0 {
		low, high = float64(math.Round(low/step)*step), float64(math.Round(high/step)*step)
	}
	if !wrap.Fits(table.Interval{Lo: low, Hi: high}, step) || low > lo || high < hi {
		return lo, hi
	}
	return low, high
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Check refuses a decoded plan whose laws are none, or not those of its columns.
func (p *Plan) Check() error {
	if len(p.Laws) != len(p.Columns) {
		return fmt.Errorf("there are %d noise models for %d columns", len(p.Laws), len(p.Columns))
	}
	if err := protect.CheckColumns(p.Attrs, p.Columns, table.Numeric); err != nil {
		return err
	}
	for k, j := range p.Columns {
		n := &p.Laws[k]
		if err := n.Check(); err != nil {
			return fmt.Errorf("column %q: %w", p.Attrs[j].Name, err)
		}
		if n.Step != p.Attrs[j].Step || n.Ends && !p.Attrs[j].Declared ||
			!wrap.Fits(table.Interval{Lo: n.Low, Hi: n.High}, n.Step) {
			return fmt.Errorf("column %q: the noise model does not match its step and domain", p.Attrs[j].Name)
		}
		if noise, added := n.Noise(); added && !(noise.SD() < 1e150) {
			return errors.New("the noise is too large to calculate with")
		}
	}
	return nil
}

// Published returns the laws.
func (p *Plan) Published() ([]modelfile.Part, error) {
	var out []modelfile.Part
	for k, j := range p.Columns {
		n := p.Laws[k]
		out = append(out, modelfile.Part{Columns: []string{p.Attrs[j].Name}, Number: &n})
	}
	return out, nil
}

// domain returns what the k-th column is released in.
func (p *Plan) domain(k int) wrap.Domain {
	a := &p.Attrs[p.Columns[k]]
	return wrap.On(fence.Widened(*a, fence.OutsideAllow).Domain, a.Step)
}

// Apply draws what is released of every value.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	parallel.Do(len(p.Columns), func(k int) {
		j := p.Columns[k]
		cols[j].Num = p.draw(k, chunk, src.Fork(p.Attrs[j].Name).Stream())
	})
	for _, j := range p.Columns {
		cols[j].Domain = fence.Widened(p.Attrs[j], fence.OutsideAllow).Domain
	}
	return chunk.WithColumns(cols)
}

// draw returns the k-th column as it is released. Adding 0 turns the negative zero that a rounded value may be, and
// that would tell its sign, into 0.
func (p *Plan) draw(k int, t *table.Table, s rng.Stream) []float64 {
	old, d := t.Num(p.Columns[k]), p.domain(k)
	of := value(&p.Laws[k])
	batch := min(4096, len(old))
	blocks, out := make([]rng.Block, batch), make([]float64, len(old))
	ids, first := t.NoiseKeys(p.Columns[k])
	for lo := 0; lo < len(old); lo += batch {
		n := min(batch, len(old)-lo)
		var run []table.RecordID
		if ids != nil {
			run = ids[lo : lo+n]
		}
		rng.Blocks(s, blocks[:n], run, first+table.RecordID(lo))
		for i := lo; i < lo+n; i++ {
			if out[i] = old[i]; old[i] == old[i] {
				out[i] = d.Clip(of(old[i], blocks[i-lo])) + 0
			}
		}
	}
	return out
}

// value returns what a law makes of a value and a random block, before it is brought to the grid.
func value(n *modelfile.Number) func(x float64, b rng.Block) float64 {
	if noise, added := n.Noise(); added {
		return func(x float64, b rng.Block) float64 { return x + noise.Quantile(inside(b.A)) }
	}
	if n.Keep != nil {
		keep := *n.Keep
		lo, hi := n.Range()
		return func(x float64, b rng.Block) float64 {
			if rng.Unit(b.A) < keep {
				return x
			}
			return lo + float64(inside(b.B)*(hi-lo))
		}
	}
	c := n.Class()
	return func(x float64, _ rng.Block) float64 { return c.Middle(c.Class(x)) }
}

// inside returns a number of (0, 1), neither end included.
func inside(w uint64) float64 { return (float64(w>>11) + 0.5) * 0x1p-53 }

// Law returns the law of column j.
func (p *Plan) Law(j int) (noisemodel.Column, bool) {
	k := slices.Index(p.Columns, j)
	if k < 0 {
		return nil, false
	}
	d := p.domain(k)
	lo, hi := d.Limits()
	kernel := released{law: additive.Clamped{Law: p.Laws[k].Law(), Low: lo, High: hi}, domain: d}
	if noise, added := p.Laws[k].Noise(); added {
		kernel.fine = d.Step() < 1e-6*noise.SD()
	}
	return func(_ *segment.Segment, t *table.Table, row int) noisemodel.Kernel {
		if x := t.Num(j)[row]; x != x {
			return noisemodel.Kept{}
		}
		return kernel
	}, true
}

// released is the probability of a step of the grid that a column is released on.
type released struct {
	law    additive.Clamped
	domain wrap.Domain
	fine   bool // the step is so fine against the noise that differences of distributions have no digits left
}

// P returns the probability that y is released of x.
func (k released) P(x, y float64) float64 {
	if !k.domain.Contains(y) || x != x {
		return 0
	}
	step := k.domain.Step()
	if k.fine && y > k.law.Low && y < k.law.High {
		return float64(k.law.At(y, x, x) * step)
	}
	return k.law.Cell(y-step/2, y+step/2, x, x)
}

// Additive reads a release as original plus noise (noisemodel.Additive), for the filters of noise: the columns of which
// every value is one, and nothing was brought to the ends of a domain.
func (p *Plan) Additive(release *table.Table) (names []string, z [][]float64, cov *mat.SymDense, err error) {
	var variances []float64
	for k, j := range p.Columns {
		noise, added := p.Laws[k].Noise()
		if !added {
			continue
		}
		at := release.Find(p.Attrs[j].Name)
		if at < 0 || release.Attr(at).Kind != table.Numeric {
			return nil, nil, nil, fmt.Errorf("the release has no numeric column %q, which the plan perturbs", p.Attrs[j].Name)
		}
		names, z = append(names, p.Attrs[j].Name), append(z, slices.Clone(release.Num(at)))
		variances = append(variances, float64(noise.SD()*noise.SD()))
	}
	if len(names) == 0 {
		return nil, nil, nil, nil
	}
	cov = mat.NewSymDense(len(names), nil)
	for k, v := range variances {
		cov.SetSym(k, k, v)
	}
	return names, z, cov, nil
}

// Notes says what the law tells of the original, which columns are released nearly as they are, and which tell nothing.
func (p *Plan) Notes() []message.Sentence {
	var out, observed []message.Sentence
	for k, j := range p.Columns {
		a, n := &p.Attrs[j], &p.Laws[k]
		if !a.Declared {
			observed = append(observed,
				message.Column(a.Name, message.Say("plan.law.between").Number("low", n.Low, 0).Number("high", n.High, 0)))
		}
		noise, added := n.Noise()
		switch {
		case added && noise.CDF(a.Step/2)-noise.CDF(-a.Step/2) >= 0.5:
			out = append(out, message.Say("plan.law.small").Name("column", a.Name).Number("step", a.Step, 0))
		case n.Classes == 1:
			out = append(out, message.Say("plan.law.oneClass").Name("column", a.Name))
		}
	}
	if observed != nil {
		out = append([]message.Sentence{message.Say("plan.law.range").Part("columns", message.First(observed, 8))}, out...)
	}
	return out
}

// Corrections says how a user gets at the original.
func (p *Plan) Corrections() []message.Sentence {
	var out []message.Sentence
	for k, j := range p.Columns {
		n, name := &p.Laws[k], p.Attrs[j].Name
		noise, added := n.Noise()
		switch {
		case added && !n.Ends:
			out = append(
				out,
				message.Say("correct.law.noise").Name("column", name).Term("v", float64(noise.SD()*noise.SD())+n.Step*n.Step/12, 6),
			)
		case n.Keep != nil && *n.Keep > 0:
			out = append(out, message.Say("correct.law.keep").Name("column", name).Term("rest", (1-*n.Keep)*(n.Low+n.High)/2, 6).
				Digits("keep", *n.Keep, 6))
		}
	}
	if len(p.Columns) > 0 {
		out = append(out, message.Say("correct.law.distributions"))
	}
	return out
}

// Memoised says that draws are keyed by the values of the columns.
func (*Plan) Memoised() bool { return true }
