package syntheticrisk

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// compiled is the two tables as they are compared: the original and the release, column by column.
type compiled struct {
	columns []*replicatedColumn
	gaps    bool // the intruder knows which values are missing
	paired  bool // a record of both tables is one person's
	rows    int  // of the original
	// own are the records of the person of one of the original, ascending.
	own func(record int) []int
}

// replicatedColumn is one column of both tables as somebody knows it.
type replicatedColumn struct {
	*values
	known bool    // to the intruder, exactly
	reach float64 // how far apart numbers are equal
}

// values is one column of both tables. What is not a number is a code, the same for what is equal; a missing value is
// one.
type values struct {
	num   [2][]float64
	code  [2][]int32
	none  func(record int) bool // the original has no value
	sd    float64               // the standard deviation of the numbers
	index [2]func() *index      // by table, made once it is asked for
}

// valuesOf returns a column, which is worked out once for all intruders and all readings of a release.
func valuesOf(r *measure.Release, j int) (*values, error) {
	key := fmt.Sprintf("replicateduniques: column %d", j)
	made, err := measure.PerRelease(r, key, func(r *measure.Release) (*values, error) {
		a, b := r.Original.Column(j), r.Released.Column(j)
		k := &values{none: a.MissingAt}
		switch a.Kind {
		case table.Numeric:
			k.num, k.sd = [2][]float64{a.Num, b.Num}, replicatedDeviation(a.Num)
		case table.Categorical:
			k.code = [2][]int32{a.Cat, b.Cat}
		case table.SetValued:
			seen := map[string]int32{}
			k.code = [2][]int32{codes(a, seen), codes(b, seen)}
		}
		for in := range k.index {
			k.index[in] = sync.OnceValue(func() *index { return k.indexOf(in) })
		}
		return k, nil
	})
	if err != nil {
		return nil, fmt.Errorf("column %d: %w", j+1, err)
	}
	return made, nil
}

func compile(r *measure.Release, view *intruder.View, reach float64) (*compiled, error) {
	c := &compiled{rows: r.Original.Rows(), gaps: view.Gaps, paired: r.Paired}
	known := slices.Clone(view.Sets)
	for _, k := range view.Known {
		if k.Exact() {
			known = append(known, k.Column)
		}
	}
	c.own = r.Own()
	for j := range r.Original.Width() {
		if r.Original.Attr(j).Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		v, err := valuesOf(r, j)
		if err != nil {
			return nil, err
		}
		c.columns = append(c.columns, &replicatedColumn{v, slices.Contains(known, j), float64(reach * v.sd)})
	}
	c.order(c.rows)
	return c, nil
}

// replicatedDeviation returns the standard deviation of the values there are.
func replicatedDeviation(values []float64) float64 {
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
	alike, drawn := make(map[*replicatedColumn]int, len(c.columns)), measure.Drawn(rows, some)
	for _, k := range c.columns {
		for _, i := range drawn {
			if !k.differs(i, 0, (i+rows/2)%rows, false) {
				alike[k]++
			}
		}
	}
	slices.SortStableFunc(c.columns, func(a, b *replicatedColumn) int { return cmp.Compare(alike[a], alike[b]) })
}

// differs reports whether a record of a table differs from one of the original.
func (c *replicatedColumn) differs(person, in, record int, exact bool) bool {
	if c.code[0] != nil {
		return c.code[in][record] != c.code[0][person]
	}
	v, w := c.num[0][person], c.num[in][record]
	if v != v {
		return w == w
	}
	return !(math.Abs(v-w) <= c.within(exact))
}

func (c *replicatedColumn) within(exact bool) float64 {
	if exact {
		return 0
	}
	return c.reach
}

// seeker looks for the rows of one person after another. Every goroutine needs its own.
type seeker struct {
	*compiled
	released    int    // records
	exact       bool   // numbers are compared exactly
	told        []int  // the columns in which the intruder knows something of the person
	free        []bool // by column: the person is alone without it
	same        set    // room for the records that are equal in a column
	once, twice set    // of the original: those that differ in a column, and in two
	sums        *sums  // by released record: the weight of the columns of the first half that differ
	near        []stranger
	ranks       []float64 // how far they are
}

func newSeeker(c *compiled, released int) *seeker {
	return &seeker{
		compiled: c,
		free:     make([]bool, len(c.columns)),
		released: released,
		same:     setOf(max(released, c.rows)),
		once:     setOf(c.rows),
		twice:    setOf(c.rows),
		sums:     sumsOf(released, len(c.columns)),
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
	own := s.own(person)
	for w, differ := range s.unlike(person) {
		for alike := ^differ; alike != 0; alike &= alike - 1 {
			if !s.other(64*w+bits.TrailingZeros64(alike), person, own) {
				return false
			}
		}
	}
	return true
}

// fewLeft is of how many records one may be left to look at by itself.
const fewLeft = 256

// unlike returns the records of the original that differ from a person's in two of the columns that are told, or more,
// by so many of these that few others are left. The first columns tell the most apart.
func (s *seeker) unlike(person int) set {
	clear(s.once)
	clear(s.twice)
	if rest := s.rows % 64; rest > 0 {
		s.twice[len(s.twice)-1] = ^uint64(0) << rest // there are no such records
	}
	for _, k := range s.told {
		same, left := s.same[:len(s.once)], 0
		s.columns[k].equal(same, 0, person, s.exact)
		for w, equal := range same {
			s.twice[w] |= s.once[w] &^ equal
			s.once[w] |= ^equal
			left += bits.OnesCount64(^s.twice[w])
		}
		if left <= s.rows/fewLeft {
			break
		}
	}
	return s.twice
}

// other reports whether a record is the person's own, or another one than theirs by what is known. The column in which
// alone it differs is one without which the person is not alone.
func (s *seeker) other(record, person int, own []int) bool {
	if _, mine := slices.BinarySearch(own, record); mine {
		return true
	}
	n, at := 0, 0
	for _, k := range s.told {
		if s.columns[k].differs(person, 0, record, s.exact) {
			if n, at = n+1, k; n > replicatedAtMost {
				return true
			}
		}
	}
	if n == replicatedAtMost {
		s.free[at] = false
	}
	return n > 0
}

// replicatedAtMost is in how many columns a released row may differ from a person's that it is taken for. It must be a
// column without which the person is alone, so a column like that weighs 1 and another 2.
const replicatedAtMost = 1

func (s *seeker) weight(column int) uint32 {
	if s.free[column] {
		return 1
	}
	return replicatedAtMost + 1
}

// level is released rows: of the first half of the columns those that differ in one weight.
type level struct {
	rows float64
	like [replicatedAtMost + 1]float64 // those whose other half differs by so much at most
}

// enough is by how many rows that can be no person's chance is estimated at least, where there are so many.
const enough = 30

// look returns 1 where the row of the person whom alone turned to stands in the release, and the probability that it
// does by chance.
func (s *seeker) look(person int, draw *rand.Rand) (stands, chance float64) {
	dealt := draw.Perm(len(s.columns))
	first, other := dealt[:len(dealt)/2], dealt[len(dealt)/2:]
	slices.Sort(other)
	clear(s.sums.bits)
	for _, k := range first {
		same := s.same[:len(s.sums.among)]
		s.columns[k].equal(same, 1, person, s.exact)
		s.sums.add(same, int(s.weight(k))-1)
	}
	if s.paired {
		for _, i := range s.own(person) {
			s.sums.among.drop(i)
		}
	}
	own := s.owned(other, person)
	mine, reach := 0.0, replicatedAtMost
	for _, l := range own {
		mine += l.rows
	}
	all := 0.0
	for ; all < max(enough, mine) && reach < len(s.columns); all = float64(s.sums.count(reach)) - mine {
		reach++
	}
	s.meet(first, person, reach, 1+int(all)/mostNear)
	if s.paired {
		for _, i := range s.own(person) {
			s.sums.among.add(i)
		}
	}
	near := s.strangers(other, person, int(max(enough, mine)))
	none := 1.0
	for sum, l := range own {
		if l.like[replicatedAtMost-sum] > 0 {
			stands = 1
		}
		none = float64(none * portable.Pow(1-near.like[replicatedAtMost-sum]/max(1, near.rows), l.rows))
	}
	if near.rows == 0 {
		return stands, stands
	}
	return stands, 1 - none
}

// owned returns the released rows that may be the person's by the first half, by how much they differ in it.
func (s *seeker) owned(other []int, person int) (own [replicatedAtMost + 1]level) {
	for w := range s.sums.among {
		before := uint64(0)
		for sum := range own {
			upTo := s.sums.upTo(w, sum)
			for rows := upTo &^ before; rows != 0; rows &= rows - 1 {
				own[sum].rows++
				for d := s.differ(other, person, 64*w+bits.TrailingZeros64(rows)); d <= replicatedAtMost; d++ {
					own[sum].like[d]++
				}
			}
			before = upTo
		}
	}
	return own
}

// meet finds the released rows that are no person's and whose first half differs by a reach at most, every so many.
func (s *seeker) meet(first []int, person, reach, every int) {
	s.near = s.near[:0]
	n := 0
	for w := range s.sums.among {
		rows := s.sums.upTo(w, reach) &^ s.sums.upTo(w, replicatedAtMost)
		if some := bits.OnesCount64(rows); n/every == (n+some)/every {
			n += some
			continue
		}
		for ; rows != 0; rows &= rows - 1 {
			if n++; n%every == 0 {
				row := 64*w + bits.TrailingZeros64(rows)
				s.near = append(s.near, stranger{row, s.far(first, person, row)})
			}
		}
	}
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
		for d := s.differ(other, person, o.row); d <= replicatedAtMost; d++ {
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
			if sum += s.weight(k); sum > replicatedAtMost {
				break
			}
		}
	}
	return sum
}
