package rulepreservation

import (
	"fmt"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/table"
)

// patterns reads what was to be hidden: by pattern, which records have all its items. Nil where nothing is listed.
func (m *RulesWorthMeter) patterns(t *table.Table) (out [][]bool, err error) {
	if m.Sensitive == "" {
		return nil, nil
	}
	coding, err := basket.New(t, basket.Options{Intervals: m.Intervals})
	if err != nil {
		return nil, fmt.Errorf("parameter sensitive: %w", err)
	}
	listed, err := coding.Patterns(m.Sensitive)
	if err != nil {
		return nil, fmt.Errorf("parameter sensitive: %w", err)
	}
	items, err := coding.Code(t)
	if err != nil {
		return nil, err
	}
	for _, p := range listed {
		has, want := make([]bool, t.Rows()), p.Items()
		for i := range has {
			has[i] = itemset.Contains(items.Row(i), want)
		}
		out = append(out, has)
	}
	return out, nil
}

// tells reports whether a rule says what was to be hidden: all records of the original that it is right about, and
// there are some, have the items of a pattern.
func (s *worthSurvey) tells(r *forests.Rule) bool {
	for _, has := range s.listed {
		right, all := 0, true
		for i := range has {
			if s.r.Original.Cat(s.class)[i] == r.Then && r.Covers(s.r.Original, i) {
				right++
				if all = has[i]; !all {
					break
				}
			}
		}
		if right > 0 && all {
			return true
		}
	}
	return false
}
