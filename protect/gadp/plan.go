package gadp

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/dither-data/dither/internal/mvnorm"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique: the moments of the columns X, S and the indicators of Given, in this order, and the dial.
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	X       []int             `json:"x"`               // positions of the perturbed columns, ascending
	S       []int             `json:"s"`               // positions of the numeric columns they are drawn given, ascending
	Given   []int             `json:"given,omitempty"` // positions of the categorical ones, ascending
	Dial    []float64         `json:"dial"`            // by position in X: 1 - security, from 0 to 1
	Mean    []float64         `json:"mean"`
	Cov     []float64         `json:"cov"` // the lower triangle of the covariance matrix, row by row
	Outside string            `json:"outside"`

	Unchanged []int `json:"unchanged,omitempty"` // positions of confidential columns without two different values
	Repaired  int   `json:"repaired,omitempty"`  // eigenvalues raised to make the covariance matrix one

	once sync.Once
	law  *mvnorm.Law
	err  error
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the perturbed columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.X) }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	if len(p.S)+len(p.Given) == 0 {
		return "drawn from the normal law with the means and covariances of the columns (GADP)"
	}
	return "drawn from the normal law of the confidential columns given the others (GADP)"
}

// width returns the number of columns X, S and indicators.
func (p *Plan) width() int {
	n := len(p.X) + len(p.S)
	for _, j := range p.Given {
		n += max(0, len(p.Attrs[j].Labels)-1)
	}
	return n
}

// Check refuses a decoded plan whose columns, moments and dial do not belong together or are those of no law.
func (p *Plan) Check() error {
	if err := protect.CheckColumns(p.Attrs, p.X, table.Numeric); err != nil {
		return err
	}
	if err := protect.CheckColumns(p.Attrs, p.Unchanged, table.Numeric); err != nil {
		return err
	}
	if err := protect.CheckColumns(p.Attrs, p.Given, table.Categorical); err != nil {
		return err
	}
	if err := p.checkS(); err != nil {
		return err
	}
	if p.Outside != protect.OutsideAllow && p.Outside != protect.OutsideClip && p.Outside != protect.OutsideRedraw {
		return fmt.Errorf("outside is %q; expected allow, clip or redraw", p.Outside)
	}
	n := p.width()
	if len(p.X) == 0 {
		n = 0
	}
	if len(p.Dial) != len(p.X) || len(p.Mean) != n || len(p.Cov) != n*(n+1)/2 {
		return fmt.Errorf("there are %d shares, %d means and %d covariances; expected %d, %d and %d",
			len(p.Dial), len(p.Mean), len(p.Cov), len(p.X), n, n*(n+1)/2)
	}
	for _, m := range p.Mean {
		if math.IsNaN(m) || math.IsInf(m, 0) {
			return errors.New("a mean is not a finite number")
		}
	}
	if n == 0 {
		return nil
	}
	return p.prepare()
}

// checkS refuses columns S that are not numeric columns of their own.
func (p *Plan) checkS() error {
	taken := make(map[int]bool)
	for _, j := range append(append([]int{}, p.X...), p.Unchanged...) {
		taken[j] = true
	}
	last := -1
	for _, j := range p.S {
		if j <= last || j >= len(p.Attrs) || p.Attrs[j].Kind != table.Numeric || taken[j] {
			return errors.New("the columns that are given are not ascending positions of other numeric columns in the schema")
		}
		last = j
	}
	return nil
}

// prepare works out the law.
func (p *Plan) prepare() error {
	p.once.Do(func() { p.law, p.err = mvnorm.NewLaw(p.Mean, full(p.Cov, p.width()), p.Dial) })
	return p.err
}

// Apply draws the columns. Column j draws from src.Fork(name of j).
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	if len(p.X) == 0 {
		return chunk, nil
	}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	u := p.records(chunk)
	fence := protect.Fence{Outside: p.Outside, Whole: protect.Domains(p.Attrs, p.X, p.Outside)}
	y, err := fence.Draw(chunk, src, p.Changes(), func(rows []int, y, z [][]float64) error {
		if rows != nil {
			return p.law.Draw(y, gather(u, rows), z)
		}
		return p.law.Draw(y, u, z)
	})
	if err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	for k, j := range p.X {
		cols[j].Num, cols[j].Domain = y[k], protect.Widened(p.Attrs[j], p.Outside).Domain
	}
	return chunk.WithColumns(cols)
}

// Notes says what security is reached (Muralidhar, Parsa & Sarathy 1999), which columns are released as they are, and that the moments needed
// repair.
func (p *Plan) Notes() []string {
	var out []string
	if len(p.X) > 0 {
		each, worst, err := mvnorm.Security(full(p.Cov, p.width()), p.Dial)
		if err == nil {
			figures := make([]string, len(each))
			for k, v := range each {
				figures[k] = fmt.Sprintf("%q %.3f", p.Attrs[p.X[k]].Name, v)
			}
			out = append(out, fmt.Sprintf("security, the share of the variance that a regression on the release leaves open: %s; "+
				"of the linear combination of them that is known best %.3f", strings.Join(figures, ", "), worst))
		}
	}
	for _, j := range p.Unchanged {
		out = append(out, fmt.Sprintf("column %q has no two different values and is released as it is", p.Attrs[j].Name))
	}
	if p.Repaired > 0 {
		out = append(out, fmt.Sprintf("with missing values the covariances of the columns contradict each other; "+
			"%d of %d eigenvalues of their correlation matrix were raised", p.Repaired, p.width()))
	}
	return out
}
