package natwichai

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// listed are rules of leaves of the mixed table.
const listed = "city=a=>risk=middle;city=b,sex=a=>risk=middle"

func options(set map[string]string) protecttest.Options {
	all := map[string]string{"sensitive": listed, "reach": Overlap}
	for k, v := range set {
		all[k] = v
	}
	return protecttest.Options{Set: all, Holds: holds}
}

// holds checks that every record is in its leaf and that leaves which are not sensitive keep their classes.
func holds(plan protect.Plan, original, release *table.Table) error {
	p := plan.(*Plan)
	was, err := p.Route(original)
	if err != nil {
		return err
	}
	is, err := p.Route(release)
	if err != nil {
		return err
	}
	_, rules, leaves, err := p.find()
	if err != nil {
		return err
	}
	m := p.mixes(original, was, rules, leaves)
	for i := range was {
		if was[i] != is[i] {
			return fmt.Errorf("row %d leaves leaf %d for %d", i, was[i], is[i])
		}
		if !m.sensitive[was[i]] && original.Cat(p.Tree.Class)[i] != release.Cat(p.Tree.Class)[i] {
			return fmt.Errorf("row %d of a leaf that is not sensitive changes its class", i)
		}
	}
	return nil
}

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults":  nil,
		"marginals": {"rest": Marginals, "confidence": "0.2"},
	} {
		t.Run(name, func(t *testing.T) {
			opt := options(set)
			opt.Joint = set["rest"] == Marginals // values go by the class
			protecttest.Run(t, Method, opt)
		})
	}
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, options(nil)) }
