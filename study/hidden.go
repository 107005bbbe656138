package study

import (
	"errors"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Patterns is what became of the itemsets and rules that a technique was to hide.
type Patterns struct {
	Listed int
	Found  int   // that can still be found in the release, by the thresholds of the technique
	Err    error // why they could not be counted
	Alone  bool  // nothing was done but to hide them, which protects nobody
}

// PatternsOf counts in a release what a plan, or else its steps or stages, were to hide; nil where nothing was. A
// pattern that one step hid and a later one brought back counts as found. Cost: that of counting every pattern once.
func PatternsOf(p protect.Plan, release *table.Table) *Patterns {
	var parts []protect.Plan
	switch p := p.(type) {
	case protect.Hider:
		listed, found, err := p.Found(release)
		return &Patterns{listed, found, err, true}
	case protect.Composite:
		parts = p.Steps()
	case protect.Sequence:
		parts = p.Inner()
	}
	var out *Patterns
	alone := true
	for _, s := range parts {
		own := PatternsOf(s, release)
		if alone = alone && own != nil && own.Alone; out == nil {
			out = own
		} else if own != nil {
			out.Listed, out.Found, out.Err = out.Listed+own.Listed, out.Found+own.Found, errors.Join(out.Err, own.Err)
		}
	}
	if out != nil {
		out.Alone = alone
	}
	return out
}

// Sentence is what a custodian must know first.
func (p *Patterns) Sentence() message.Sentence {
	switch {
	case p.Err != nil:
		return message.Say("patterns.failed").Text("why", p.Err.Error())
	case p.Listed == 1 && p.Found == 1:
		return message.Say("patterns.one")
	}
	return message.Say("patterns.found").Count("n", p.Found).Count("of", p.Listed)
}

// patterns judges the limit on patterns that were to be hidden.
func (j *judging) patterns(l *limit.Limit) {
	if j.Patterns == nil {
		return
	}
	d := bare(l)
	d.Unit, d.said = measure.Counting(measure.Count, "unit.patterns"), j.Patterns.Sentence()
	if j.Patterns.Err != nil {
		d.Standing = Broke
	} else {
		n := float64(j.Patterns.Found)
		d.figures(n, n, n)
	}
	j.v.Demands = append(j.v.Demands, d)
}
