package localsuppression

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	trials := map[string]protecttest.Options{}
	for name, set := range map[string]map[string]string{
		"defaults": {},
		"value":    {"keys": "age,city,sex,size", "k": "4", "importance": "sex=5,age=0.5"},
		"combined": {"keys": "age,city,sex,size", "combinations": "2"},
		"any":      {"keys": "age,city,sex,size", "missing": "any", "importance": "age=2"},
	} {
		opt := protecttest.Options{Set: set, Suppresses: true, Drawless: true}
		if set["missing"] == Anything {
			opt.Alike = agreeWith
		}
		if set["combinations"] != "" {
			opt.Alike = agreeIn
		}
		trials[name] = opt
	}
	protecttest.Family(t, []protect.Method{Method}, protecttest.Trials{Method.Name: trials})
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

// agreeIn returns the records that agree in some combination in which the plan promises k.
func agreeIn(p protect.Plan, _, release *table.Table) (out [][]int) {
	for _, names := range p.(*Plan).Combinations() {
		alike := map[string][]int{}
		for i := range release.Rows() {
			var key []byte
			for _, name := range names {
				c := release.Column(release.Find(name))
				key = c.AppendKey(append(key, '|'), i)
			}
			alike[string(key)] = append(alike[string(key)], i)
		}
		for _, rows := range alike {
			out = append(out, rows)
		}
	}
	return out
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"keys": "age,sex,city"}, Suppresses: true})
}
