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

// Guarded opens the totals that the guard of the plan shows: those of enough records, without any party's part, too
// (see Large), of enough parties. counts says of how many records (or people) this party's values are made; of totals
// that are counts it is the values. The parts of a total that is not shown are never added, and of its count nobody
// learns more than that it, or what is left of it without some party's part, is too small. Two parties, who have no
// such comparison, are told the counts.
//
// Cost: that of two comparisons, and of adding the totals that are shown.
func Guarded(p *joint.Party, adding Add, values, counts []int64) ([]Opened, error) {
	if p.Parties() < 3 {
		return guardedOpenly(p, adding, values, counts)
	}
	number, some := contributions(counts)
	many, err := Large(p, number)
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
	few, least := make([]uint64, n), p.Plan().Least
	for i := range n {
		rest := told[i] - number[i]
		if !least.Shows(int64(told[i])) || least.Contributors > 1 && !least.Shows(int64(rest)) {
			few[i] = 1
		}
	}
	if few, err = adding(p, few); err != nil {
		return nil, err
	}
	many, enough := make([]bool, n), make([]bool, n)
	for i := range n {
		many[i] = few[i] == 0
		enough[i] = told[n+i] >= uint64(p.Plan().Least.Contributors)
	}
	return openSome(p, adding, values, many, enough)
}

// Large says which counts are at least the minimum cell of the plan, without the part of any party, too: a party that
// takes its own part away sees the count of the others. Where the plan shows totals of one contributor, who leaves none
// to the others, this is not asked of what is left. See AtLeast and OthersAtLeast.
func Large(p *joint.Party, numbers []uint64) ([]bool, error) {
	if p.Plan().Least.Contributors < 2 {
		return AtLeast(p, numbers, p.Plan().Least.Cell)
	}
	return OthersAtLeast(p, numbers, p.Plan().Least.Cell)
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
