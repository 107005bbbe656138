package relation

import (
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// State is what a record is to a relation.
type State uint8

// The states.
const (
	Unknown State = iota // it lacks a value that the relation is about
	Holds
	Broken
)

// Bound is a relation, and what it needs to know of the table that it is about.
type Bound struct {
	Relation
	// To holds of a Determines what the values of its sources determine, by their keys: where they determine several,
	// the most frequent one, the first of equally frequent ones.
	To map[string]string `json:"to,omitempty"`

	seen map[string]bool // what is determined, of a Determines, by its keys; nil where the original is not at hand
}

// Bind prepares a relation for the records of tables like t, which is the original. Cost: O(n) for Determines.
func (r Relation) Bind(t *table.Table) (*Bound, error) {
	at, err := r.On(t)
	if err != nil {
		return nil, err
	}
	b := &Bound{Relation: r}
	if r.Kind == Determines {
		b.learn(t, at)
	}
	return b, nil
}

// learn fills To.
func (b *Bound) learn(t *table.Table, at []int) {
	last := len(at) - 1
	from, to := keysOf(t, at[:last]), keysOf(t, at[last:])
	type pair struct{ from, to int32 }
	first, firsts := make([]int32, len(from.keys)), make([]int, len(from.keys)) // most records have the first value seen
	others := map[pair]int{}
	for f := range first {
		first[f] = -1
	}
	for i, f := range from.of {
		v := to.of[i]
		switch {
		case f < 0 || v < 0:
		case first[f] < 0 || first[f] == v:
			first[f] = v
			firsts[f]++
		default:
			others[pair{f, v}]++
		}
	}
	count := func(f, v int32) int {
		if first[f] == v {
			return firsts[f]
		}
		return others[pair{f, v}]
	}
	most := slices.Clone(first)
	for i, f := range from.of { // in the order of the records: the first of equally frequent ones stays
		v := to.of[i]
		if f >= 0 && v >= 0 && v != most[f] && count(f, v) > count(f, most[f]) {
			most[f] = v
		}
	}
	has := make([]bool, len(to.keys))
	for _, v := range to.of {
		if v >= 0 {
			has[v] = true
		}
	}
	b.seen = make(map[string]bool, len(to.keys))
	for v, some := range has {
		if some {
			b.seen[to.keys[v]] = true
		}
	}
	b.To = make(map[string]string, len(most))
	for f, v := range most {
		if v >= 0 {
			b.To[from.keys[f]] = to.keys[v]
		}
	}
}

// keyed numbers the values of columns by row: -1 where one is missing.
type keyed struct {
	of   []int32
	keys []string // by number
}

// keysOf numbers the values of columns.
func keysOf(t *table.Table, at []int) keyed {
	k := keyed{of: make([]int32, t.Rows())}
	if len(at) == 1 && t.Attr(at[0]).Kind == table.Categorical {
		copy(k.of, t.Cat(at[0]))
		k.keys = t.Attr(at[0]).Labels
		return k
	}
	if len(at) == 1 && t.Attr(at[0]).Kind == table.Numeric {
		return numbered(t.Num(at[0]), k)
	}
	number := map[string]int32{}
	var key []byte
	for i := range k.of {
		key = key[:0]
		if key = appendKey(key, t, at, i); key == nil {
			k.of[i] = -1
			continue
		}
		n, known := number[string(key)]
		if !known {
			n = int32(len(k.keys))
			number[string(key)] = n
			k.keys = append(k.keys, string(key))
		}
		k.of[i] = n
	}
	return k
}

// numbered is keysOf for numbers.
func numbered(v []float64, k keyed) keyed {
	number := map[float64]int32{}
	last, of := math.NaN(), int32(-1) // records often have the number of the one before
	for i, x := range v {
		if x != last {
			n, known := number[x]
			switch {
			case x != x:
				n = -1
			case !known:
				n = int32(len(k.keys))
				number[x] = n
				k.keys = append(k.keys, string(table.AppendNumber(nil, x+0, 0))) // 0 and its negative are one
			}
			last, of = x, n
		}
		k.of[i] = of
	}
	return k
}

// appendKey appends what tells the values of columns apart in any table, whatever their codes; nil where one is
// missing.
func appendKey(key []byte, t *table.Table, at []int, i int) []byte {
	for n, j := range at {
		if t.MissingAt(i, j) {
			return nil
		}
		if n > 0 {
			key = append(key, 0)
		}
		if a := t.Attr(j); a.Kind == table.Categorical {
			key = append(key, a.Labels[t.Cat(j)[i]]...)
		} else {
			key = table.AppendNumber(key, t.Num(j)[i]+0, 0) // 0 and its negative are one
		}
	}
	return key
}

// States returns what every record of a table is to the relation. The table may be the original or a release: a
// release that generalises a column makes all records Unknown. Cost: O(n).
func (b *Bound) States(t *table.Table) []State {
	out := make([]State, t.Rows())
	at, err := b.On(t)
	if err != nil {
		return out
	}
	holds := b.tester(t, at)
	for i := range out {
		out[i] = holds(i)
	}
	return out
}

// Count counts the records of a table that have all the relation is about, and those of them that break it. Cost: O(n).
func (b *Bound) Count(t *table.Table) (checked, broken int) {
	for _, s := range b.States(t) {
		if s != Unknown {
			checked++
		}
		if s == Broken {
			broken++
		}
	}
	return checked, broken
}

// tester returns what says of a record what it is to the relation.
func (b *Bound) tester(t *table.Table, at []int) func(i int) State {
	switch b.Kind {
	case Determines:
		last := len(at) - 1
		from, to := keysOf(t, at[:last]), keysOf(t, at[last:])
		general, want := b.general(t.Attr(at[last]), to), b.wanted(from, to)
		return func(i int) State {
			f, v := from.of[i], to.of[i]
			if f < 0 || v < 0 || general != nil && general[v] || want[f] == unknown {
				return Unknown
			}
			return state(want[f] == v)
		}
	case OnlyTogether:
		return b.onlyTogether(t, at)
	case NeverTogether:
		x, y := labelled(t, at[0], b.Other), labelled(t, at[1], b.Value)
		return func(i int) State {
			if x[i] == missing || y[i] == missing {
				return Unknown
			}
			return state(x[i] != same || y[i] != same)
		}
	case Linear, Product, Ratio, Order, Elapsed:
	}
	return b.arithmetic(t, at)
}

// Numbers of what is determined: nothing is known of it, or no record has it.
const unknown, elsewhere = -1, -2

// wanted returns what the values of the sources determine, by their numbers, as the number of a value.
func (b *Bound) wanted(from, to keyed) []int32 {
	number := make(map[string]int32, len(to.keys))
	for n, key := range to.keys {
		number[key] = int32(n)
	}
	out := make([]int32, len(from.keys))
	for f, key := range from.keys {
		want, known := b.To[key]
		n, there := number[want]
		switch {
		case !known:
			out[f] = unknown
		case !there:
			out[f] = elsewhere
		default:
			out[f] = n
		}
	}
	return out
}

// general tells of the categories of a determined column, by their numbers, whether the original lacks them: groups of
// values, which break nothing. It is nil of numbers.
func (b *Bound) general(a *table.Attribute, to keyed) []bool {
	if a.Kind != table.Categorical || b.seen == nil {
		return nil
	}
	out := make([]bool, len(to.keys))
	for n, key := range to.keys {
		out[n] = !b.seen[key]
	}
	return out
}

func state(holds bool) State {
	if holds {
		return Holds
	}
	return Broken
}

// onlyTogether is tester for OnlyTogether.
func (b *Bound) onlyTogether(t *table.Table, at []int) func(i int) State {
	is := labelled(t, at[1], b.Value)
	has := func(i int) bool { return !t.MissingAt(i, at[0]) }
	if b.Zero {
		v := t.Num(at[0])
		has = func(i int) bool { return v[i] != 0 }
	}
	return func(i int) State {
		if is[i] == missing || b.Zero && t.MissingAt(i, at[0]) {
			return Unknown
		}
		return state(has(i) != b.Not == (is[i] == same))
	}
}

// sight is what a record has in a column.
type sight uint8

const (
	missing sight = iota
	other
	same // as the value that is asked for
)

// labelled says of every record whether a column has a value, which is written as a key is.
func labelled(t *table.Table, j int, value string) []sight {
	out := make([]sight, t.Rows())
	if a := t.Attr(j); a.Kind == table.Categorical {
		code := a.Code(value)
		for i, c := range t.Cat(j) {
			out[i] = sightOf(c >= 0, c == code)
		}
		return out
	}
	want, err := strconv.ParseFloat(value, 64)
	written := err == nil && string(table.AppendNumber(nil, want+0, 0)) == value
	for i, v := range t.Num(j) {
		out[i] = sightOf(v == v, written && v == want)
	}
	return out
}

func sightOf(there, is bool) sight {
	switch {
	case !there:
		return missing
	case is:
		return same
	}
	return other
}

// arithmetic is tester for relations of numbers.
func (b *Bound) arithmetic(t *table.Table, at []int) func(i int) State {
	read := make([]func(i int) float64, len(at))
	for k, j := range at {
		read[k] = reader(t, j)
	}
	v, of := make([]float64, len(at)), b.numbers(t, at)
	return func(i int) State {
		for k := range v {
			v[k] = read[k](i)
		}
		return of(v)
	}
}

// numbers returns what says of the numbers of a record, dates in days, what it is to a relation of numbers.
func (b *Bound) numbers(t *table.Table, at []int) func(v []float64) State {
	slack := math.Inf(1) // of a sum
	if b.Kind == Linear {
		for k, j := range at {
			slack = min(slack, math.Abs(b.Coefficients[k])*stepOf(t, j)/8)
		}
	}
	half := stepOf(t, at[0]) / 2
	return func(v []float64) State {
		for _, x := range v {
			if x != x {
				return Unknown
			}
		}
		switch b.Kind {
		case Linear:
			return state(math.Abs(b.sum(v)) <= slack)
		case Order:
			return state(v[0] < v[1] || !b.Strict && v[0] == v[1])
		case Elapsed:
			return state(v[0] == b.elapsed(v[1:]))
		case Product, Ratio:
			want := b.result(v[1], v[2])
			if math.IsInf(want, 0) || want != want {
				return Unknown
			}
			return state(math.Abs(v[0]-want) <= float64(half*(1+1e-6))+float64(math.Abs(want)*1e-12))
		case Determines, OnlyTogether, NeverTogether:
		}
		return Unknown
	}
}

// sum returns by how much the two sides of a linear relation differ.
func (b *Bound) sum(v []float64) float64 {
	s := -b.Constant
	for k, c := range b.Coefficients {
		s += float64(c * v[k])
	}
	return s
}

// result returns a product or a ratio before it is rounded.
func (b *Bound) result(x, y float64) float64 {
	switch {
	case b.Kind == Product:
		return float64(float64(b.Factor*x) * y)
	case b.Power == 2:
		return float64(b.Factor*x) / float64(y*y)
	}
	return float64(b.Factor*x) / y
}

// elapsed returns the completed units from a day to another, or to the relation's own.
func (b *Bound) elapsed(v []float64) float64 {
	from, to := int(math.Floor(v[0])), b.Day
	if len(v) > 1 {
		to = int(math.Floor(v[1]))
	}
	switch b.Unit {
	case Years:
		return float64(calendar.Year.Completed(from, to))
	case Months:
		return float64(calendar.Month.Completed(from, to))
	case Weeks:
	}
	return math.Floor(float64(to-from) / 7)
}

// reader returns what reads the numbers of a column: of dates in days.
func reader(t *table.Table, j int) func(i int) float64 {
	v, a := t.Num(j), t.Attr(j)
	if a.Dates == "" || a.Dates.PerDay() == 1 {
		return func(i int) float64 { return v[i] }
	}
	return func(i int) float64 { return a.Dates.Days(v[i]) }
}

// stepOf returns the grid of a column: of dates in days.
func stepOf(t *table.Table, j int) float64 {
	a := t.Attr(j)
	step := a.Step
	if step == 0 { // numbers without a grid: what floating-point sums of this size lose
		step = float64(max(math.Abs(a.Domain.Lo), math.Abs(a.Domain.Hi), 1e-300) * 1e-9)
	}
	if a.Dates != "" {
		step /= a.Dates.PerDay()
	}
	return step
}
