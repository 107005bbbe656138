package localsuppression

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults": {},
		"value":    {"keys": "age,city,sex,size", "k": "4", "importance": "sex=5,age=0.5"},
		"any":      {"keys": "age,city,sex,size", "missing": "any", "importance": "age=2"},
	} {
		t.Run(name, func(t *testing.T) {
			opt := protecttest.Options{Set: set, Suppresses: true, Drawless: true}
			if set["missing"] == Anything {
				opt.Alike = agreeWith
			}
			protecttest.Run(t, Method, opt)
		})
	}
}

// agreeWith returns for every record those that agree with it where a missing value agrees with every one.
func agreeWith(p protect.Plan, _, release *table.Table) [][]int {
	var columns []table.Column
	for j := range release.Width() {
		if slices.Contains(p.Changes(), release.Attr(j).Name) {
			columns = append(columns, release.Column(j))
		}
	}
	out := make([][]int, release.Rows())
	for i := range out {
		for o := range out {
			if !slices.ContainsFunc(columns, func(c table.Column) bool {
				return !c.MissingAt(i) && !c.MissingAt(o) && string(c.AppendKey(nil, i)) != string(c.AppendKey(nil, o))
			}) {
				out[i] = append(out[i], o)
			}
		}
	}
	return out
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"keys": "age,sex,city"}, Suppresses: true})
}
