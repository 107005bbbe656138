package suppress

import (
	"context"
	"math/rand/v2"
	"slices"
)

// exchanges are how often elimination is done again for a smaller beginning, at most, and how many
// cells all of these have together.
const exchanges, eliminated = 400, 100_000

// exchange looks for a beginning in which elimination leaves out fewer cells: one to three cells that are left out are
// published first, then those that were published, and last the others, in the order of their costs or in any. What
// leaves out no more is where the next step begins. It is the same each time. Cost: that of 400 eliminations, or
// fewer of more than 250 cells.
func (p *Problem) exchange(ctx context.Context, hidden []bool) ([]bool, error) {
	r := rand.New(rand.NewPCG(1, 2))
	byCost := p.orders()[0]
	left := p.solution(hidden).Secondary
	for range min(exchanges, eliminated/max(p.cells(), 1)) {
		others := [2][]int32{} // published ones, and those that are left out
		for _, c := range byCost {
			k := 0
			if hidden[c] {
				k = 1
			}
			others[k] = append(others[k], c)
		}
		if len(others[1]) == 0 {
			break
		}
		var order []int32
		for range 1 + r.IntN(3) {
			if c := others[1][r.IntN(len(others[1]))]; !slices.Contains(order, c) {
				order = append(order, c)
			}
		}
		first := slices.Clone(order)
		for _, part := range others {
			part = slices.DeleteFunc(part, func(c int32) bool { return slices.Contains(first, c) })
			if r.IntN(2) == 0 {
				r.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
			}
			order = append(order, part...)
		}
		next, err := p.eliminate(ctx, order)
		if err != nil {
			return nil, err
		}
		if n := p.solution(next).Secondary; n <= left {
			hidden, left = next, n
		}
	}
	return hidden, nil
}
