package selectmeasure

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/stats/audit"
	"github.com/dither-data/dither/internal/stats/graphical"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
)

// The audit distinguishes two neighbouring tables by what is fitted to them: 50 records, and one more, of columns with
// one value each, so that all that is measured is their number. The law says how many records it speaks for. From how
// often a threshold tells the tables apart follows a lower bound on how far the means of the two are apart, in standard
// deviations of normal noise, and from that a lower bound on epsilon (audit.Attack.Mu). One column takes all of the
// budget; of several, a part chooses, which the law does not show. Claims are in the middle of what one may take:
// epsilon 10, delta 1e-9.

// claim is what is audited, and falseAlarm the chance with which a bound is above the true epsilon.
var claim = Promise{Epsilon: 10, Delta: 1e-9}

const falseAlarm = 1e-4

// least returns a lower bound on epsilon at the claim's delta, by tables of so many columns.
func least(t *testing.T, fit fitter, columns, times int) float64 {
	t.Helper()
	numbers := func(records, seed int) func(int) float64 {
		tab := &Table{Domain: slices.Repeat(graphical.Domain{1}, columns), Columns: make([][]int32, columns)}
		for v := range tab.Columns {
			tab.Columns[v] = make([]int32, records)
		}
		return func(run int) float64 {
			l := must.Get(fit(t.Context(), tab, claim, source(seed+run)))(t)
			return l.Records
		}
	}
	a := audit.Attack{First: numbers(51, times), Second: numbers(50, 0), Runs: times, FalseAlarm: falseAlarm}
	mu := a.Mu()
	if mu <= 0 {
		return 0
	}
	return mechanism.GaussianEpsilon(mu, claim.Delta)
}

// spending returns a fit that spends so many times the budget it claims: 4 is a sensitivity off by two.
func spending(times float64) fitter {
	return func(ctx context.Context, t *Table, p Promise, src rng.Source) (*Law, error) {
		rho, err := mechanism.Rho(p.Epsilon, p.Delta)
		if err != nil {
			return nil, err
		}
		p.Epsilon = mechanism.TightEpsilon(times*rho, p.Delta)
		return MST(ctx, t, p, src)
	}
}

// counting returns a fit that takes the number of records from the table.
func counting(ctx context.Context, t *Table, p Promise, src rng.Source) (*Law, error) {
	p.Records = len(t.Columns[0])
	return MST(ctx, t, p, src)
}

// The bounds stay below the claims; of mistakes that are planted they are above.
func TestAudit(t *testing.T) {
	long.Only(t, "an audit of differential privacy")
	times, most, few := 2000, 1000, 400
	if long.Every() {
		times, most, few = 10_000, 10_000, 4000
	}
	for name, fit := range fitters {
		for columns, times := range map[int]int{1: most, 3: few} {
			if bound := least(t, fit, columns, times); bound > claim.Epsilon {
				t.Errorf("%s of %d columns: epsilon is at least %.3g, the claim is %g", name, columns, bound, claim.Epsilon)
			} else {
				t.Logf("%s of %d columns: epsilon is at least %.3g", name, columns, bound)
			}
		}
	}
	for what, fit := range map[string]fitter{
		"a sensitivity off by two": spending(4), "the budget spent twice": spending(2),
		"the number of records taken from the table": counting,
	} {
		bound := least(t, fit, 1, times)
		if t.Logf("%s: epsilon is at least %.3g", what, bound); bound <= claim.Epsilon {
			t.Errorf("%s is not found: epsilon is at least %.3g", what, bound)
		}
	}
}

// A value that one record has is not told apart from one that none has: the same audit by the law's share of that
// value.
func TestAuditOfARareValue(t *testing.T) {
	long.Only(t, "an audit of differential privacy")
	const times = 1000
	rare := func(fit fitter) fitter {
		return func(ctx context.Context, t *Table, p Promise, src rng.Source) (*Law, error) {
			n := len(t.Columns[0])
			tab := &Table{Domain: slices.Repeat(graphical.Domain{2}, len(t.Domain)), Columns: make([][]int32, len(t.Domain))}
			for v := range tab.Columns {
				tab.Columns[v] = make([]int32, n)
				for i := 50; i < n; i++ { // the record that only one of the tables has
					tab.Columns[v][i] = 1
				}
			}
			l, err := fit(ctx, tab, p, src)
			if err != nil {
				return nil, err
			}
			made := l.Sample(1000, src.Fork("made"))
			all := 0
			for _, column := range made {
				for _, x := range column {
					all += int(x)
				}
			}
			return &Law{Records: float64(all) + math.Mod(l.Records, 1)/2}, nil
		}
	}
	for name, fit := range fitters {
		if bound := least(t, rare(fit), 3, times); bound > claim.Epsilon {
			t.Errorf("%s: epsilon is at least %.3g, the claim is %g", name, bound, claim.Epsilon)
		}
	}
}
