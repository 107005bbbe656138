package bestorrest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestCorrections takes the sentences at their word: the counts that a user works out from a release are those of the
// original.
func TestCorrections(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, percent := sapDraw(r), rapid.IntRange(1, 99).Draw(r, "percent")
		q := &SAPTechnique{P: float64(percent) / 100, Bins: 3,
			Scenario: rapid.SampledFrom(
				[]string{S1, S2},
			).Draw(r, "scenario"), Count: rapid.SampledFrom([]string{Critical, ClassSize}).Draw(r, "count")}
		plan := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(r)
		p := plan.(*SAPPlan)
		out := must.Get(p.Apply(tab, protecttest.Seed(2)))(r)
		said := slices.Concat(message.Written(p.Corrections()), []string{"", ""})
		for k := range p.Rules {
			was, left := p.holders(&p.Rules[k], tab), p.holders(&p.Rules[k], out)
			for g := range was {
				if p.Class < 0 { // the class itself is what is suppressed
					checkShare(r, said[1], len(was[g]), len(left[g]))
				} else if q.Count == Critical {
					checkShare(r, said[0], len(was[g]), len(left[g]))
				} else {
					checkSize(r, said[0], len(was[g]), len(left[g]), p.sizes(tab)[g])
				}
			}
		}
	})
}

func checkShare(r *rapid.T, said string, was, left int) {
	var by, short float64
	if _, err := fmt.Sscanf(said[strings.Index(said, ": ")+2:], "that in the release, divided by %g, is short of it by "+
		"less than %g records", &by, &short); err != nil {
		r.Fatalf("%q: %v", said, err)
	}
	if d := float64(was) - float64(left)/by; d < -1e-3 || d > short+1e-3 {
		r.Fatalf("%d are left of %d; %q", left, was, said)
	}
}

func checkSize(r *rapid.T, said string, was, left, size int) {
	var share float64
	if _, err := fmt.Sscanf(said[strings.Index(said, ": ")+2:], "that in the release plus %g of the size of the class",
		&share); err != nil {
		r.Fatalf("%q: %v", said, err)
	}
	more := int(math.Ceil(share*float64(size) - 1e-9))
	if left > 0 && left+more != was || left == 0 && was > more {
		r.Fatalf("%d are left of %d in a class of %d; %q", left, was, size, said)
	}
}

// The sentences name what is critical, and none promises what cannot be counted.
func TestCorrectionsSay(t *testing.T) {
	v := table.NumColumn("v", 1, []float64{1, 2, 3, 4})
	w := table.CatColumn("w", []string{"p", "q"}, []int32{0, 0, 1, 1})
	tab := tabletest.Of(t, v, w, role(table.CatColumn("class", []string{"a", "b"}, []int32{0, 0, 1, 1}), table.Class))
	for set, want := range map[string]string{
		"bins=2": "count of a critical value among the records of its class: that in the release, divided by 0.9, is short " +
			"of it by less than 1.12 records\n" +
			"counts of all other values need no correction\ncritical where class = a: v ≤ 2, w = p\ncritical where class = b: " +
			"v > 2, w = q",
		"bins=2 p=1": "count of a critical value among the records of its class: all of them are suppressed, so they " +
			"cannot be counted\n" +
			"counts of all other values need no correction\ncritical where class = a: v ≤ 2, w = p\ncritical where class = b: " +
			"v > 2, w = q",
		"p=0": "",
		"scenario=s2 p=0.5": "frequencies among the known sensitive values need no correction but for rounding\n" +
			"count of a sensitive value: that in the release, divided by 0.5, is short of it by less than 2.00 records",
		"scenario=s2 p=1": "sensitive values: all of them are suppressed, so they cannot be counted",
	} {
		given := map[string]string{}
		for _, s := range strings.Fields(set) {
			k, v, _ := strings.Cut(s, "=")
			given[k] = v
		}
		if got := strings.Join(message.Written(sapFit(t, tab, given).Corrections()), "\n"); got != want {
			t.Errorf("%s:\n%s\nexpected\n%s", set, got, want)
		}
	}
}
