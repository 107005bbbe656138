// Package regenerate is what the techniques share that draw confidential numbers anew, jointly, given the other columns
// of the record: the statistical techniques that keep moments (Islam 2007, section 3.2.1).
//
// A Frame says which columns X are drawn, which S are given, and what share of the original is let through. Two kinds
// of plan stand on it. ExactMoments keeps the means and covariances of the records at hand, to rounding (EGADP, random
// orthogonal matrix masking). ByRanks draws normal scores and puts the marginals back (C-GADP, data shuffling). Their
// promise is about the records at hand, so they are Groupers with one group. GADP itself fits its moments once and
// works on any chunk.
//
// Packages internal/stats/moments and internal/stats/mvnorm turn means and covariances into the law of what is released
// given the record, for every pattern of missing values; internal/stats/copula, internal/stats/rank and
// internal/stats/orthobasis are the parts of the others. Techniques that perturb one group of records export Replace,
// and the Extended Framework calls it leaf by leaf.
//
// References: Muralidhar, Parsa & Sarathy 1999; Sarathy, Muralidhar & Parsa 2002; Muralidhar & Sarathy 2005 and 2006;
// Ting, Fienberg & Trottini 2008; Islam 2007, section 3.2.1.
package regenerate

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Frame is what the plans share that draw the confidential numeric columns X of a record anew, jointly, given other
// columns S, which are released as they are: GADP (Muralidhar, Parsa & Sarathy 1999) and its relatives. A categorical
// column of S stands for indicators of all its values but the first, so that the means of X in each of its
// subpopulations are kept (Tendick & Matloff 1994).
type Frame struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"`         // X: positions in the schema, ascending
	Others  []int             `json:"others"`          // the numeric columns of S, ascending
	Given   []int             `json:"given,omitempty"` // the categorical ones, ascending
	// by position in Columns, 0 to 1: the share of what S leaves open that stays hidden
	Security []float64 `json:"security"`
	// what becomes of a value outside its domain; "" where the law lets none out
	Outside string `json:"outside,omitempty"`
}

// SecurityParam declares the parameter "security".
func SecurityParam(p *float64) param.Param {
	return param.Float(
		p,
		"security",
		1,
		0,
		1,
		"",
		"1 reveals nothing about a confidential value beyond what the other columns reveal; 0 releases the original",
	).Noisier(0.05, 1)
}

// GivenParam declares the parameter "given".
func GivenParam(p *[]string) param.Param {
	return param.Names(p, "given", "further columns, including categorical ones, to keep the relation with")
}

// ExceptParam declares the parameter "except" of a Frame.
func ExceptParam(p *[]string) param.Param {
	return param.Names(p, "except", "columns to leave alone; the relation of numeric ones to the confidential ones "+
		"is kept")
}

// categories is the largest number of categories of a given column: each costs a column of numbers.
const categories = 100

// New returns the frame of a plan: X and S are those of Confidential, without and with the given columns.
func New(t *table.Table, security float64, given, except []string) (Frame, error) {
	p := Frame{Attrs: t.Attrs()}
	var numeric []int
	for _, name := range given {
		j := t.Find(name)
		if j < 0 {
			return p, fmt.Errorf("parameter %q: there is no column %q", "given", name)
		}
		switch a := t.Attr(j); {
		case !a.Kind.Scalar():
			return p, fmt.Errorf("parameter %q: column %q is %s, expected numbers or categories", "given", name, a.Kind)
		case a.Kind == table.Categorical && len(a.Labels) > categories:
			return p, fmt.Errorf("parameter %q: column %q has %d categories, expected at most %d; group them first",
				"given", name, len(a.Labels), categories)
		case a.Kind == table.Categorical:
			p.Given = append(p.Given, j)
		case a.Role&table.Confidential != 0:
			return p, fmt.Errorf("parameter %q: column %q is confidential; its relation with the others is kept without",
				"given", name)
		default:
			numeric = append(numeric, j)
		}
	}
	var err error
	if p.Columns, p.Others, err = protect.Confidential(t, append(protect.Names(p.Attrs, numeric), except...)); err != nil {
		return p, err
	}
	p.Others, p.Given = union(p.Others, numeric), union(p.Given, nil)
	p.Security = slices.Repeat([]float64{security}, len(p.Columns))
	return p, protect.CheckColumns(p.Attrs, p.Others, table.Numeric)
}

// union returns the positions in either list, ascending.
func union(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Frame) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns X.
func (p *Frame) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Dial returns, by column of X, the share of what S leaves open that passes into the release: 1 - security.
func (p *Frame) Dial() []float64 {
	out := make([]float64, len(p.Security))
	for k, s := range p.Security {
		out[k] = 1 - s
	}
	return out
}

// Least returns the least security of a column; 1 without columns.
func (p *Frame) Least() float64 { return slices.Min(append([]float64{1}, p.Security...)) }

// Check refuses a decoded plan whose columns do not belong together, whose security is out of range, or whose rule for
// values outside is none of those of the technique.
func (p *Frame) Check(outside ...string) error {
	for _, columns := range [][]int{p.Columns, p.Others} {
		if err := protect.CheckColumns(p.Attrs, columns, table.Numeric); err != nil {
			return err
		}
	}
	if err := protect.CheckColumns(p.Attrs, p.Given, table.Categorical); err != nil {
		return err
	}
	for _, j := range p.Others {
		if slices.Contains(p.Columns, j) {
			return fmt.Errorf("column %q is both confidential and not", p.Attrs[j].Name)
		}
	}
	if len(p.Security) != len(p.Columns) {
		return fmt.Errorf("there are %d securities for %d columns", len(p.Security), len(p.Columns))
	}
	for _, s := range p.Security {
		if !(s >= 0 && s <= 1) {
			return fmt.Errorf("a security is %v; expected 0 to 1", s)
		}
	}
	if !slices.Contains(outside, p.Outside) {
		return fmt.Errorf("outside is %q; expected one of %q", p.Outside, outside)
	}
	return nil
}
