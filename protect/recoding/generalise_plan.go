package recoding

import (
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// FullDomainPlan is the fitted technique: hierarchies and levels.
type FullDomainPlan struct {
	hierarchy.Recoding
	// Left names the columns without a hierarchy that were left alone.
	Left []string `json:"left,omitempty"`
}

// Describe says what the plan does.
func (p *FullDomainPlan) Describe() message.Sentence { return message.Say("does.generalise") }

// Notes says what level every column has, what became of those without a hierarchy, and what groups are rare.
func (p *FullDomainPlan) Notes() []message.Sentence {
	var notes []message.Sentence
	if len(p.Columns) > 0 {
		list, lost := make([]message.Sentence, len(p.Columns)), 0.0
		for k, name := range p.Changes() {
			level, height := p.Columns[k].Level, p.Columns[k].Hierarchy.Height()
			list[k] = message.Column(name, message.Say("plan.levels.of").Count("level", level).Count("height", height))
			lost += float64(level) / float64(height)
		}
		notes = append(notes, message.Say("plan.levels.precision").Part("columns", message.Listed(list)).
			Digits("precision", 1-lost/float64(len(list)), 3))
	}
	if len(p.Left) > 0 {
		notes = append(notes, message.Say("plan.levels.left").Quoted("columns", p.Left))
	}
	return append(notes, p.Recoding.Notes()...)
}

// Apply generalises the chunk.
func (p *FullDomainPlan) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	return p.Recode(chunk)
}

// Recode returns records in the schema of the release, which is all that Apply does.
func (p *FullDomainPlan) Recode(t *table.Table) (*table.Table, error) {
	if err := protect.Conforms(t, p.Attrs); err != nil {
		return nil, err
	}
	return p.Recoding.Recode(t)
}
