package protect

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/table"
)

// Indivisible is a Grouper all of whose records meet: no part of a table can be released without the others.
type Indivisible interface {
	Grouper
	// Whole says that this is so.
	Whole()
}

// OneGroup makes a plan Indivisible.
type OneGroup struct{}

// Whole says that all records meet.
func (OneGroup) Whole() {}

// Group puts all records together.
func (OneGroup) Group(chunk *table.Table) ([]uint64, error) { return make([]uint64, chunk.Rows()), nil }

// InOrder applies a plan to the records of a chunk in the order of their identities, and returns the release in that of
// the chunk: sums over records, and so what is worked out from them, depend on the order in their last digits.
func InOrder(chunk *table.Table, apply func(*table.Table) (*table.Table, error)) (*table.Table, error) {
	ids, _ := chunk.IDs()
	if slices.IsSorted(ids) {
		return apply(chunk)
	}
	rows := make([]int, len(ids))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	out, err := apply(chunk.Gather(rows))
	if err != nil {
		return nil, err
	}
	back := make([]int, len(rows))
	for i, r := range rows {
		back[r] = i
	}
	return out.Gather(back), nil
}
