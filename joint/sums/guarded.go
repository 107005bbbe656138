package sums

import (
	"errors"

	"github.com/dither-data/dither/joint"
)

var errModulus = errors.New("a number is not below the modulus")

// Opened is a total that the guard let through, or why it did not.
type Opened struct {
	Value int64
	Why   string // joint.BelowCell or joint.FewContributors; empty: Value is shown
}

// Shown reports whether the total is shown.
func (o Opened) Shown() bool { return o.Why == "" }

// Cell is the total, as results have it.
func (o Opened) Cell() any {
	if o.Shown() {
		return o.Value
	}
	return joint.Withheld{Why: o.Why}
}

// Guarded opens the totals that the guard of the plan shows: those of enough records, of enough parties. counts says
// of how many records (or people) this party's values are made; of totals that are counts it is the values.
// A value whose count is 0 is 0. The others' totals are never added.
//
// Cost: that of adding three vectors, the last of the totals that are shown.
func Guarded(p *joint.Party, adding Add, values, counts []int64) ([]Opened, error) {
	n := len(values)
	ask := make([]uint64, 2*n)
	for i, c := range counts {
		if c > 0 {
			ask[i], ask[n+i] = uint64(c), 1
		}
	}
	told, err := adding(p, ask)
	if err != nil {
		return nil, err
	}
	out := make([]Opened, n)
	var open []uint64
	for i := range out {
		switch least := p.Plan().Least; {
		case !least.Shows(int64(told[i])):
			out[i].Why = joint.BelowCell
		case told[n+i] < uint64(least.Contributors):
			out[i].Why = joint.FewContributors
		default:
			open = append(open, uint64(values[i]))
		}
	}
	totals, err := adding(p, open)
	if err != nil {
		return nil, err
	}
	for i := range out {
		if out[i].Shown() {
			out[i].Value, totals = int64(totals[0]), totals[1:]
		}
	}
	return out, nil
}
