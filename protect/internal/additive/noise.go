package additive

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is Y = c (X + e) + (1 - c) mean with normal noise e of mean 0, drawn for every record apart: noise of the
// statistical databases (Islam 2007, section 3.2.1). The c of Kim (1986) draws values towards the mean as far as the
// noise spreads them.
//
// Column j draws from src.Fork(name of j). Missing values stay missing. Cost of Apply: O(records * columns) for
// independent noise, O(records * columns^2) for correlated noise.
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // positions in the schema, ascending
	Noise   float64           `json:"noise"`   // d, the variance of the noise as a share of the attribute's
	Shrink  float64           `json:"shrink"`  // c, in (0, 1]
	Mean    []float64         `json:"mean"`    // by position in Columns
	// Root makes noise of independent standard normals: one standard deviation a column or, for correlated noise, a square
	// matrix row by row, whose product with its transpose is the covariance matrix of the noise.
	Root    []float64 `json:"root"`
	Outside string    `json:"outside"`

	// positions in the schema of the columns that do not vary and are left alone
	Constant []int `json:"constant,omitempty"`
	Repaired int   `json:"repaired,omitempty"` // eigenvalues raised to make the covariance matrix one
}

// largest bounds the standard deviations of a plan, so that sums of a record's noise and covariances are finite.
const largest = 1e150

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Correlated reports whether the noise of a record's values is correlated.
func (p *Plan) Correlated() bool { return len(p.Root) != len(p.Columns) }

// Check refuses a decoded plan with columns that are not usable, or moments that do not fit them.
func (p *Plan) Check() error {
	k := len(p.Columns)
	switch {
	case !(p.Noise > 0 && p.Noise <= MaxNoise):
		return fmt.Errorf("the noise is %v times the variance; expected up to %v", p.Noise, float64(MaxNoise))
	case !(p.Shrink > 0 && p.Shrink <= 1):
		return fmt.Errorf("the constant is %v; expected above 0 and up to 1", p.Shrink)
	case len(p.Mean) != k || len(p.Root) != k && len(p.Root) != k*k:
		return fmt.Errorf("there are %d means and %d entries of a root for %d columns", len(p.Mean), len(p.Root), k)
	}
	if err := fence.Check(p.Outside); err != nil {
		return err
	}
	for _, v := range p.Root {
		if !(math.Abs(v) <= largest*math.Sqrt(MaxNoise)) {
			return errors.New("the root holds a number that is too large")
		}
	}
	for _, m := range p.Mean {
		if math.IsNaN(m) || math.IsInf(m, 0) {
			return errors.New("a mean is not a finite number")
		}
	}
	if err := protect.CheckColumns(p.Attrs, p.Constant, table.Numeric); err != nil {
		return err
	}
	return protect.CheckColumns(p.Attrs, p.Columns, table.Numeric)
}

// Notes says which columns are released as they are or nearly so, which leave their observed domains, and that the
// moments needed repair.
func (p *Plan) Notes() []message.Sentence {
	var out []message.Sentence
	for _, j := range p.Constant {
		out = append(out, message.Say("plan.constant").Name("column", p.Attrs[j].Name))
	}
	shares := make([]float64, len(p.Columns))
	for k, j := range p.Columns {
		variance := p.variance(k) / p.Noise
		change := math.Sqrt(float64(p.Shrink*p.Shrink*p.Noise*variance) + float64((1-p.Shrink)*(1-p.Shrink)*variance))
		if share := portable.Erf(p.Attrs[j].Step / 2 / change / math.Sqrt2); share >= 0.5 {
			out = append(out, message.Say("plan.noise.small").Name("column", p.Attrs[j].Name).Number("step", p.Attrs[j].Step, 0).
				Fixed("n", float64(100*share), 0))
			continue
		}
		shares[k] = fence.Beyond(&p.Attrs[j], p.Outside, p.Mean[k], float64(p.Shrink*math.Sqrt((1+p.Noise)*variance)))
	}
	out = append(out, fence.BeyondNotes(p.Changes(), shares)...)
	out = append(out, fence.ForcedNotes(p.Changes(), p.crossings(fence.Forced))...)
	if p.Repaired > 0 {
		out = append(out, message.Say("plan.repaired").Count("n", p.Repaired).Count("all", len(p.Columns)))
	}
	return out
}

// narrow reports whether rounding to the grid takes most of the noise of the k-th column away.
func (p *Plan) narrow(k int) bool {
	return p.Shrink*math.Sqrt(p.variance(k)) < p.Attrs[p.Columns[k]].Step/2
}

// crossings returns the share of the values of each column outside its domain, by Beyond or Forced.
func (p *Plan) crossings(share func(a *table.Attribute, outside string, mean, sd float64) float64) []float64 {
	out := make([]float64, len(p.Columns))
	for k, j := range p.Columns {
		if p.narrow(k) {
			continue // its values stay, whatever their law
		}
		out[k] = share(&p.Attrs[j], p.Outside, p.Mean[k], float64(p.Shrink*math.Sqrt((1+p.Noise)*p.variance(k)/p.Noise)))
	}
	return out
}

// row returns the coefficients of the standard normals that make the noise of the k-th column, and the position of the
// first.
func (p *Plan) row(k int) (coefficients []float64, first int) {
	if !p.Correlated() {
		return p.Root[k : k+1], k
	}
	n := len(p.Columns)
	return p.Root[k*n : k*n+n], 0
}

// variance returns that of the noise on the k-th column.
func (p *Plan) variance(k int) float64 {
	row, _ := p.row(k)
	return vector.Dot(row, row)
}

// Apply adds the noise.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	f := fence.Fence{Outside: p.Outside, Whole: fence.Domains(p.Attrs, p.Columns, p.Outside), Together: p.Columns}
	y, err := f.Draw(chunk, src, p.Changes(), func(rows []int, y, z [][]float64) error {
		for k, j := range p.Columns {
			p.perturb(k, cols[j].Num, rows, y[k], z)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for k, j := range p.Columns {
		cols[j].Num, cols[j].Domain = y[k], fence.Widened(p.Attrs[j], p.Outside).Domain
	}
	return chunk.WithColumns(cols)
}

// perturb writes the k-th column of the given rows, all when nil.
func (p *Plan) perturb(k int, x []float64, rows []int, y []float64, z [][]float64) {
	row, first := p.row(k)
	floats.ScaleTo(y, row[0], z[first])
	for l, b := range row[1:] {
		if b != 0 {
			vector.AddScaled(y, b, z[l+1])
		}
	}
	c, shift := p.Shrink, float64((1-p.Shrink)*p.Mean[k])
	if rows == nil {
		for i, v := range x {
			y[i] = float64(c*(v+y[i])) + shift
		}
		return
	}
	for r, i := range rows {
		y[r] = float64(c*(x[i]+y[r])) + shift
	}
}

// Additive reads a release as original plus noise (noisemodel.Additive): it undoes the shrinking, for anyone who knows
// the plan.
func (p *Plan) Additive(released *table.Table) (names []string, z [][]float64, noise *mat.SymDense, err error) {
	names, z = p.Changes(), fence.Columns(len(p.Columns), released.Rows())
	for k, n := range names {
		j := released.Find(n)
		if j < 0 || released.Attr(j).Kind != table.Numeric {
			return nil, nil, nil, fmt.Errorf("the release has no numeric column %q, which the plan perturbs", n)
		}
		for i, y := range released.Num(j) {
			z[k][i] = (y - float64((1-p.Shrink)*p.Mean[k])) / p.Shrink
		}
	}
	if len(names) == 0 {
		return names, z, nil, nil
	}
	noise = mat.NewSymDense(len(names), nil)
	if p.Correlated() {
		linalg.Gram(noise, 1, mat.NewDense(len(names), len(names), p.Root))
		return names, z, noise, nil
	}
	for k, sd := range p.Root {
		noise.SetSym(k, k, float64(sd*sd))
	}
	return names, z, noise, nil
}
