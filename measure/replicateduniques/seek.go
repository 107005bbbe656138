package replicateduniques

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// compiled is the two tables as they are compared: the original and the release, column by column.
type compiled struct {
	columns []*column
	gaps    bool // the intruder knows which values are missing
	paired  bool // a record of both tables is one person's
	rows    int  // of the original
	// own are the records of the person of one of the original, ascending.
	own func(record int) []int
}

// column is one column of both tables. What is not a number is a code, the same for what is equal; a missing value is
// one.
type column struct {
	num   [2][]float64
	code  [2][]int32
	none  func(record int) bool // the original has no value
	known bool                  // to the intruder, exactly
	reach float64               // how far apart numbers are equal
	sd    float64               // the standard deviation of the numbers
	gappy [2]bool               // some number is missing
}

func compile(r *measure.Release, view *intruder.View, reach float64) *compiled {
	c := &compiled{rows: r.Original.Rows(), gaps: view.Gaps, paired: r.Paired}
	known := slices.Clone(view.Sets)
	for _, k := range view.Known {
		if k.Exact() {
			known = append(known, k.Column)
		}
	}
	c.own = r.Own()
	for j := range r.Original.Width() {
		a, b := r.Original.Column(j), r.Released.Column(j)
		if a.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		k := &column{none: a.MissingAt, known: slices.Contains(known, j)}
		switch a.Kind {
		case table.Numeric:
			k.num, k.sd = [2][]float64{a.Num, b.Num}, deviation(a.Num)
			k.reach = float64(reach * k.sd)
			for in, values := range k.num {
				k.gappy[in] = slices.ContainsFunc(values, func(v float64) bool { return v != v })
			}
		case table.Categorical:
			k.code = [2][]int32{a.Cat, b.Cat}
		case table.SetValued:
			seen := map[string]int32{}
			k.code = [2][]int32{codes(a, seen), codes(b, seen)}
		}
		c.columns = append(c.columns, k)
	}
	c.order(c.rows)
	return c
}

// deviation returns the standard deviation of the values there are.
func deviation(values []float64) float64 {
	n, _, squares := vector.Known(values)
	return math.Sqrt(squares / float64(max(1, n)))
}

// codes numbers the values of a column by what they are equal to.
func codes(c table.Column, seen map[string]int32) []int32 {
	out := make([]int32, c.Len())
	var key []byte
	for i := range out {
		key = c.AppendKey(key[:0], i)
		code, known := seen[string(key)]
		if !known {
			code = int32(len(seen))
			seen[string(key)] = code
		}
		out[i] = code
	}
	return out
}

// order puts the columns first in which records agree least often, so that those who have little in common are told
// soon. Which records are looked at is no secret.
func (c *compiled) order(rows int) {
	const some = 1000
	alike, drawn := make(map[*column]int, len(c.columns)), measure.Drawn(rows, some)
	for _, k := range c.columns {
		for _, i := range drawn {
			if !k.differs(i, 0, (i+rows/2)%rows, false) {
				alike[k]++
			}
		}
	}
	slices.SortStableFunc(c.columns, func(a, b *column) int { return cmp.Compare(alike[a], alike[b]) })
}

// differs reports whether a record of a table differs from one of the original.
func (c *column) differs(person, in, record int, exact bool) bool {
	if c.code[0] != nil {
		return c.code[in][record] != c.code[0][person]
	}
	v, w := c.num[0][person], c.num[in][record]
	if v != v {
		return w == w
	}
	return !(math.Abs(v-w) <= c.within(exact))
}

func (c *column) within(exact bool) float64 {
	if exact {
		return 0
	}
	return c.reach
}

// add adds a weight to the sums of the records of a table, from one on, that differ from a record of the original. It
// does so without a branch, which could not be foretold.
func (c *column) add(sums []uint32, in, from int, weight uint32, person int, exact bool) {
	if c.code[0] != nil {
		own := c.code[0][person]
		for i, code := range c.code[in][from : from+len(sums)] {
			other := uint32(code ^ own)
			sums[i] += weight & -((other | -other) >> 31)
		}
		return
	}
	v, reach, values := c.num[0][person], c.within(exact), c.num[in][from:from+len(sums)]
	if c.gappy[in] || v-v != 0 { // missing, or infinite
		for i, w := range values {
			if !(math.Abs(v-w) <= reach) && (v == v || w == w) {
				sums[i] += weight
			}
		}
		return
	}
	for i, w := range values {
		sums[i] += weight & -uint32(math.Float64bits(reach-math.Abs(v-w))>>63) // the sign
	}
}

// seeker looks for the rows of one person after another. Every goroutine needs its own.
type seeker struct {
	*compiled
	released int      // records
	exact    bool     // numbers are compared exactly
	told     []int    // the columns in which the intruder knows something of the person
	free     []bool   // by column: the person is alone without it
	sums     []uint32 // by released record: the weight of the columns of the first half that differ
	levels   []level  // by such a weight
	near     []stranger
	ranks    []float64 // how far they are
}

func newSeeker(c *compiled, released int) *seeker {
	return &seeker{
		compiled: c,
		free:     make([]bool, len(c.columns)),
		released: released,
		sums:     make([]uint32, max(released, block)),
		levels:   make([]level, len(c.columns)+1),
	}
}

// alone turns to the person of a record and reports whether nobody else in the original has what the intruder knows of
// them: by numbers that are nearly equal or, where somebody has, by those that are the same.
func (s *seeker) alone(person int) bool {
	for _, s.exact = range []bool{false, true} {
		if s.only(person) {
			return true
		}
	}
	return false
}

// only reports whether nobody else has what is known, and finds the columns without which nobody has it either.
func (s *seeker) only(person int) bool {
	s.told = s.told[:0]
	for k, c := range s.columns {
		if s.free[k] = true; c.known && (s.gaps || !c.none(person)) {
			s.told = append(s.told, k)
		}
	}
	// Most records differ in the first columns already, so these are compared for a block of records at a time.
	first, own := s.told[:min(atMost+1, len(s.told))], s.own(person)
	for from := 0; from < s.rows; from += block {
		sums := s.sums[:min(block, s.rows-from)]
		clear(sums)
		for _, k := range first {
			s.columns[k].add(sums, 0, from, 1, person, s.exact)
		}
		for i, sum := range sums {
			if sum <= atMost && !s.other(from+i, person, own) {
				return false
			}
		}
	}
	return true
}

// block is how many records are compared at a time: what is known of them stays in the fastest memory.
const block = 1 << 11

// other reports whether a record is the person's own, or another one than theirs by what is known. The column in which
// alone it differs is one without which the person is not alone.
func (s *seeker) other(record, person int, own []int) bool {
	if _, mine := slices.BinarySearch(own, record); mine {
		return true
	}
	n, at := 0, 0
	for _, k := range s.told {
		if s.columns[k].differs(person, 0, record, s.exact) {
			if n, at = n+1, k; n > atMost {
				return true
			}
		}
	}
	if n == atMost {
		s.free[at] = false
	}
	return n > 0
}

// atMost is in how many columns a released row may differ from a person's that it is taken for. It must be a column
// without which the person is alone, so a column like that weighs 1 and another 2.
const atMost = 1

func (s *seeker) weight(column int) uint32 {
	if s.free[column] {
		return 1
	}
	return atMost + 1
}

// level is the released rows whose first half differs in one weight.
type level struct {
	rows float64
	like [atMost + 1]float64 // those whose other half differs by so much at most
}

// enough is by how many rows that can be no person's chance is estimated at least, where there are so many.
const enough = 30

// look returns 1 where the row of the person whom alone turned to stands in the release, and the probability that it
// does by chance.
func (s *seeker) look(person int, draw *rand.Rand) (stands, chance float64) {
	dealt := draw.Perm(len(s.columns))
	first, other := dealt[:len(dealt)/2], dealt[len(dealt)/2:]
	slices.Sort(other)
	clear(s.levels)
	sums := s.sums[:s.released]
	for from := 0; from < s.released; from += block {
		some := sums[from:min(from+block, s.released)]
		clear(some)
		for _, k := range first {
			s.columns[k].add(some, 1, from, s.weight(k), person, s.exact)
		}
		for _, sum := range some {
			s.levels[sum].rows++
		}
	}
	if s.paired {
		for _, i := range s.own(person) {
			s.levels[sums[i]].rows--
			sums[i] = math.MaxUint32
		}
	}
	own, reach := s.levels[:atMost+1], uint32(atMost)
	mine, all := 0.0, 0.0
	for _, l := range own {
		mine += l.rows
	}
	for ; all < max(enough, mine) && int(reach) < len(s.levels)-1; all += s.levels[reach].rows {
		reach++
	}
	s.near = s.near[:0]
	for i, n, step := 0, 0, 1+int(all)/mostNear; i < len(sums); i++ {
		switch sum := sums[i]; {
		case sum <= atMost:
			for d := s.differ(other, person, i); d <= atMost; d++ {
				s.levels[sum].like[d]++
			}
		case sum <= reach:
			if n++; n%step == 0 {
				s.near = append(s.near, stranger{i, s.far(first, person, i)})
			}
		}
	}
	near := s.strangers(other, person, int(max(enough, mine)))
	none := 1.0
	for sum, l := range own {
		if l.like[atMost-sum] > 0 {
			stands = 1
		}
		none = float64(none * portable.Pow(1-near.like[atMost-sum]/max(1, near.rows), l.rows))
	}
	if near.rows == 0 {
		return stands, stands
	}
	return stands, 1 - none
}

// stranger is a released row that can be no person's whose rows are looked for, and how far its first half is.
type stranger struct {
	row int
	far float64
}

// mostNear is about how many strangers are ranked at most, evenly taken of all.
const mostNear = 2000

// nearest returns the strangers that are so many, and those that are as near as the last of them. Where columns are
// few, most rows of a table differ in as many, and those that are far off in these tell nothing of the person's like.
// Cost: O(strangers).
func (s *seeker) nearest(many int) []stranger {
	if len(s.near) <= many {
		return s.near
	}
	s.ranks = s.ranks[:0]
	for _, o := range s.near {
		s.ranks = append(s.ranks, o.far)
	}
	last := quantile.Nth(s.ranks, many-1) + rounding
	return slices.DeleteFunc(s.near, func(o stranger) bool { return o.far > last })
}

// rounding is by how much the same distance may differ with the order of its columns.
const rounding = 1e-9

// strangers returns so many of the nearest strangers that were found, and whose other half is like the person's.
func (s *seeker) strangers(other []int, person, many int) (near level) {
	for _, o := range s.nearest(many) {
		near.rows++
		for d := s.differ(other, person, o.row); d <= atMost; d++ {
			near.like[d]++
		}
	}
	return near
}

// farthest is how many standard deviations apart numbers are taken to be at most; what else differs is one apart.
const farthest = 4

// far returns how far a released row is from a person's in some columns.
func (s *seeker) far(columns []int, person, row int) (sum float64) {
	for _, k := range columns {
		c := s.columns[k]
		switch {
		case c.num[0] != nil && c.num[0][person] == c.num[0][person] && c.num[1][row] == c.num[1][row]:
			if d := math.Abs(c.num[0][person]-c.num[1][row]) / c.sd; d > 0 {
				sum += min(d, farthest)
			}
		case c.differs(person, 1, row, s.exact):
			sum++
		}
	}
	return sum
}

// differ returns the weight of the columns in which a released row differs from a person's, or more than atMost where
// it is more.
func (s *seeker) differ(columns []int, person, row int) (sum uint32) {
	for _, k := range columns {
		if s.columns[k].differs(person, 1, row, s.exact) {
			if sum += s.weight(k); sum > atMost {
				break
			}
		}
	}
	return sum
}
