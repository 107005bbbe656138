package forests

import (
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/segment/tree"
)

// builder is a forest under way.
type builder struct {
	*SysForLearner
	span   []float64 // by column: the range of a numeric attribute over the whole table
	data   *c45.Data
	forest *tree.Forest
}

// build grows the trees of the first level, one per good test, then those of the second (Islam & Giggins 2011,
// section 3).
func (b *builder) build() error {
	all := b.data.All()
	good := b.good(all)
	if len(good) == 0 {
		return b.grow(nil)
	}
	for _, root := range good {
		if err := b.grow(root.force(nil)); err != nil || b.full() {
			return err
		}
	}
	for _, root := range good {
		if err := b.again(all, root); err != nil || b.full() {
			return err
		}
	}
	return nil
}

func (b *builder) full() bool { return len(b.forest.Trees) == b.Trees }

// grow adds a tree that begins with the given tests.
func (b *builder) grow(root *c45.Test) error {
	t, err := b.data.Grow(root)
	if err == nil {
		b.forest.Trees = append(b.forest.Trees, t)
	}
	return err
}

// again grows the trees of the second level that have the given root: in round x every branch begins with the good
// test of its records after the x best ones, or with the best where there are not so many. The rounds are as many as
// the branches have good tests on the average over the records.
func (b *builder) again(all *c45.Part, root test) error {
	parts := all.Divide(root.attr, root.cut)
	good := make([][]test, len(parts))
	tests, weight := 0.0, 0.0
	for k, p := range parts {
		good[k] = b.good(p)
		w := p.Weight()
		tests += float64(w * float64(len(good[k])))
		weight += w
	}
	rounds := int(tests / weight)
	for x := 1; x <= rounds; x++ {
		below := make([]*c45.Test, len(parts))
		for k, g := range good {
			switch {
			case len(g) == 0:
				below[k] = &c45.Test{Attr: -1}
			case x < len(g):
				below[k] = g[x].force(nil)
			default:
				below[k] = g[0].force(nil)
			}
		}
		if err := b.grow(root.force(below)); err != nil || b.full() {
			return err
		}
	}
	return nil
}
