package perturbationtree

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"microaggregate": {"inside": "microaggregate", "leafMax": "60", "blockMax": "30"},
		"microaggregate each": {"inside": "microaggregate", "leafMax": "60", "blockMax": "30", "partition": "each",
			"grid": "finer"},
		"swap":        {"inside": "swap", "except": "age"},
		"swap median": {"inside": "swap", "split": "median", "ties": "coin", "leafMax": "20", "leafMin": "3"},
	} {
		t.Run(name, func(t *testing.T) {
			opt := protecttest.Options{Set: set, Joint: set["partition"] != Each, Alike: protecttest.EachColumn}
			if set["inside"] == Swap {
				opt.Promise, opt.Alike = "leafMin", leaves
			}
			protecttest.Run(t, Method, opt)
		})
	}
	for name, set := range map[string]map[string]string{
		"mean":   {},
		"median": {"split": "median", "ties": "coin", "leafMax": "20", "leafMin": "3", "grid": "finer"},
		"each":   {"partition": "each", "except": "age"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method,
				protecttest.Options{Set: set, Drawless: true, Promise: "leafMin", Alike: protecttest.EachColumn})
		})
	}
}

// leaves returns the records that have known values of a column in a leaf, among which they are swapped.
func leaves(p protect.Plan, original, _ *table.Table) (groups [][]int) {
	for k := range p.(*Plan).Parts {
		x := &p.(*Plan).Parts[k]
		leaf, err := x.route(original)
		if err != nil {
			return nil
		}
		for _, j := range x.Columns {
			in := make([][]int, x.Tree.Leaves())
			for i, v := range original.Num(j) {
				if v == v {
					in[leaf[i]] = append(in[leaf[i]], i)
				}
			}
			groups = append(groups, slices.DeleteFunc(in, func(rows []int) bool { return len(rows) == 0 })...)
		}
	}
	return groups
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"leafMax": "40", "blockMax": "20"}})
}
