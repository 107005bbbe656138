package localsuppression

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
)

// One suppression, which Fit and Apply both make, as multiples of the yardstick: 30,162 records, five keys and k = 3
// take 0.4 with missing=value and 0.3 with missing=any; eight keys and k = 5 take 3 and 12; a million records and five
// keys 2.4 and 1.2; with five keys of many values, a million take 17 times its processor time with missing=value, 15
// with missing=any. Thirteen keys and missing=any take 30,162 records 95 times it.
func BenchmarkApply(b *testing.B) {
	many := []string{"age", "occupation", "hours_per_week", "education", "native_country"}
	eight := append([]string{"workclass", "occupation", "native_country"}, five...)
	for _, c := range []struct {
		rows, k int
		keys    []string
	}{{30_162, 3, five}, {30_162, 5, eight}, {1_000_000, 3, five}, {1_000_000, 3, many}} {
		for _, missing := range []string{Value, Anything} {
			b.Run(fmt.Sprintf("rows=%d/keys=%d/missing=%s", c.rows, len(c.keys), missing), func(b *testing.B) {
				t := protecttest.AdultLike(b, c.rows)
				p := &Plan{Attrs: t.Attrs(), K: c.k, Missing: missing}
				for j := range t.Width() {
					for _, n := range c.keys {
						if t.Attr(j).Name == n {
							p.Columns, p.Weights = append(p.Columns, j), append(p.Weights, 1)
						}
					}
				}
				for b.Loop() {
					must.Get(p.Apply(t, protecttest.Seed(1)))(b)
				}
				yardstick.Report(b)
			})
		}
	}
}
