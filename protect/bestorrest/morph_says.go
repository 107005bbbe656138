package bestorrest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Describe says what the plan does.
func (p *MORPHPlan) Describe() message.Sentence {
	if p.Cliff < 100 {
		return message.Say("does.morphCliff").Digits("least", p.Least, 3).Digits("most", p.Most, 3).Digits("keep", p.Cliff, 4)
	}
	return message.Say("does.morph").Digits("least", p.Least, 3).Digits("most", p.Most, 3)
}

// Notes names the columns that are mostly released as they are, and those that look like codes.
func (p *MORPHPlan) Notes() []message.Sentence {
	var notes, stay []message.Sentence
	for k, s := range p.Stay {
		if s >= 0.5 {
			stay = append(stay,
				message.Say("plan.morph.stays").Name("column", p.Attrs[p.Columns[k]].Name).Fixed("n", float64(100*s), 0))
		}
	}
	if stay != nil {
		notes = append(notes, message.Say("plan.morph.stay").Part("columns", message.Listed(stay)))
	}
	if len(p.Codes) > 0 {
		notes = append(notes, message.Say("plan.morph.codes").Listed("columns", protect.Names(p.Attrs, p.Codes)))
	}
	if p.Cliff < 100 {
		notes = append(notes, message.Say("plan.noSample"))
	}
	return notes
}

// Check refuses a decoded plan that could not be applied.
func (p *MORPHPlan) Check() error {
	if p.Class < 0 || p.Class >= len(p.Attrs) || p.Attrs[p.Class].Kind != table.Categorical {
		return fmt.Errorf("the class is column %d, expected a categorical one of %d", p.Class, len(p.Attrs))
	}
	if err := protect.CheckColumns(p.Attrs, p.Columns, table.Numeric); err != nil {
		return err
	}
	if err := p.checkNumbers(); err != nil {
		return err
	}
	for _, j := range p.Codes {
		if !slices.Contains(p.Columns, j) {
			return fmt.Errorf("column %d looks like codes, expected one of those that are moved", j)
		}
	}
	for k, j := range p.By {
		if j < 0 || j >= len(p.Attrs) || j == p.Class || k > 0 && j <= p.By[k-1] {
			return fmt.Errorf("distances are over column %d, expected one of %d but the class, in their order", j, len(p.Attrs))
		}
		if !(p.Range[k] >= 0) {
			return errors.New("a range is negative")
		}
	}
	if err := p.checkLeaders(); err != nil {
		return err
	}
	if p.Cliff < 100 {
		return p.ranks().Check()
	}
	return nil
}

// checkNumbers refuses shares that are none, and lists that are not as long as those of the columns they are about.
func (p *MORPHPlan) checkNumbers() error {
	switch {
	case !(p.Least >= 0 && p.Least <= p.Most && p.Most <= 0.5):
		return fmt.Errorf("moves are from %v to %v, expected ascending shares up to 0.5", p.Least, p.Most)
	case !(p.Cliff >= 0 && p.Cliff <= 100):
		return fmt.Errorf("cliff is %v, expected 0 to 100", p.Cliff)
	case len(p.Range) != len(p.By):
		return fmt.Errorf("there are %d ranges, expected %d", len(p.Range), len(p.By))
	case len(p.Stay) != len(p.Columns):
		return fmt.Errorf("there are %d shares of values that stay, expected %d", len(p.Stay), len(p.Columns))
	}
	return nil
}
