package recordswap

import (
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults":        {},
		"several columns": {"swap": "city,hours", "keys": "age,sex", "similar": "sex,size", "rate": "0.4", "k": "5"},
		"random":          {"swap": "city", "k": "1", "rate": "1"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Joint: name == "several columns", Alike: safe})
		})
	}
}

// safe returns the records that stand out of nobody: those that are not risky, by their keys and columns to swap.
func safe(p protect.Plan, original, _ *table.Table) (groups [][]int) {
	q := p.(*Plan)
	_, finest := q.alike(original)
	by := map[string][]int{}
	for i, risky := range q.risky(original, finest) {
		if key := text(original, i, q.Keys) + text(original, i, q.Columns); !risky && !q.lacks(original, i) {
			by[key] = append(by[key], i)
		}
	}
	for _, rows := range by {
		groups = append(groups, rows)
	}
	return groups
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"swap": "city,age", "similar": "sex", "rate": "1"}})
}
