// Package randomisedresponse holds randomised response and what grew out of it: every category of a record is kept
// with a known probability and otherwise gives way to another one, whose probabilities are known, too. So shares and
// tables of the original can be estimated from the release, and what a release tells of an original is bounded by the
// probabilities alone (local differential privacy).
//
// The entries differ in what is one answer and in the matrix: an attribute with one probability for all others (Warner,
// Categorical), all attributes of two categories together (Multivariate), an attribute or several that are crossed,
// with any matrix (PRAM), and the record as a whole (FRAPP).
package randomisedresponse

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/redraw"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Methods are the catalogue entries.
var Methods = []protect.Method{Warner, Categorical, Multivariate, PRAM, FRAPP}

// Single is what the plans of Warner and Categorical share: each column by itself, and of all other categories each as
// likely. Column j draws from src.Fork(name of j). What P is the probability of is for the plan to say.
type Single struct {
	Attrs   []table.Attribute `json:"schema"`
	P       float64           `json:"p"`
	Columns []int             `json:"columns"` // positions in the schema, ascending
}

// Schema returns the attributes the plan was fitted on.
func (p *Single) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Single) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Check refuses a decoded plan that could not be applied.
func (p *Single) Check() error {
	if !(p.P >= 0 && p.P <= 1) {
		return fmt.Errorf("p is %v; expected 0 to 1", p.P)
	}
	return protect.CheckColumns(p.Attrs, p.Columns, table.Categorical)
}

// Memoised says that draws are keyed by the values of the columns.
func (*Single) Memoised() bool { return true }

// exchange replaces every value, with a probability, by another one of its attribute's.
func (p *Single) exchange(chunk *table.Table, src rng.Source, share float64) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	for _, j := range p.Columns {
		a := &p.Attrs[j]
		cols[j].Cat = redraw.Codes(chunk, j, src.Fork(a.Name).Stream(), func(_ int, old int32, b rng.Block) int32 {
			return redraw.Another(old, len(a.Labels), share, b)
		})
	}
	return chunk.WithColumns(cols)
}

// exchanged returns the noise model of a column whose values are replaced with a probability.
func (p *Single) exchanged(j int, share float64) (noisemodel.Column, bool) {
	if !slices.Contains(p.Columns, j) {
		return nil, false
	}
	return noisemodel.Everywhere(noisemodel.Exchanged{N: len(p.Attrs[j].Labels), Share: share}), true
}

// response is the randomised response of a plan that keeps a value with a probability.
func (p *Single) response(keep float64) redraw.Response {
	return redraw.Response{Attrs: p.Attrs, Columns: p.Columns, Keep: keep}
}

// published returns the law of every column with two categories or more, whose values are kept with that probability.
func (p *Single) published(keep float64) (out []modelfile.Part) {
	for _, j := range p.Columns {
		if k := len(p.Attrs[j].Labels); k > 1 {
			out = append(out, modelfile.Part{
				Columns:  []string{p.Attrs[j].Name},
				Category: &modelfile.Category{Categories: k, Keep: keep},
			})
		}
	}
	return out
}
