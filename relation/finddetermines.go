package relation

import (
	"math"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// majority says how well groups of records agree in a column: by Boyer and Moore's vote, in one pass and another.
type majority struct{ checked, groups, broken int }

// agreement counts the records in which x and y are there, their values of x, and the records whose y is not the
// majority's among those of their x. It stops where more than most of the votes contradict.
func agreement(x numbering, y []int32, most int) (m majority, ok bool) {
	type vote struct{ candidate, lead int32 } // the candidate 1 above its number, 0 for none
	votes := make([]vote, x.values)
	against := 0
	for i, v := range x.of {
		w := y[i]
		if v < 0 || w < 0 {
			continue
		}
		m.checked++
		switch g := &votes[v]; g.candidate {
		case 0:
			m.groups++
			*g = vote{w + 1, 1}
		case w + 1:
			g.lead++
		default:
			if against++; against > most {
				return m, false
			}
			if g.lead--; g.lead < 0 {
				*g = vote{w + 1, 1}
			}
		}
	}
	for i, v := range x.of {
		if w := y[i]; v >= 0 && w >= 0 && votes[v].candidate != w+1 {
			m.broken++
		}
	}
	return m, true
}

// varies returns the share of the records that do not have the most frequent value of y.
func (m majority) varies(x, y []int32, values int) float64 {
	count := make([]int32, values)
	for i, w := range y {
		if w >= 0 && x[i] >= 0 {
			count[w]++
		}
	}
	return 1 - float64(slices.Max(count))/float64(max(m.checked, 1))
}

// dependency is a column that determines another, with what it takes to say whether chance would break it.
type dependency struct {
	majority
	varies float64 // the share of records that do not have the most frequent value
}

// expected is in how many records y would be expected to differ from the others of its group if it were independent
// and so large a share of the records were of different units: each further one of a group has at least the chance of
// not having the most frequent value.
func (d dependency) expected(units float64) float64 { return float64(d.further(units) * d.varies) }

// further is how many records, so large a share of which are of different units, are not the first of their group.
func (d dependency) further(units float64) float64 {
	return max(float64(float64(d.checked)*units)-float64(d.groups), 0)
}

// beyondChance reports whether chance would break a dependency if so large a share of the records were independent.
func (d dependency) beyondChance(units, tried float64) bool {
	surprise := nats(d.expected(units), float64(float64(d.broken)*units))
	if d.broken == 0 {
		surprise = float64(-d.further(units) * portable.Log(1-d.varies))
	}
	return beyondChance(d.expected(1), d.checked, d.broken, surprise, tried)
}

// dependencies finds all columns that determine another one, in records taken to be independent.
func (f *finder) dependencies() error {
	parts := make([]map[int]dependency, len(f.cols))
	err := parallel.Each(f.ctx, len(parts), func(x int) error {
		parts[x] = map[int]dependency{}
		repeated := sync.OnceValue(func() []int { return f.repeated(x) })
		for y := range f.cols {
			if x == y || f.cols[y].hidden || !f.cols[x].varies() || !f.cols[y].varies() || !f.mayDetermine(x, y, repeated) {
				continue
			}
			if err := f.ctx.Err(); err != nil {
				return err
			}
			from, to := f.number(x), f.number(y)
			if d, ok := f.dependency(from, to); ok && d.beyondChance(1, float64(len(f.cols)*len(f.cols))) {
				parts[x][y] = d
			}
		}
		return nil
	})
	f.depends = map[[2]int]dependency{}
	for x, part := range parts {
		for y, d := range part {
			f.depends[[2]int{x, y}] = d
		}
	}
	return err
}

// dependency counts in all records how far x determines y.
func (f *finder) dependency(x, y numbering) (d dependency, ok bool) {
	m, ok := agreement(x, y.of, int(2*MostBroken*float64(len(x.of)))+1)
	return dependency{m, m.varies(x.of, y.of, y.values)}, ok
}

// units returns what share of the records are of different units: the least number of values, by records, of a column
// that determines all of these and that none of them determines; at most that of the records that tell something.
func (f *finder) units(cols ...int) float64 {
	least := f.share
	for z := range f.cols {
		if !slices.ContainsFunc(cols, func(c int) bool {
			_, down := f.depends[[2]int{z, c}]
			_, up := f.depends[[2]int{c, z}]
			return c == z || !down || up
		}) {
			least = min(least, float64(f.number(z).values)/float64(f.t.Rows()))
		}
	}
	return least
}

// determines returns the columns that determine another, in units taken to be independent. Those that determine each
// other are classes, of which the first stands for all.
func (f *finder) determines() ([]Found, error) {
	var all []Found
	for x := range f.cols {
		for y := range f.cols {
			d, ok := f.depends[[2]int{x, y}]
			if ok && !f.cols[x].hidden && !f.linked(x, y) && d.beyondChance(f.units(x, y), float64(len(f.cols)*len(f.cols))) {
				all = append(all, f.saysOf(d, x, y))
			}
		}
	}
	return f.classes(all), f.ctx.Err()
}

// saysOf is the relation of a dependency.
func (f *finder) saysOf(d dependency, cols ...int) Found {
	return Found{Relation: Relation{Kind: Determines, Columns: f.name(cols...)}, Checked: d.checked, Broken: d.broken}
}

// linked reports whether a linear relation says of two columns all that is to be said.
func (f *finder) linked(x, y int) bool {
	a, b := f.cols[x].a.Name, f.cols[y].a.Name
	return slices.ContainsFunc(f.known, func(r Found) bool {
		return r.Kind == Linear && len(r.Columns) == 2 && slices.Contains(r.Columns, a) && slices.Contains(r.Columns, b)
	})
}

// mayDetermine looks at the sample and, where a value of x is too rarely in there twice, at records that have their
// value of x in common.
func (f *finder) mayDetermine(x, y int, repeated func() []int) bool {
	a, b := &f.cols[x], &f.cols[y]
	d, ok := f.sampled(a.numbering(), b)
	if !ok {
		return false
	}
	expected := d.expected(1)
	if len(f.rows) == f.t.Rows() {
		return expected >= leastBreak
	}
	if expected > 4*float64(f.slack) {
		return true
	}
	rows := repeated()
	from, to := sample{j: a.j, a: a.a}, sample{j: b.j, a: b.a}
	from.take(f.t, rows)
	to.take(f.t, rows)
	if !from.varies() || !to.varies() {
		return false
	}
	m, ok := agreement(from.numbering(), to.code, len(rows)/100)
	if !ok {
		return false
	}
	expected = dependency{m, m.varies(from.code, to.code, len(to.count))}.expected(1)
	return expected >= 1 && float64(m.broken) <= expected/20
}

// sampled is dependency in the sample: ok is false where too many records break it.
func (f *finder) sampled(x numbering, y *sample) (d dependency, ok bool) {
	m, ok := agreement(x, y.code, 2*f.slack)
	if !ok || m.broken > f.slack {
		return d, false
	}
	return dependency{m, m.varies(x.of, y.code, len(y.count))}, true
}

// repeated returns some thousand records whose values of a column are not theirs alone.
func (f *finder) repeated(x int) []int {
	const some = 4096
	n := f.t.Rows()
	parts := uint64(n/some + 1)
	key := f.keys(x)
	count := map[uint64]int{}
	var rows []int
	for i := 0; i < n && len(rows) < 2*some; i++ {
		if h, ok := key(i); ok && table.Spread(h)%parts == 0 {
			count[h]++
			rows = append(rows, i)
		}
	}
	return slices.DeleteFunc(rows, func(i int) bool { h, _ := key(i); return count[h] < 2 })
}

// keys returns what tells the values of a column apart.
func (f *finder) keys(x int) func(i int) (key uint64, ok bool) {
	j := f.cols[x].j
	if v := f.t.Cat(j); v != nil {
		return func(i int) (uint64, bool) { return uint64(v[i]), v[i] >= 0 }
	}
	v := f.t.Num(j)
	return func(i int) (uint64, bool) { return math.Float64bits(v[i] + 0), v[i] == v[i] }
}

// numbering is the values of a column, or of several, numbered in all records.
type numbering struct {
	of     []int32
	values int
}

// numbering is that of the sample.
func (c *sample) numbering() numbering { return numbering{c.code, len(c.count)} }

// allValues numbers the values of a column.
func (f *finder) allValues(x int) numbering {
	if v := f.t.Cat(f.cols[x].j); v != nil {
		return numbering{v, len(f.cols[x].a.Labels)}
	}
	key := f.keys(x)
	out := numbering{of: make([]int32, f.t.Rows())}
	known := make(map[uint64]int32, len(f.cols[x].values))
	for i := range out.of {
		h, ok := key(i)
		if !ok {
			out.of[i] = -1
			continue
		}
		k, ok := known[h]
		if !ok {
			k = int32(len(known))
			known[h] = k
		}
		out.of[i] = k
	}
	out.values = len(known)
	return out
}

// pair numbers the pairs of two numberings.
func pair(a, b numbering) numbering {
	out := numbering{of: make([]int32, len(a.of))}
	var number func(p int) *int32 // 1 above the number of a pair, 0 for a new one
	if all := a.values * b.values; all <= 4*len(a.of)+1024 {
		numbers := make([]int32, all)
		number = func(p int) *int32 { return &numbers[p] }
	} else {
		numbers := make(map[int]*int32, len(a.of))
		number = func(p int) *int32 {
			if numbers[p] == nil {
				numbers[p] = new(int32)
			}
			return numbers[p]
		}
	}
	for i, v := range a.of {
		if out.of[i] = -1; v < 0 || b.of[i] < 0 {
			continue
		}
		n := number(int(v)*b.values + int(b.of[i]))
		if *n == 0 {
			out.values++
			*n = int32(out.values)
		}
		out.of[i] = *n - 1
	}
	return out
}

// number is allValues, which it does once for a column.
func (f *finder) number(x int) numbering {
	f.lock.Lock()
	once := f.numbered[x]
	if once == nil {
		once = sync.OnceValue(func() numbering { return f.allValues(x) })
		f.numbered[x] = once
	}
	f.lock.Unlock()
	return once()
}

// classes makes one of two columns that determine each other, and leaves to the first of such columns what all of them
// determine and are determined by.
func (f *finder) classes(all []Found) (out []Found) {
	has := map[[2]int]*Found{}
	for k := range all {
		has[[2]int{f.place[all[k].Columns[0]], f.place[all[k].Columns[1]]}] = &all[k]
	}
	first := make([]int, len(f.cols))
	for y := range f.cols {
		first[y] = y
		for x := range y {
			if first[x] == x && (f.linked(x, y) || has[[2]int{x, y}] != nil && has[[2]int{y, x}] != nil) {
				first[y] = x
				break
			}
		}
	}
	for k := range all {
		r := all[k]
		x, y := f.place[r.Columns[0]], f.place[r.Columns[1]]
		switch {
		case first[y] == x:
			if r.Both = true; !f.linked(x, y) {
				out = append(out, r)
			}
		case first[x] == x && first[y] == y:
			out = append(out, r)
		}
	}
	return out
}

// stand returns the columns of two values and more that no column before them determines and is determined by.
func (f *finder) stand() (out []int) {
	later := map[string]bool{}
	for _, r := range f.known {
		if r.Both {
			later[r.Columns[1]] = true
		}
		if r.Kind == Linear && len(r.Columns) == 2 {
			a, b := f.place[r.Columns[0]], f.place[r.Columns[1]]
			later[f.cols[max(a, b)].a.Name] = true
		}
	}
	for k := range f.cols {
		if c := &f.cols[k]; c.varies() && !c.hidden && !later[c.a.Name] {
			out = append(out, k)
		}
	}
	return out
}

// determinedByTwo finds the columns that two others determine and neither alone. The two have to be crossed: of two
// that hardly occur with several values of the other, as of the places that records are from, either is a key of what
// the table does not tell, and together they determine all that belongs to it.
func (f *finder) determinedByTwo() ([]Found, error) {
	if f.t.Width() > mostPairs {
		return nil, nil
	}
	columns := f.stand()
	alone := f.follow()
	n := len(columns)
	return f.gather(n*n, func(p int) (out []Found, err error) {
		x, z := columns[p/n], columns[p%n]
		if x >= z || alone[x][z] || alone[z][x] {
			return nil, nil
		}
		a, b := f.cols[x].numbering(), f.cols[z].numbering()
		by := pair(a, b)
		if len(by.of)-by.values < leastBreak || by.values < 2*max(a.values, b.values) {
			return nil, nil
		}
		for _, y := range columns {
			if y == x || y == z || alone[x][y] || alone[z][y] {
				continue
			}
			d, ok := f.sampled(by, &f.cols[y])
			if !ok || d.expected(1) < leastBreak || f.adds(by, []int{x, z}, y) < leastBreak {
				continue
			}
			d, ok = f.dependency(f.both(x, z), f.number(y))
			if ok && d.beyondChance(f.units(x, z, y), float64(n*n*n)) {
				out = append(out, f.saysOf(d, x, z, y))
			}
		}
		return out, nil
	})
}

// both numbers the pairs of values of two columns in all records.
func (f *finder) both(x, z int) numbering { return pair(f.number(x), f.number(z)) }

// adds returns in how many records of the sample that are not the first with their pair of values y would be expected
// to differ if it depended on one of the two columns alone, that which says more.
func (f *finder) adds(by numbering, xs []int, y int) float64 {
	least := math.Inf(1)
	for _, x := range xs {
		a, c := &f.cols[x], &f.cols[y]
		in := pair(a.numbering(), c.numbering())
		count, most, of := make([]int32, in.values), make([]float64, len(a.count)), make([]float64, len(a.count))
		for i, p := range in.of {
			if p >= 0 {
				count[p]++
				of[a.code[i]]++
				most[a.code[i]] = max(most[a.code[i]], float64(count[p]))
			}
		}
		seen, expected := make([]bool, by.values), 0.0
		for i, p := range by.of {
			if p >= 0 && in.of[i] >= 0 {
				if seen[p] {
					expected += 1 - most[a.code[i]]/of[a.code[i]]
				}
				seen[p] = true
			}
		}
		least = min(least, expected)
	}
	return least
}

// follow returns, by places in cols, which columns follow from which single others by the relations known so far.
func (f *finder) follow() [][]bool {
	out := make([][]bool, len(f.cols))
	parallel.Do(len(f.cols), func(x int) {
		out[x] = make([]bool, len(f.cols))
		for name := range closure(f.known, f.cols[x].a.Name) {
			out[x][f.place[name]] = true
		}
	})
	return out
}
