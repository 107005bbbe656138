package classes

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
)

const (
	many = 4096 // classes that one task visits
	few  = 4    // classes that are compared with all others
)

// Each calls visit for every class, with the classes that it is compatible with, itself among them, in an order that
// does not depend on the number of cores. Workers start now and then and visit different classes at the same time; near
// is theirs until they return.
func (c *Classes) Each(ctx context.Context, start func() (visit func(class int32, near []int32))) error {
	if c.codes != nil {
		return c.compatible(ctx, start)
	}
	n := c.Len()
	return each(ctx, (n+many-1)/many, func() func(int) {
		visit, near := start(), make([]int32, 1)
		return func(task int) {
			for class := task * many; class < min(n, (task+1)*many); class++ {
				near[0] = int32(class)
				visit(int32(class), near)
			}
		}
	})
}

// pattern is the classes that lack the same columns.
type pattern struct {
	lacks   []int // columns
	classes []int32
}

// patterns returns the patterns, the largest first.
func (c *Classes) patterns() []pattern {
	var out []pattern
	index := map[string]int{}
	key := make([]byte, c.width)
	for class := range int32(c.Len()) {
		for j, code := range c.row(class) {
			key[j] = byte(min(code, 1))
		}
		p, ok := index[string(key)]
		if !ok {
			p = len(out)
			index[string(key)] = p
			out = append(out, pattern{})
			for j, has := range key {
				if has == 0 {
					out[p].lacks = append(out[p].lacks, j)
				}
			}
		}
		out[p].classes = append(out[p].classes, class)
	}
	sorting.Stable(out, func(a, b pattern) int { return cmp.Compare(len(b.classes), len(a.classes)) })
	return out
}

// matcher finds compatible classes. Classes of two patterns are compatible when they agree in the columns that neither
// lacks, so those of the smaller pattern are kept by a hash of these columns and looked up for each of the larger.
type matcher struct {
	*Classes
	ctx      context.Context
	patterns []pattern
	factor   []uint64 // by column
	sums     []uint64 // by class: its codes times the factors
	position []int32  // by class: in its pattern
}

func (c *Classes) compatible(ctx context.Context, start func() func(int32, []int32)) error {
	m := matcher{Classes: c, ctx: ctx, patterns: c.patterns(), factor: make([]uint64, c.width),
		sums: make([]uint64, c.Len()), position: make([]int32, c.Len())}
	for j := range m.factor {
		m.factor[j] = mix(uint64(j+1)) | 1
	}
	for class := range int32(c.Len()) {
		for j, code := range c.row(class) {
			m.sums[class] += uint64(code) * m.factor[j]
		}
	}
	indexes := make([]index, len(m.patterns)) // whose memory serves every pattern
	for p, own := range m.patterns {
		indexes[p] = m.index(own)
		for i, class := range own.classes {
			m.position[class] = int32(i)
		}
	}
	for p := range m.patterns {
		if err := m.visit(p, indexes[p:], start); err != nil {
			return err
		}
	}
	return nil
}

// visit finds the classes compatible with those of one pattern. Smaller are the indexes of its own and of the patterns
// after it.
func (m *matcher) visit(p int, smaller []index, start func() func(int32, []int32)) error {
	own := m.patterns[p]
	if len(own.classes) <= few {
		return m.compare(own, start)
	}
	larger, err := m.larger(p)
	if err != nil {
		return err
	}
	err = each(m.ctx, len(smaller), func() func(int) { return func(q int) { smaller[q].fill(own) } })
	if err != nil {
		return err
	}
	return each(m.ctx, (len(own.classes)+many-1)/many, func() func(int) {
		visit := start()
		var near []int32
		return func(task int) {
			for _, class := range own.classes[task*many : min(len(own.classes), (task+1)*many)] {
				near = append(near[:0], larger.of(m.position[class])...)
				for q := range smaller {
					near = smaller[q].find(class, near)
				}
				visit(class, near)
			}
		}
	})
}

// compare compares a few classes with all.
func (m *matcher) compare(p pattern, start func() func(int32, []int32)) error {
	return each(m.ctx, len(p.classes), func() func(int) {
		visit := start()
		var near []int32
		return func(task int) {
			near = near[:0]
			for other := range int32(m.Len()) {
				if m.Alike(p.classes[task], other) {
					near = append(near, other)
				}
			}
			visit(p.classes[task], near)
		}
	})
}

// larger finds for the classes of a pattern those that are compatible in the larger patterns, which come before it.
func (m *matcher) larger(p int) (lists, error) {
	type task struct {
		from    pattern
		classes []int32
	}
	var tasks []task
	for _, q := range m.patterns[:p] {
		for part := range slices.Chunk(q.classes, block) {
			tasks = append(tasks, task{q, part})
		}
	}
	own := m.patterns[p]
	found := make([][]match, len(tasks))
	err := each(m.ctx, len(tasks), func() func(int) {
		x := m.index(own)
		var near []int32
		return func(k int) {
			x.fill(tasks[k].from)
			for _, class := range tasks[k].classes {
				near = x.find(class, near[:0])
				for _, c := range near {
					found[k] = append(found[k], match{m.position[c], class})
				}
			}
		}
	})
	return gather(found, len(own.classes)), err
}

// index is the classes of a pattern by the columns that they have in common with another pattern.
type index struct {
	*matcher
	pattern
	slots []int32 // the last class put there, by its position + 1; 0 is empty
	next  []int32 // by position: the class put into the same slot before, likewise
	shift int
}

// index returns an empty index of a pattern.
func (m *matcher) index(of pattern) index {
	log := bits.Len(uint(2 * len(of.classes)))
	return index{m, of, make([]int32, 1<<log), make([]int32, len(of.classes)), 64 - log}
}

// fill puts the classes by the columns they have in common with those of a pattern.
func (x *index) fill(with pattern) {
	clear(x.slots)
	for i, class := range x.classes {
		at := &x.slots[x.hash(class, with.lacks)>>x.shift]
		x.next[i] = *at
		*at = int32(i + 1)
	}
}

// hash returns the hash of a class without some columns.
func (m *matcher) hash(class int32, without []int) uint64 {
	h := m.sums[class]
	row := m.row(class)
	for _, j := range without {
		h -= uint64(row[j]) * m.factor[j]
	}
	return h
}

// find appends the classes of the index that are compatible with one of the other pattern.
func (x *index) find(class int32, near []int32) []int32 {
	for at := x.slots[x.hash(class, x.lacks)>>x.shift]; at != 0; at = x.next[at-1] {
		if other := x.classes[at-1]; x.Alike(class, other) {
			near = append(near, other)
		}
	}
	return near
}
