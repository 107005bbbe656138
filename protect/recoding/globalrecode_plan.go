package recoding

import (
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// GlobalPlan is the fitted technique: the classes, each column's as a hierarchy of one level.
type GlobalPlan struct {
	hierarchy.Recoding
	// Left names the columns of categories without an order that were left alone, Ends those whose limits tell the ends of
	// their observed domain.
	Left []string `json:"left,omitempty"`
	Ends []string `json:"ends,omitempty"`
}

// Describe says what the plan does.
func (p *GlobalPlan) Describe() message.Sentence { return message.Say("does.globalrecode") }

// Notes says what was left alone, what limits tell, and what classes are rare.
func (p *GlobalPlan) Notes() []message.Sentence {
	var notes []message.Sentence
	if len(p.Left) > 0 {
		notes = append(notes, message.Say("plan.recode.left").Quoted("columns", p.Left))
	}
	if len(p.Ends) > 0 {
		notes = append(notes, message.Say("plan.recode.ends").Quoted("columns", p.Ends))
	}
	return append(notes, p.Recoding.Notes()...)
}

// Apply recodes the chunk.
func (p *GlobalPlan) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	return p.Recode(chunk)
}

// Recode returns records in the schema of the release, which is all that Apply does.
func (p *GlobalPlan) Recode(t *table.Table) (*table.Table, error) {
	if err := protect.Conforms(t, p.Attrs); err != nil {
		return nil, err
	}
	return p.Recoding.Recode(t)
}
