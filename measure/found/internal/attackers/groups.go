package attackers

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// Groups are released records put together by columns that are one in all records of a unit, or nearly: so users see
// which records are one unit's although the column that tells units apart was left out.
type Groups struct {
	Columns []int    // of the table, ascending
	Keys    []string // the pseudonyms that the release shows, which are among what puts the records together
	// Pure is the share of the units that who knows everything of them finds by their group, as a group that is of
	// several units finds each by its part of it.
	Pure  float64
	of    []int32     // by released record
	rows  table.Lists // the records by group; the smallest group first
	wrong float64     // what a record more or less than the unit has counts against a group
}

// In how many of the units with several records a column must be one to put their records together: always, nearly, and
// not without proof that it does.
const always, nearly = 0.999, 0.9

// mostTimes is how many times the records of a unit a group may have that is looked at.
const mostTimes = 16

// mostDoubtful is how many columns are tried that are nearly one in a unit.
const mostDoubtful = 2

// GroupsOf puts the released records together as well as the columns of the release can; nil where everybody has one
// record, or no column is one in all records of a unit. A release may lack a column; -1 for none. Cost: O(n) for every
// column, once for a release.
func GroupsOf(r *measure.Release, lacks int) (*Groups, error) {
	key := fmt.Sprintf("attackers: groups without %d", lacks)
	return measure.PerReading(r, key, func(r *measure.Release) (*Groups, error) { return groupsOf(r, lacks), nil })
}

func groupsOf(r *measure.Release, lacks int) *Groups {
	of, n := r.People()
	if of == nil || len(of) != r.Released.Rows() {
		return nil
	}
	u := unitsOf(of, n)
	hash := make([]uint64, len(of))
	var columns []int
	var keys []string
	for _, name := range r.Shown {
		value := shown(r, name)
		if u.one(value) >= always {
			keys = append(keys, name)
			mixIn(hash, hash, value)
		}
	}
	type doubtful struct {
		column int
		one    float64
	}
	var some []doubtful
	for j := range r.Released.Width() {
		if j == lacks || !r.Released.Attr(j).Kind.Scalar() {
			continue
		}
		value := words(r.Released, j)
		switch one := u.one(value); {
		case one >= always:
			columns = append(columns, j)
			mixIn(hash, hash, value)
		case one >= nearly:
			some = append(some, doubtful{j, one})
		}
	}
	var best *Groups
	if len(columns)+len(keys) > 0 {
		best = u.by(hash, columns)
	}
	sorting.Stable(some, func(a, b doubtful) int { return cmp.Compare(b.one, a.one) })
	for _, d := range some[:min(len(some), mostDoubtful)] {
		finer := make([]uint64, len(hash))
		mixIn(finer, hash, words(r.Released, d.column))
		if g := u.by(finer, append(slices.Clone(columns), d.column)); best == nil || g.Pure > best.Pure {
			best, columns, hash = g, g.Columns, finer
		}
	}
	if best != nil {
		slices.Sort(best.Columns)
		best.Keys = keys
	}
	return best
}

// shown returns a function that tells by row whose pseudonym a released record has: of the pairs' originals.
func shown(r *measure.Release, name string) func(i int) uint64 {
	of := r.Persons[name]
	return func(i int) uint64 {
		if who, told := of[r.Original.ID(i)]; told {
			return uint64(who)
		}
		return math.MaxUint64 - uint64(i) // a record of its own
	}
}

// words returns a function that tells by row what a column shows, as a word. Missing values are one value.
func words(t *table.Table, j int) func(i int) uint64 {
	if t.Attr(j).Kind == table.Categorical {
		codes := t.Cat(j)
		return func(i int) uint64 { return uint64(codes[i]) }
	}
	values := t.Num(j)
	return func(i int) uint64 {
		if v := values[i]; v == v {
			return math.Float64bits(v + 0) // of both zeros the same
		}
		return math.MaxUint64
	}
}

// mixIn mixes a value into the word of every row. Two rows of other values have one word with the chance 2^-64.
func mixIn(to, from []uint64, value func(i int) uint64) {
	for i, h := range from {
		h = (h ^ value(i)) + 0x9e3779b97f4a7c15 // the finaliser of SplitMix64
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		to[i] = h ^ h>>31
	}
}

// units is whose the records are.
type units struct {
	of      []int32
	records []int32 // by unit
	several int     // units with several
}

func unitsOf(of []int32, n int) *units {
	u := &units{of: of, records: make([]int32, n)}
	for _, p := range of {
		if u.records[p]++; u.records[p] == 2 {
			u.several++
		}
	}
	return u
}

// one returns the share of the units with several records that show one value; 0 where it is below nearly, or where
// all records show the same.
func (u *units) one(value func(i int) uint64) float64 {
	first, broken := make([]int64, len(u.records)), 0 // 1 + the row of the first record; -1 where another differs
	same := true
	for i, p := range u.of {
		v := value(i)
		same = same && v == value(0)
		switch at := first[p]; {
		case at == 0:
			first[p] = int64(i) + 1
		case at > 0 && v != value(int(at-1)):
			first[p] = -1
			if broken++; float64(broken) > (1-nearly)*float64(u.several) {
				return 0
			}
		}
	}
	if same {
		return 0
	}
	return 1 - float64(broken)/float64(max(1, u.several))
}

// by groups the records by their words.
func (u *units) by(hash []uint64, columns []int) *Groups {
	var sizes []int32
	var words []uint64 // by group
	// A table with open addressing: 1 + the group of a word. Words are mixed, so any of their bits are as good as others.
	places := make([]int32, 2<<bits.Len(uint(len(hash))))
	g := &Groups{Columns: columns, of: make([]int32, len(hash))}
	for i, h := range hash {
		at := h % uint64(len(places))
		for places[at] > 0 && words[places[at]-1] != h {
			at = (at + 1) % uint64(len(places))
		}
		if places[at] == 0 {
			words, sizes = append(words, h), append(sizes, 0)
			places[at] = int32(len(sizes))
		}
		k := places[at] - 1
		sizes[k]++
		g.of[i] = k
	}
	order, place := make([]int32, len(sizes)), make([]int32, len(sizes))
	for k := range order {
		order[k] = int32(k)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(sizes[a], sizes[b]) })
	g.rows = table.Lists{Start: make([]int, len(sizes)+1), Codes: make([]int32, len(hash))}
	for at, k := range order {
		place[k] = int32(at)
		g.rows.Start[at+1] = g.rows.Start[at] + int(sizes[k])
	}
	next := slices.Clone(g.rows.Start)
	for i, k := range g.of {
		at := place[k]
		g.of[i] = at
		g.rows.Codes[next[at]] = int32(i)
		next[at]++
	}
	u.judge(g)
	return g
}

// judge says how well groups show which records are one unit's.
func (u *units) judge(g *Groups) {
	part, there, whole := make([]float64, len(u.records)), make([]int32, len(u.records)), 0.0
	for k := range len(g.rows.Start) - 1 {
		rows := g.rows.Row(k)
		for _, r := range rows {
			there[u.of[r]]++
		}
		for _, r := range rows {
			p := u.of[r]
			if len(rows) <= mostTimes*int(u.records[p]) {
				part[p] = max(part[p], float64(there[p])/float64(len(rows)))
			}
			if n := int(there[p]); n == len(rows) && n == int(u.records[p]) {
				whole++
			}
			there[p] = 0
		}
	}
	for _, v := range part {
		g.Pure += v
	}
	n := float64(len(u.records))
	g.Pure /= n
	right := (whole + 1) / (n + 2)
	g.wrong = min(distant, max(0, portable.Log(right/(1-right))))
}
