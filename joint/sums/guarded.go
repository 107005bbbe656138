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
// of how many records (or people) this party's values are made; of totals that are counts it is the values. The parts
// of a total that is not shown are never added, and of its count nobody learns more than that it is too small: see
// AtLeast. Two parties, who have no such comparison, are told the counts.
//
// Cost: that of two comparisons, and of adding the totals that are shown.
func Guarded(p *joint.Party, adding Add, values, counts []int64) ([]Opened, error) {
	if p.Parties() < 3 {
		return guardedOpenly(p, adding, values, counts)
	}
	number, some := contributions(counts)
	many, err := AtLeast(p, number, p.Plan().Least.Cell)
	if err != nil {
		return nil, err
	}
	enough, err := AtLeast(p, some, p.Plan().Least.Contributors)
	if err != nil {
		return nil, err
	}
	return openSome(p, adding, values, many, enough)
}

// guardedOpenly is Guarded for additions that go on without parties, and for two parties: all are told the counts.
func guardedOpenly(p *joint.Party, adding Add, values, counts []int64) ([]Opened, error) {
	n := len(values)
	number, some := contributions(counts)
	told, err := adding(p, append(number, some...))
	if err != nil {
		return nil, err
	}
	many, enough := make([]bool, n), make([]bool, n)
	for i := range n {
		many[i] = p.Plan().Least.Shows(int64(told[i]))
		enough[i] = told[n+i] >= uint64(p.Plan().Least.Contributors)
	}
	return openSome(p, adding, values, many, enough)
}

// contributions are counts, and 1 where there is any.
func contributions(counts []int64) (number, some []uint64) {
	number, some = make([]uint64, len(counts)), make([]uint64, len(counts))
	for i, c := range counts {
		if c > 0 {
			number[i], some[i] = uint64(c), 1
		}
	}
	return number, some
}

// openSome adds the values that pass.
func openSome(p *joint.Party, adding Add, values []int64, many, enough []bool) ([]Opened, error) {
	out := make([]Opened, len(values))
	var open []uint64
	for i := range out {
		switch {
		case !many[i]:
			out[i].Why = joint.BelowCell
		case !enough[i]:
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
