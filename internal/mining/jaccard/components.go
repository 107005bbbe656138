package jaccard

import "context"

// Components returns for every set the lowest number of a set that a chain of neighbours leads to: the connected
// components of the graph whose edges join neighbours. Cost: every set is compared with those of its group that no
// chain has reached yet, so with few when components are large and O(n^2 p) at worst, for n sets of p attributes;
// memory O(n).
func (x *Index) Components(ctx context.Context) ([]int32, error) {
	f := forest{up: make([]int32, len(x.all))}
	copy(f.up, x.all)
	for b := range x.blocks {
		for g := range len(x.blocks[b].start) - 1 {
			if err := f.join(ctx, x, x.blocks[b].members(int32(g))); err != nil {
				return nil, err
			}
		}
	}
	for i := range f.up {
		f.up[i] = f.root(int32(i))
	}
	return f.up, ctx.Err()
}

// forest is a union-find: the root of a tree is its lowest number.
type forest struct {
	up          []int32
	rest, queue []int32
}

func (f *forest) root(i int32) int32 {
	for f.up[i] != i {
		f.up[i] = f.up[f.up[i]]
		i = f.up[i]
	}
	return i
}

func (f *forest) union(a, b int32) {
	a, b = f.root(a), f.root(b)
	f.up[max(a, b)] = min(a, b)
}

// join unites the neighbours among some sets. A set that has been reached leaves the rest, so none is compared with it
// again.
func (f *forest) join(ctx context.Context, x *Index, sets []int32) error {
	if len(sets) < 2 || f.united(sets) {
		return nil
	}
	f.rest = append(f.rest[:0], sets...)
	for len(f.rest) > 0 {
		f.queue = append(f.queue[:0], f.rest[len(f.rest)-1])
		f.rest = f.rest[:len(f.rest)-1]
		for at := 0; at < len(f.queue) && len(f.rest) > 0; at++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			f.reach(x, f.queue[at])
		}
	}
	return nil
}

// reach moves the neighbours of a set, and what is already united with it, from the rest to the queue.
func (f *forest) reach(x *Index, a int32) {
	kept := f.rest[:0]
	r := f.root(a)
	for _, b := range f.rest {
		if q := f.root(b); q != r {
			if !x.similar(a, b) {
				kept = append(kept, b)
				continue
			}
			f.union(q, r)
			r = min(q, r)
		}
		f.queue = append(f.queue, b)
	}
	f.rest = kept
}

// united reports whether some sets are in one tree.
func (f *forest) united(sets []int32) bool {
	r := f.root(sets[0])
	for _, i := range sets[1:] {
		if f.root(i) != r {
			return false
		}
	}
	return true
}
