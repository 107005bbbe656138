package coding_test

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/coding"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// trials are tried at either end.
var trials = protecttest.Trials{"topcode": settings(protecttest.Highest), "bottomcode": settings(protecttest.Lowest)}

// rows returns rows of a release that are to be of k people each.
type rows = func(p protect.Plan, original, release *table.Table) [][]int

func settings(end func(except ...string) rows) map[string]protecttest.Options {
	out := map[string]protecttest.Options{}
	for name, set := range map[string]map[string]string{
		"defaults": {},
		"many":     {"k": "60", "share": "1"},
		"mean":     {"as": "mean", "share": "12.5", "except": "age"},
		"given": {"at": "age=40,income=10%,size=M,temperature=-2.5,ratio=0.75", "columns": "score,hours", "k": "40",
			"as": "mean"},
	} {
		var given []string // limits by hand, which few may share
		if set["at"] != "" {
			given = []string{"age", "size", "temperature", "ratio"}
		}
		out[name] = protecttest.Options{Set: set, Drawless: true, Alike: end(given...), Holds: coded}
	}
	return out
}

// coded checks that each value of a column that is coded stays, or becomes the one that stands for the extremes.
func coded(p protect.Plan, original, release *table.Table) error {
	for _, c := range p.(*coding.Plan).Columns {
		for i := range original.Rows() {
			if original.MissingAt(i, c.Column) || release.MissingAt(i, c.Column) {
				continue // the suite looks at these
			}
			if x, y := cell(original, i, c.Column), cell(release, i, c.Column); x != y && y != c.Value {
				return fmt.Errorf("column %d, row %d: %v becomes %v", c.Column, i, x, y)
			}
		}
	}
	return nil
}

func TestConformance(t *testing.T) { protecttest.Family(t, coding.Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, coding.Methods, trials) }

// 1,000,000 records take 1.2 of the yardstick to fit six numbers (bottomcode: 1.3), and 0.2 to 0.3 to release them.
func BenchmarkFit(b *testing.B) {
	protecttest.BenchFamily(b, coding.Methods, protecttest.BenchFit, 30_000, 1_000_000)
}

func BenchmarkApply(b *testing.B) {
	protecttest.BenchFamily(b, coding.Methods, protecttest.BenchApply, 30_000, 1_000_000)
}
