package attackers

import (
	"fmt"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// sets is a known set-valued column of a release and what the intruder knows of people in it. A code stands for the
// sets of all records that show the same one; the last is that of a missing set, where there is one.
type sets struct {
	at  int
	was *table.Sets
	// by original record: the code of the set; none of these where the set is missing, or no record shows it
	own    []int32
	codes  []int32     // by released record
	share  []float64   // of the records, by code
	size   []float64   // by code: how many items are in the set, an open one counting as its share
	lost   int32       // the code of a missing set; -1 where none is missing
	lacks  bool        // the release misses sets that the original has
	items  []float64   // by item: the share that have it of the records of which that is known
	weight []float64   // by item: minus the logarithm of the share
	has    table.Lists // by item: the codes of the sets that have it
	open   table.Lists // and of those that may have it
	moved  float64     // the share of people whose set is another one
	people []int       // rows
}

// newSets returns a column with what is known of the people in rows. All but that is worked out once for a release.
func newSets(r *measure.Release, at int, rows []int) (*sets, error) {
	shared, err := measure.PerRelease(r, fmt.Sprintf("attackers: sets %d", at), func(r *measure.Release) (*sets, error) {
		return learnedSets(r, at), nil
	})
	if err != nil {
		return nil, err
	}
	c := *shared
	c.people = rows
	return &c, nil
}

func learnedSets(r *measure.Release, at int) *sets {
	is := r.Released.Sets(at)
	c := &sets{at: at, was: r.Original.Sets(at), lost: -1}
	both, _ := table.SetCodes(is, c.was)
	c.codes, c.own = both[0], both[1]
	var first []int // by code: a record that shows the set
	for i, code := range c.codes {
		if int(code) == len(first) {
			first = append(first, i)
		}
	}
	n, moved := len(first), 0.0
	for i, code := range c.codes {
		if c.own[i] != code {
			moved++
		}
		if code < 0 {
			c.lost, c.codes[i] = int32(n), int32(n)
			c.lacks = c.lacks || !c.was.MissingAt(i)
		}
	}
	c.moved = moved / float64(max(1, len(c.codes)))
	for i, code := range c.own {
		if int(code) >= n { // the release shows it nowhere
			c.own[i] = -1
		}
	}
	if c.lost >= 0 {
		first = append(first, 0)
	}
	c.share = shares(c.codes, len(first))
	c.count(is, len(r.Released.Attr(at).Labels))
	c.has, c.open = invert(&is.Present, first[:n], len(c.items)), invert(&is.Unknown, first[:n], len(c.items))
	c.size = make([]float64, len(first))
	for code, row := range first[:n] {
		c.size[code] = c.sizeOf(is, row)
	}
	return c
}

// count finds how common every item is. One that nobody is known to have counts as that of one record.
func (c *sets) count(is *table.Sets, items int) {
	has, open, there := make([]float64, items), make([]float64, items), 0.0
	for _, v := range is.Present.All() {
		has[v]++
	}
	for _, v := range is.Unknown.All() {
		open[v]++
	}
	for i := range is.Rows() {
		if !is.MissingAt(i) {
			there++
		}
	}
	c.items, c.weight = has, open
	for v := range has {
		has[v] = max(1, has[v]) / max(1, there-open[v])
		c.weight[v] = -portable.Log(has[v])
	}
}

// invert returns by item the places of the rows that list it.
func invert(l *table.Lists, rows []int, items int) table.Lists {
	out := table.Lists{Start: make([]int, items+1)}
	for _, row := range rows {
		for _, v := range l.Row(row) {
			out.Start[v+1]++
		}
	}
	for v := range items {
		out.Start[v+1] += out.Start[v]
	}
	out.Codes = make([]int32, out.Start[items])
	next := append([]int(nil), out.Start...)
	for k, row := range rows {
		for _, v := range l.Row(row) {
			out.Codes[next[v]] = int32(k)
			next[v]++
		}
	}
	return out
}

func (c *sets) sizeOf(of *table.Sets, row int) float64 {
	sum := float64(len(of.Present.Row(row)))
	for _, v := range of.Unknown.Row(row) {
		sum += c.items[v]
	}
	return sum
}

// sameSet looks a set up as it is.
type sameSet struct {
	c    *sets
	own  int32
	lost float64 // the score of a missing set
}

func (c *sets) lookUp() func() scorer { return func() scorer { return &sameSet{c: c} } }

func (p *sameSet) person(k int, gaps bool) (most float64, ok bool) {
	row := p.c.people[k]
	if p.own, p.lost = p.c.own[row], 0; !gaps && !p.c.lacks {
		p.lost = mismatch // nothing is suppressed: who has a set is not in a record without
	}
	return 0, !p.c.was.MissingAt(row)
}

func (p *sameSet) add(to []float64, codes []int32) {
	for i, code := range codes {
		switch code {
		case p.own:
		case p.c.lost:
			to[i] += p.lost
		default:
			to[i] += mismatch
		}
	}
}

// inCommon scores sets by the items that they have in common with the person's. The sets that have one are listed by
// item, so the others cost nothing.
type inCommon struct {
	c        *sets
	distance bool      // by the share of the items of both, else by how rare they are
	common   []float64 // by code: how many items are in common, or what they weigh
	size     float64   // of the person's set
	lost     float64   // the score of a missing set
}

func (c *sets) distance() func() scorer {
	return func() scorer { return &inCommon{c: c, distance: true} }
}

func (c *sets) agreement() func() scorer { return func() scorer { return &inCommon{c: c} } }

func (p *inCommon) person(k int, gaps bool) (most float64, ok bool) {
	c, row := p.c, p.c.people[k]
	if p.common == nil {
		p.common = make([]float64, len(c.share))
	}
	clear(p.common)
	if p.size, p.lost = c.sizeOf(c.was, row), 0; p.distance && !gaps {
		p.lost = -1
	}
	for _, v := range c.was.Present.Row(row) {
		most += p.item(v, 1)
	}
	for _, v := range c.was.Unknown.Row(row) {
		most += p.item(v, c.items[v])
	}
	if p.distance {
		most = 0
	}
	return most, !c.was.MissingAt(row)
}

// item counts an item that the person has, or is as likely to have, in all sets with it, and returns the most that it
// may count.
func (p *inCommon) item(v int32, likely float64) (most float64) {
	weight := 1.0
	if !p.distance {
		weight = p.c.weight[v]
	}
	for _, code := range p.c.has.Row(int(v)) {
		p.common[code] += float64(likely * weight)
	}
	for _, code := range p.c.open.Row(int(v)) {
		p.common[code] += float64(p.c.items[v] * weight)
	}
	return float64(likely * weight)
}

func (p *inCommon) add(to []float64, codes []int32) {
	for i, code := range codes {
		switch both := p.common[code]; {
		case code == p.c.lost:
			to[i] += p.lost
		case !p.distance:
			to[i] += both
		default:
			if either := p.size + p.c.size[code] - both; either > 0 { // else both are empty
				to[i] += both/either - 1
			}
		}
	}
}
