package gadp

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/internal/regenerate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// GADPPlan is the fitted technique: the moments of the columns of a record (regenerate.Frame.Records), and the
// security.
type GADPPlan struct {
	regenerate.Frame
	Mean []float64 `json:"mean"`
	Cov  []float64 `json:"cov"` // the lower triangle of the covariance matrix, row by row
	// the wanted covariances in place of these, in the same form; nil: none are wanted
	Wanted []float64 `json:"wanted,omitempty"`
	// positions of confidential columns without two different values, which are left alone
	Constant []int `json:"constant,omitempty"`
	Repaired int   `json:"repaired,omitempty"` // eigenvalues raised to make the covariance matrix one

	once sync.Once
	law  *mvnorm.Law
	err  error
}

// Describe says what the plan does.
func (p *GADPPlan) Describe() message.Sentence {
	if len(p.Others)+len(p.Given) == 0 {
		return message.Say("does.gadpAlone")
	}
	return message.Say("does.gadp")
}

// Check refuses a decoded plan whose columns and moments do not belong together or are those of no law.
func (p *GADPPlan) Check() error {
	err := cmp.Or(p.Frame.Check(fence.OutsideAllow, fence.OutsideClip, fence.OutsideRedraw, fence.OutsideSign),
		protect.CheckColumns(p.Attrs, p.Constant, table.Numeric))
	if err != nil {
		return err
	}
	n := p.Width()
	if len(p.Columns) == 0 {
		n = 0
	}
	if p.Wanted != nil && (len(p.Wanted) != len(p.Cov) || p.Least() < 1) {
		return errors.New("the wanted covariances are not those of the columns, or the security is not 1")
	}
	if len(p.Mean) != n || len(p.Cov) != n*(n+1)/2 {
		return fmt.Errorf("there are %d means and %d covariances; expected %d and %d", len(p.Mean), len(p.Cov), n, n*(n+1)/2)
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

// prepare works out the law.
func (p *GADPPlan) prepare() error {
	p.once.Do(func() { p.law, p.err = mvnorm.NewLaw(p.Mean, p.released(), p.Dial()) })
	return p.err
}

// released returns the covariance matrix that the release shall have.
func (p *GADPPlan) released() *mat.SymDense {
	if p.Wanted == nil {
		return p.cov()
	}
	return full(p.Wanted, len(p.Mean))
}

// cov returns the covariance matrix.
func (p *GADPPlan) cov() *mat.SymDense { return full(p.Cov, len(p.Mean)) }

// Apply draws the columns. Column j draws from src.Fork(name of j).
func (p *GADPPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return p.Draw(chunk, src, func(y, u, z [][]float64) error {
		if err := p.prepare(); err != nil {
			return err
		}
		return p.law.Draw(y, u, z)
	})
}

// Notes says what security is reached (Muralidhar, Parsa & Sarathy 1999), which columns are released as they are or
// leave their observed domains, and that the moments needed repair.
func (p *GADPPlan) Notes() []message.Sentence {
	out := p.Frame.Notes()
	if len(p.Columns) > 0 {
		out = append(out, fence.BeyondNotes(p.Changes(), p.crossings(fence.Beyond))...)
		out = append(out, fence.ForcedNotes(p.Changes(), p.crossings(fence.Forced))...)
		each, worst, err := mvnorm.Security(p.cov(), p.Dial())
		if err == nil {
			figures := make([]message.Sentence, len(each))
			for k, v := range each {
				figures[k] = message.Column(p.Attrs[p.Columns[k]].Name, message.Fixed(v, 3))
			}
			out = append(out,
				message.Say("plan.security.worst").Part("columns", message.Listed(figures)).Fixed("worst", worst, 3))
			if open, _, err := mvnorm.Security(p.cov(), make([]float64, len(p.Columns))); err == nil {
				out = append(out, p.Originals(open)...)
			}
		}
	}
	if p.Wanted != nil {
		out = append(out, message.Say("plan.wanted").Quoted("columns", p.changed()))
	}
	for _, j := range p.Constant {
		out = append(out, message.Say("plan.constant").Name("column", p.Attrs[j].Name))
	}
	if p.Repaired > 0 {
		out = append(out, message.Say("plan.repaired").Count("n", p.Repaired).Count("all", len(p.Mean)))
	}
	return out
}

// changed returns the columns of which a covariance is another than the original's.
func (p *GADPPlan) changed() (out []string) {
	was, is := p.cov(), p.released()
	names := protect.Names(p.Attrs, slices.Concat(p.Columns, p.Others))
	for i, name := range names {
		for j := range names {
			if was.At(i, j) != is.At(i, j) {
				out = append(out, name)
				break
			}
		}
	}
	return out
}
