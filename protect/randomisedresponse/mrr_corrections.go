package randomisedresponse

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/law/transition"
	"github.com/dither-data/dither/protect"
)

// Epsilon is that of a whole record.
func (p *MultivariatePlan) Epsilon() (total float64) {
	for k := range p.Groups {
		total += epsilon(&p.Groups[k])
	}
	return total
}

func epsilon(g *transition.Group) float64 { return math.Abs(math.Log(g.Theta) - math.Log(1-g.Theta)) }

// Notes says how private a group is, and what its weakness is.
func (p *MultivariatePlan) Notes() []string {
	var out []string
	total := p.Epsilon()
	for k := range p.Groups {
		g := &p.Groups[k]
		epsilon := epsilon(g)
		switch {
		case math.IsInf(epsilon, 1):
			out = append(out, fmt.Sprintf("the values of %s can all be told, for theta = %v", p.names(g), g.Theta))
		case epsilon == 0:
			out = append(out, fmt.Sprintf("theta = 0.5: of %s the release keeps nothing but which values go together", p.names(g)))
		}
	}
	if !math.IsInf(total, 1) {
		out = append(out, numeral.Sprintf("local differential privacy: epsilon is %.3g for a whole record of %s", total, numeral.Counted(len(p.Groups), "group")))
	}
	for k := range p.Groups {
		if len(p.Groups[k].Columns) > 1 {
			return append(out, "a record's values of a group are all right or all exchanged: whoever knows one of them knows the others, and a measure "+
				"of risk that takes columns one by one understates this; noise of every column's own (warner) is free of it")
		}
	}
	return out
}

// Corrections says how a user of the release estimates shares of the original.
func (p *MultivariatePlan) Corrections() []string {
	if len(p.Groups) == 0 {
		return nil
	}
	var out []string
	for k := range p.Groups {
		g := &p.Groups[k]
		if w := g.Weights(); math.IsInf(w[0], 0) {
			out = append(out, fmt.Sprintf("%s: nothing can be estimated but shares of which both ways round count as one", p.names(g)))
		} else {
			out = append(out, fmt.Sprintf("share of the records with given values of %s: %.6g s %+.6g r, where s is their share in the release and r that "+
				"of the records with the other value of all of them", p.names(g), w[0], w[1]))
		}
	}
	if len(p.Groups) > 1 {
		out = append(out, "values of several groups: take every way to exchange whole groups, multiply its share in the release by the factors of the "+
			"groups, the first of a group as it is and the second of one exchanged, and add up")
	}
	return append(out, "put 0 for estimates below 0 and 1 for those above 1; a decision tree is learned from the release by the miner mrrtree")
}

// Published returns the groups.
func (p *MultivariatePlan) Published() ([]published.Part, error) {
	var out []published.Part
	for _, g := range p.Groups {
		out = append(out, published.Part{Columns: protect.Names(p.Attrs, g.Columns), Group: &published.Group{Theta: g.Theta}})
	}
	return out, nil
}
