package hdp

import (
	"context"
	"testing"

	"github.com/dither-data/dither/protect/internal/geometric"
	"github.com/dither-data/dither/protect/protecttest"
)

// Oliveira & Zaiane 2003: each attribute is shifted, scaled or rotated, each as likely, with the ranges of the three techniques. Of 6
// attributes in 500 plans 1000 are expected of each kind; but a single one to be rotated, as one of 6 is with probability 6 (1/3) (2/3)^5 =
// 0.263, goes to the others: 132 of 1000. 5 standard deviations of sqrt(3000 * 2/9) = 26, and those of the rotated, which come in groups,
// twice that; a right program fails less than once in a million.
func TestEveryKindIsAsLikely(t *testing.T) {
	tab := protecttest.Mixed(60)
	count := map[string]float64{}
	for seed := range 500 {
		p, err := New().Fit(context.Background(), tab, protecttest.Seed(1).Fork(string(rune(seed))))
		if err != nil {
			t.Fatal(err)
		}
		plan := p.(*geometric.Map)
		kind := map[int]string{}
		for _, s := range plan.Steps {
			for _, j := range s.Columns {
				kind[j] = s.Kind
			}
			if s.Kind == geometric.Scale && (s.By < 0.5 || s.By > 1.5) {
				t.Errorf("a factor is %v", s.By)
			}
		}
		for k, j := range plan.Columns {
			count[kind[j]]++
			if kind[j] == geometric.Rotate && plan.Security[k] < 1-1e-6 {
				t.Errorf("a rotated column has security %v", plan.Security[k])
			}
		}
	}
	for kind, want := range map[string]float64{geometric.Rotate: 1000 - 132, geometric.Shift: 1000 + 66, geometric.Scale: 1000 + 66} {
		if got := count[kind]; got < want-260 || got > want+260 {
			t.Errorf("%v of 3000 attributes get a %s, expected about %v", got, kind, want)
		}
	}
}
