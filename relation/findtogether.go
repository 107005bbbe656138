package relation

import (
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// categories returns the columns whose values count as categories.
func (f *finder) categories() []int {
	return slices.DeleteFunc(f.stand(), func(k int) bool {
		c := &f.cols[k]
		return c.date() || c.num != nil && len(c.values) > fewValues
	})
}

// set is a set of records of the sample.
type set []uint64

func (f *finder) set(has func(i int) bool) set {
	s := make(set, (len(f.rows)+63)/64)
	for i := range f.rows {
		if has(i) {
			s[i/64] |= 1 << (i % 64)
		}
	}
	return s
}

// category is a value of a column, with the records of the sample that have it.
type category struct {
	column int
	value  string
	is     set
}

// onlyTogether finds the columns that have a value, or one that is not 0, exactly where another has a certain one, or
// exactly where it has not; of two values the one that is there stands for the other that is not.
func (f *finder) onlyTogether() ([]Found, error) {
	var values []category
	there := make([]set, len(f.cols))
	for k := range f.cols {
		there[k] = f.set(func(i int) bool { return f.cols[k].code[i] >= 0 })
	}
	for _, k := range f.categories() {
		for v := range f.cols[k].count {
			is := f.set(func(i int) bool { return f.cols[k].code[i] == int32(v) })
			values = append(values, category{k, f.label(k, v), is})
		}
	}
	tried, related := float64(4*len(f.cols)*len(values)), f.related()
	return f.gather(2*len(f.cols), func(p int) (out []Found, err error) {
		a, zero := p/2, p%2 == 1
		c := &f.cols[a]
		if c.hidden || !c.comes(zero) {
			return nil, nil
		}
		has, known := there[a], []set{}
		if zero {
			has = f.set(func(i int) bool { return c.num[i] == c.num[i] && c.num[i] != 0 })
			known = append(known, there[a])
		}
		for _, b := range values {
			differ, agree, share := against(has, b.is, append(known, there[b.column]))
			// which of several values of one column are 0 in the other is no news where the two are related
			not := differ > f.slack && len(f.cols[b.column].count) > 2 && !(zero && related[a][b.column])
			if not {
				differ, share = agree, 1-share
			}
			if b.column == a || differ > f.slack {
				continue
			}
			r := Relation{Kind: OnlyTogether, Columns: f.name(a, b.column), Value: b.value, Zero: zero, Not: not}
			found, ok, err := f.together(r, share, []int{a, b.column}, tried)
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, found)
			}
		}
		return out, nil
	})
}

// comes reports whether a column is missing in some records, or 0 in some of a column of several numbers.
func (c *sample) comes(zero bool) bool {
	if !zero {
		return c.gaps > 0
	}
	return c.num != nil && !c.date() && len(c.values) > 2 && slices.Contains(c.values, 0)
}

// against counts the records in which just one of two things is the case, and the others, and in which share of the
// records just one would be if they were independent, among those that are in all sets.
func against(has, is set, in []set) (differ, agree int, share float64) {
	n, with, are := 0, 0, 0
	for w, h := range has {
		all := ^uint64(0)
		for _, s := range in {
			all &= s[w]
		}
		n += bits.OnesCount64(all)
		differ += bits.OnesCount64((h ^ is[w]) & all)
		with += bits.OnesCount64(h & all)
		are += bits.OnesCount64(is[w] & all)
	}
	p, q := float64(with)/float64(max(n, 1)), float64(are)/float64(max(n, 1))
	return differ, n - differ, float64(p*(1-q)) + float64((1-p)*q)
}

// together holds an OnlyTogether, which chance would break in a share of the records, against all of them.
func (f *finder) together(r Relation, share float64, cols []int, tried float64) (found Found, ok bool, err error) {
	b, err := r.Bind(f.t)
	if err != nil {
		return found, false, err
	}
	found.Relation = r
	for _, s := range b.States(f.t) {
		switch s {
		case Broken:
			found.Broken++
			found.Checked++
		case Holds:
			found.Checked++
		case Unknown:
		}
	}
	return found, f.beyond(found, share, cols, tried), nil
}

// label writes a value of a column as relations do.
func (f *finder) label(k, code int) string {
	c := &f.cols[k]
	if c.num != nil {
		return string(table.AppendNumber(nil, c.values[code]+0, 0))
	}
	at := slices.Index(c.code, int32(code))
	return c.a.Labels[f.t.Cat(c.j)[f.rows[at]]]
}

// coded is the frequent values of a column in all records: 0 where it is missing, 1 for a rare one, then those that
// are labelled.
type coded struct {
	column int
	of     []uint16
	labels []string
}

const (
	leastNever = 10      // records in which two categories must be expected together
	mostCells  = 1 << 16 // of the table of counts of two columns
)

// frequent returns the values of a category that at least leastNever records have.
func (f *finder) frequent(k int) coded {
	out := coded{column: k, of: make([]uint16, f.t.Rows())}
	c := &f.cols[k]
	if c.num != nil {
		v := f.t.Num(c.j)
		for code := range c.values {
			out.labels = append(out.labels, f.label(k, code))
		}
		for i, x := range v {
			if x == x {
				out.of[i] = uint16(slices.Index(c.values, x) + 2)
			}
		}
		return out
	}
	v := f.t.Cat(c.j)
	count, number := make([]int, len(c.a.Labels)), make([]uint16, len(c.a.Labels))
	for _, code := range v {
		if code >= 0 {
			count[code]++
		}
	}
	for code, n := range count {
		if number[code] = 1; n >= leastNever && len(out.labels) < mostCells-2 {
			number[code] = uint16(len(out.labels) + 2)
			out.labels = append(out.labels, c.a.Labels[code])
		}
	}
	for i, code := range v {
		if code >= 0 {
			out.of[i] = number[code]
		}
	}
	return out
}

// neverTogether finds the pairs of categories that are hardly ever in one record, of columns that no other relation
// links.
func (f *finder) neverTogether() ([]Found, error) {
	columns := f.categories()
	code := make([]coded, len(columns))
	if err := parallel.Each(f.ctx, len(columns), func(k int) error {
		code[k] = f.frequent(columns[k])
		return nil
	}); err != nil {
		return nil, err
	}
	related := f.related()
	var pairs [][2]int
	tried := 0.0
	for a := range code {
		for b := a + 1; b < len(code); b++ {
			x, y := len(code[a].labels), len(code[b].labels)
			if !related[columns[a]][columns[b]] && (x+2)*(y+2) <= mostCells {
				pairs = append(pairs, [2]int{a, b})
				tried += float64(x * y)
			}
		}
	}
	least := max(leastNever, portable.Log(tried/falseAlarm))
	return f.gather(len(pairs), func(p int) ([]Found, error) {
		return f.apart(&code[pairs[p][0]], &code[pairs[p][1]], least), nil
	})
}

// apart finds the values of two columns that are not together, and surprise by at least so many nats.
func (f *finder) apart(a, b *coded, least float64) (out []Found) {
	width := len(b.labels) + 2
	count := make([]int32, (len(a.labels)+2)*width)
	for i, v := range a.of {
		count[int(v)*width+int(b.of[i])]++
	}
	rows, columns, n := make([]float64, len(a.labels)+2), make([]float64, width), 0.0
	for x := 1; x < len(rows); x++ {
		for y := 1; y < width; y++ {
			c := float64(count[x*width+y])
			rows[x], columns[y], n = rows[x]+c, columns[y]+c, n+c
		}
	}
	units := f.units(a.column, b.column)
	for x, value := range a.labels {
		for y, other := range b.labels {
			expected, seen := rows[x+2]*columns[y+2]/max(n, 1), float64(count[(x+2)*width+y+2])
			if expected >= leastNever && seen <= MostBroken*expected &&
				nats(float64(expected*units), float64(seen*units)) >= least {
				out = append(out, Found{
					Relation: Relation{Kind: NeverTogether, Columns: f.name(a.column, b.column), Other: value, Value: other},
					Checked:  int(expected),
					Broken:   int(seen),
				})
			}
		}
	}
	return out
}

// related returns, by places in cols, of which columns a relation says more than that values are apart.
func (f *finder) related() [][]bool {
	out := f.follow()
	for x := range out {
		for y, follows := range out[x] {
			out[y][x] = out[y][x] || follows
		}
	}
	for _, r := range f.known {
		for _, a := range r.Columns {
			for _, b := range r.Columns {
				out[f.place[a]][f.place[b]] = true
			}
		}
	}
	return out
}
