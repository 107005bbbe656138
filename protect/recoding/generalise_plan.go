package recoding

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/numeral"
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
func (p *FullDomainPlan) Describe() string {
	return "raised to a level of its value generalisation hierarchy"
}

// Notes says what level every column has, what became of those without a hierarchy, and what groups are rare.
func (p *FullDomainPlan) Notes() []string {
	var notes []string
	if len(p.Columns) > 0 {
		list, lost := make([]string, len(p.Columns)), 0.0
		for k, name := range p.Changes() {
			level, height := p.Columns[k].Level, p.Columns[k].Hierarchy.Height()
			list[k] = numeral.Sprintf("%q %d of %d", name, level, height)
			lost += float64(level) / float64(height)
		}
		notes = append(notes, fmt.Sprintf("levels of the hierarchies: %s; Sweeney's precision of these columns is %.3g",
			strings.Join(list, ", "), 1-lost/float64(len(list))))
	}
	if len(p.Left) > 0 {
		names := make([]string, len(p.Left))
		for k, n := range p.Left {
			names[k] = fmt.Sprintf("%q", n)
		}
		notes = append(notes, "left as they are, for there is no hierarchy of their categories: "+strings.Join(names, ", ")+
			"; give one, or name them in levels to release nothing of them")
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
