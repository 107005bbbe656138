package kanonymise

import (
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/diversity"
)

// classes are the records that are alike on some levels, in the order of their first record.
type classes struct {
	levels []int
	rep    []int32 // the first record
	count  []int32
	key    []uint64
	values []tally // by sensitive attribute
}

// tally is the sensitive values of classes: those of class c, ascending, are runs[start[c]:start[c+1]].
type tally struct {
	start []int32
	runs  []diversity.Run
}

func (t *tally) of(c int) []diversity.Run { return t.runs[t.start[c]:t.start[c+1]] }

func (c *classes) clone() classes {
	out := classes{levels: slices.Clone(c.levels), rep: slices.Clone(c.rep), count: slices.Clone(c.count)}
	for _, t := range c.values {
		out.values = append(out.values, tally{slices.Clone(t.start), slices.Clone(t.runs)})
	}
	return out
}

// records returns every record as a class.
func (f *frame) records() classes {
	c := classes{rep: make([]int32, f.rows), count: make([]int32, f.rows)}
	for i := range c.rep {
		c.rep[i], c.count[i] = int32(i), 1
	}
	for _, values := range f.values {
		t := tally{start: make([]int32, f.rows+1)}
		for i, v := range values {
			if v >= 0 {
				t.runs = append(t.runs, diversity.Run{Value: v, Count: 1})
			}
			t.start[i+1] = int32(len(t.runs))
		}
		c.values = append(c.values, t)
	}
	return c
}

// roller joins classes to those of higher levels. Its memory is used again, so what it returns holds until the next
// call.
type roller struct {
	f      *frame
	slots  []int32 // 1 + class, by hash of the key
	of     []int32 // by class of the source: its class
	order  []int32 // the classes of the source, by their class
	next   []int32
	counts [][]int32 // by sensitive attribute and value
	dst    classes
	axes   []int
	keys   [][]uint64
	all    []int // axes
}

func (f *frame) newRoller() *roller {
	r := &roller{f: f, dst: classes{values: make([]tally, len(f.secrets))}}
	for _, s := range f.secrets {
		r.counts = append(r.counts, make([]int32, s.codes))
	}
	for k := range f.axes {
		r.all = append(r.all, k)
	}
	return r
}

// roll returns the classes on some levels, made of those on levels that are nowhere higher; join adds their sensitive
// values. Cost: O(classes of the source, times axes).
func (r *roller) roll(levels []int, src *classes) *classes { return r.rollIn(levels, src, r.all) }

// rollIn does so for those that are alike in some axes.
func (r *roller) rollIn(levels []int, src *classes, in []int) *classes {
	r.axes, r.keys = r.axes[:0], r.keys[:0]
	for _, j := range in {
		if a := r.f.axes[j]; a.wide[levels[j]] {
			r.axes, r.keys = append(r.axes, j), append(r.keys, a.keys[levels[j]])
		}
	}
	shift := 63 - bits.Len(uint(len(src.rep)))
	size := 1 << (64 - shift) // slots, twice the classes at least
	if len(r.slots) < size {
		r.slots = make([]int32, size)
	}
	slots := r.slots[:size]
	clear(slots)
	d := &r.dst
	d.levels = append(d.levels[:0], levels...)
	d.rep, d.count, d.key, r.of = d.rep[:0], d.count[:0], d.key[:0], r.of[:0]
	for s, rep := range src.rep {
		row := r.f.row(rep)
		key := uint64(0)
		for k, j := range r.axes {
			key += r.keys[k][row[j]]
		}
		h := int(key * 0x9e3779b97f4a7c15 >> shift)
		for {
			class := slots[h] - 1
			if class < 0 {
				class = int32(len(d.rep))
				slots[h] = class + 1
				d.rep, d.count, d.key = append(d.rep, rep), append(d.count, src.count[s]), append(d.key, key)
				r.of = append(r.of, class)
				break
			}
			if d.key[class] == key && (r.f.exact || r.alike(levels, d.rep[class], rep)) {
				d.count[class] += src.count[s]
				r.of = append(r.of, class)
				break
			}
			h = (h + 1) & (size - 1)
		}
	}
	return d
}

// alike compares two records group by group.
func (r *roller) alike(levels []int, a, b int32) bool {
	x, y := r.f.row(a), r.f.row(b)
	for _, j := range r.axes {
		if g := r.f.axes[j].groups[levels[j]]; g[x[j]] != g[y[j]] {
			return false
		}
	}
	return true
}

// join adds up the sensitive values of what roll made of src.
func (r *roller) join(src *classes) *classes {
	if len(r.f.secrets) == 0 {
		return &r.dst
	}
	n := len(r.dst.rep)
	r.next = append(r.next[:0], make([]int32, n+1)...)
	for _, class := range r.of {
		r.next[class+1]++
	}
	for c := range n {
		r.next[c+1] += r.next[c]
	}
	r.order = slices.Grow(r.order[:0], len(r.of))[:len(r.of)]
	for s, class := range r.of {
		r.order[r.next[class]] = int32(s)
		r.next[class]++
	}
	for a := range r.dst.values { // next[c] is now the end of class c
		from, to := &src.values[a], &r.dst.values[a]
		to.start, to.runs = append(to.start[:0], 0), to.runs[:0]
		at := int32(0)
		for c := range n {
			to.runs = r.merge(to.runs, from, r.order[at:r.next[c]], r.counts[a])
			to.start = append(to.start, int32(len(to.runs)))
			at = r.next[c]
		}
	}
	return &r.dst
}

// merge appends the sum of the values of some classes. Counts are zero before and after.
func (r *roller) merge(runs []diversity.Run, from *tally, classes []int32, counts []int32) []diversity.Run {
	if len(classes) == 1 {
		return append(runs, from.of(int(classes[0]))...)
	}
	first := len(runs)
	for _, c := range classes {
		for _, x := range from.of(int(c)) {
			if counts[x.Value] == 0 {
				runs = append(runs, diversity.Run{Value: x.Value})
			}
			counts[x.Value] += x.Count
		}
	}
	own := runs[first:]
	slices.SortFunc(own, func(a, b diversity.Run) int { return int(a.Value - b.Value) })
	for k := range own {
		own[k].Count, counts[own[k].Value] = counts[own[k].Value], 0
	}
	return runs
}
