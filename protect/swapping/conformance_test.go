package swapping

import (
	"fmt"
	"math"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

var trials = protecttest.Trials{
	"rankswap": {
		"defaults": {Holds: permuted},
		"ends":     {Holds: permuted, Set: map[string]string{"p": "20", "top": "5", "bottom": "7.5", "except": "age"}},
	},
	"recordswap": {
		"defaults": {Alike: safe, Holds: permuted},
		"several columns": {Alike: safe, Holds: permuted, Joint: true, Set: map[string]string{
			"swap": "city,hours", "keys": "age,sex", "similar": "sex,size", "rate": "0.4", "k": "5",
		}},
		"random": {Alike: safe, Holds: permuted, Set: map[string]string{"swap": "city", "k": "1", "rate": "1"}},
	},
	"approximateswap": {
		"defaults": {Joint: true, Gaps: true},
		"of three": {Joint: true, Gaps: true, Set: map[string]string{"t": "3", "bins": "3", "common": "1"}},
		"single":   {Joint: true, Gaps: true, Set: map[string]string{"t": "1", "omit": "city"}},
	},
	"dataswap": {
		"defaults": {Holds: permuted, Joint: true},
		"of three": {Holds: permuted, Joint: true, Set: map[string]string{
			"t": "3", "tolerance": "0.5", "bins": "3", "except": "city",
		}},
		"single": {Holds: permuted, Joint: true, Set: map[string]string{"t": "1", "rate": "1", "tries": "1"}},
	},
}

// permuted checks that every column has the values that it had, but for those that its domain or grid had to move.
// Ranks at an end may have been told to have one mean.
func permuted(p protect.Plan, original, release *table.Table) error {
	if q, ok := p.(*RankPlan); ok && q.Bottom+q.Top > 0 {
		return nil
	}
	for j := range original.Width() {
		a := original.Attr(j)
		if !a.Kind.Scalar() {
			continue // is left alone
		}
		left, d := map[float64]int{}, wrap.On(a.Domain, a.Step)
		value := func(t *table.Table, i int) float64 {
			switch {
			case t.MissingAt(i, j):
				return math.Inf(1)
			case a.Kind == table.Categorical:
				return float64(t.Cat(j)[i])
			}
			return d.Clip(t.Num(j)[i])
		}
		for i := range original.Rows() {
			left[value(original, i)]++
			left[value(release, i)]--
		}
		for v, n := range left {
			if n != 0 {
				return fmt.Errorf("column %d: %+d records with the value %v", j, -n, v)
			}
		}
	}
	return nil
}

// safe returns the records that stand out of nobody: those that are not risky, by their keys and columns to swap.
func safe(p protect.Plan, original, _ *table.Table) (groups [][]int) {
	q := p.(*RecordPlan)
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

func TestConformance(t *testing.T) { protecttest.Family(t, Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, trials) }
