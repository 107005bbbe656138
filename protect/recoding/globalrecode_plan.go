package recoding

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// GlobalPlan is the fitted technique: the classes, each column's as a hierarchy of one level.
type GlobalPlan struct {
	hierarchy.Recoding
	// Left names the columns of categories without an order that were left alone, Ends those whose limits tell the ends of their observed domain.
	Left []string `json:"left,omitempty"`
	Ends []string `json:"ends,omitempty"`
}

// Describe says what the plan does.
func (p *GlobalPlan) Describe() string { return "recoded into classes, the same for all records" }

// Notes says what was left alone, what limits tell, and what classes are rare.
func (p *GlobalPlan) Notes() []string {
	var notes []string
	if len(p.Left) > 0 {
		notes = append(notes, "left as they are, for their categories have no order: "+quoted(p.Left)+"; give their classes in groups")
	}
	if len(p.Ends) > 0 {
		notes = append(notes, "the limits of classes tell the smallest and the largest value: "+quoted(p.Ends)+"; declare the domain in a policy")
	}
	return append(notes, p.Recoding.Notes()...)
}

func quoted(names []string) string {
	out := make([]string, len(names))
	for k, n := range names {
		out[k] = fmt.Sprintf("%q", n)
	}
	return strings.Join(out, ", ")
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
