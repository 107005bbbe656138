package swapping

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Approximate generates a table from the frequency tables of another one: an approximate data swap (Reiss 1984), as
// Islam 2007, section 3.2.3, tells it.
//
// The t-order frequency table counts the records with each combination of values of any t attributes. The elements
// of the new table are drawn one at a time, record by record and column by column. What is left of a count is the
// count less the records that have the combination already. A value is drawn with a probability proportional to what
// is left of it, times, for every t-1 values that the record has, the ratio of what is left of it with these to what is
// left of it. So no combination of t values is made more often than it was while another value can be; where none is
// left, the sums of what is left decide, and then what is left of the value alone.
//
// Numbers of more than 4 times bins different values are counted by classes of about equal size, in which they are
// drawn evenly on the grid; others by their values, and in classes where fewer than common people have one. Missing is
// a value of its own, and a category that fewer people have is not drawn. Counts are scaled to the number of records.
//
// What an informed intruder learns: t-order counts, nearly. The records stand for nobody, but t values that one person
// alone has together stand together in the release with a good chance.
//
// Cost: O(n p v m) for n records, p columns of v values and m = C(p-1, t-1) counts that a value is in, on one core.
// All records meet: the plan is a protect.Grouper. Plans hold the counts that are not 0, of 2^26 at most that could be.
//
// Reconstruction: the sources at hand say that counts of what was created and of the element that may come make the
// distribution; its form is ours.
//
// References: S. Reiss, "Practical data-swapping: the first steps", ACM TODS 9(1), 1984; Islam 2007, reference [86].
var Approximate = protect.Method{
	Card: card.Card{
		Name:    "approximateswap",
		Title:   "Approximate data swap",
		Aliases: []string{"approximate data-swap", "approximate data swapping", "Reiss"},
		Summary: "Draws new records one value at a time, so that counts of all combinations of t values stay nearly " +
			"the same.",
		Paper:   "Reiss 1984; Islam 2007, section 3.2.3",
		Needs:   "attributes with few values; numbers with many values are counted in classes",
		Changes: "every attribute: the released records stand for nobody",
		Preserves: "counts of values (type D) and of combinations of t of them (types A to C), nearly; missing values as " +
			"one more value",
		Biases: "relations of more than t attributes, and of numbers inside a class; several records of a person become " +
			"single ones",
		Exposes: "t-order counts, nearly, down to single people; rare categories are left out",
		Missing: "are drawn: whether a value is missing goes with the other columns",
		Cost:    "O(n p v C(p-1, t-1)) for n records and p columns of v values",
	},
	Purpose: protect.Draws,
	Growth:  1,
	New:     func() protect.Technique { return param.Default(&ApproximateTechnique{}) },
	Plan:    func() protect.Plan { return &ApproximatePlan{} },
	Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks, protect.Synthesises},
}

// ApproximateTechnique holds the parameters.
type ApproximateTechnique struct {
	T      int
	Bins   int
	Common int // people who have a value that is drawn by itself, at least
	Rows   int // to draw; 0 for as many as the table has
	Omit   []string
}

// Params declares the parameters.
func (q *ApproximateTechnique) Params() param.Set {
	return param.Set{
		param.Int(&q.T, "t", 2, 1, mostT, "attributes", "keep counts of combinations of values of this many attributes"),
		param.Int(&q.Bins, "bins", 10, 1, mostBins, "classes", "classes of about equal size for numbers with more than 4 "+
			"times as many values"),
		param.Int(&q.Common, protect.CommonName, protect.Common, 1, protect.MostCommon, "people", "a number that fewer have "+
			"is drawn from a class, and a category that fewer have is not drawn; a limit on k raises the default"),
		protect.RowsParam(&q.Rows),
		param.Names(&q.Omit, "omit", "columns that are not drawn: their values are missing"),
	}
}

// Fit counts. It draws no random numbers.
func (q *ApproximateTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	columns, err := protect.Drawable(t, q.Omit)
	if err != nil {
		return nil, err
	}
	p := &ApproximatePlan{Attrs: t.Attrs(), T: q.T, Rows: q.Rows, Of: t.Rows(), Several: t.Owners() != nil}
	if p.Rows == 0 {
		p.Rows = t.Rows()
	}
	var codes [][]int32
	for _, j := range columns {
		c := q.cells(t, j)
		p.Cells = append(p.Cells, c)
		codes = append(codes, c.codes(t))
	}
	s, err := p.layout()
	if err != nil {
		return nil, err
	}
	for k := range s {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		counts := make([]int32, s[k].size)
		for i := range t.Rows() {
			if at := s[k].index(codes, i); at >= 0 {
				counts[at]++
			}
		}
		var kept Counts
		for at, n := range counts {
			if n > 0 {
				kept.At, kept.N = append(kept.At, int32(at)), append(kept.N, n)
			}
		}
		p.Tables = append(p.Tables, kept)
	}
	return p, nil
}

// Cells are the values of a column that are told apart. The last one is missing.
type Cells struct {
	Column int       `json:"column"`         // position in the schema
	Lo     []float64 `json:"lo,omitempty"`   // of numbers, ascending: the smallest value of each,
	Hi     []float64 `json:"hi,omitempty"`   // and the largest
	Rare   []int32   `json:"rare,omitempty"` // codes of categories that are not drawn
	Labels int       `json:"labels"`         // how many cells are no missing one
}

// cells finds those of a column.
func (q *ApproximateTechnique) cells(t *table.Table, j int) Cells {
	a := t.Attr(j)
	of, _ := t.People()
	if a.Kind == table.Categorical {
		c := Cells{Column: j, Labels: len(a.Labels)}
		for code, n := range people(t.Cat(j), c.Labels, of) {
			if n < q.Common {
				c.Rare = append(c.Rare, int32(code))
			}
		}
		return c
	}
	known := rank.Ascending(clipped(t, j))
	limits := cuts(known, q.Bins)
	if values := slices.Compact(slices.Clone(known)); len(values) <= perBin*q.Bins && len(values) > 0 {
		limits = values[1:]
	}
	return numbered(t, j, known, limits, q.Common)
}

// numbered returns the cells between limits. One that fewer than common people have is joined with the next, and the
// last with the one before.
func numbered(t *table.Table, j int, known, limits []float64, common int) Cells {
	c := Cells{Column: j}
	of, _ := t.People()
	for {
		c.Lo, c.Hi = nil, nil
		for k := range len(limits) + 1 {
			lo, hi := 0, len(known)
			if k > 0 {
				lo, _ = slices.BinarySearch(known, limits[k-1])
			}
			if k < len(limits) {
				hi, _ = slices.BinarySearch(known, limits[k])
			}
			if lo < hi {
				c.Lo, c.Hi = append(c.Lo, known[lo]), append(c.Hi, known[hi-1])
			}
		}
		c.Labels = len(c.Lo)
		few := slices.IndexFunc(people(c.codes(t), c.Labels, of), func(n int) bool { return n < common })
		if few < 0 || c.Labels < 2 {
			return c
		}
		limits = slices.Clone(c.Lo[1:])
		limits = slices.Delete(limits, min(few, len(limits)-1), min(few, len(limits)-1)+1)
	}
}

// people counts who has each of n codes: records, where of is nil.
func people(codes []int32, n int, of []int32) []int {
	type pair struct{ code, who int32 }
	out, seen := make([]int, n), map[pair]bool{}
	for i, c := range codes {
		if c < 0 || int(c) >= n {
			continue
		}
		if of != nil {
			if at := (pair{c, of[i]}); seen[at] {
				continue
			} else {
				seen[at] = true
			}
		}
		out[c]++
	}
	return out
}

// codes returns the cells of a table's records: the last for a missing value, -1 for a rare category.
func (c *Cells) codes(t *table.Table) []int32 {
	out := make([]int32, t.Rows())
	if c.Lo == nil && t.Attr(c.Column).Kind == table.Categorical {
		rare := make([]bool, c.Labels)
		for _, code := range c.Rare {
			rare[code] = true
		}
		for i, code := range t.Cat(c.Column) {
			switch out[i] = code; {
			case code < 0:
				out[i] = int32(c.Labels)
			case rare[code]:
				out[i] = -1
			}
		}
		return out
	}
	for i, v := range clipped(t, c.Column) {
		out[i] = int32(c.Labels)
		if v == v {
			at, found := slices.BinarySearch(c.Lo, v)
			if !found {
				at--
			}
			out[i] = int32(max(0, at))
		}
	}
	return out
}

// clipped returns a column's numbers, on its grid and inside its domain.
func clipped(t *table.Table, j int) []float64 {
	a, out := t.Attr(j), slices.Clone(t.Num(j))
	d := wrap.On(a.Domain, a.Step)
	for i, v := range out {
		if v == v {
			out[i] = d.Clip(v)
		}
	}
	return out
}

// part is one of the frequency tables: of the column that is drawn, and of columns drawn before it.
type part struct {
	of     int   // of the cells
	given  []int // ascending, all before of
	labels []int // by column of given, then of: cells with the missing one
	size   int
}

// layout returns the frequency tables, those of the first column first: of each column all with t-1 of those before it
// or, where fewer are, with all of them.
func (p *ApproximatePlan) layout() (out []part, err error) {
	all := 0
	for j := range p.Cells {
		for _, given := range subsets(j, min(j, p.T-1)) {
			s := part{of: j, given: given, size: 1}
			for _, k := range append(slices.Clone(given), j) {
				s.labels = append(s.labels, p.Cells[k].Labels+1)
				if s.size *= p.Cells[k].Labels + 1; s.size > mostCells {
					break
				}
			}
			if all += s.size; all > mostCells {
				return nil, fmt.Errorf("%d columns have too many combinations of %d values; take fewer bins, lower t, or leave "+
					"columns out (except)", len(p.Cells), p.T)
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// subsets returns all sets of k of the numbers below n, in order.
func subsets(n, k int) [][]int {
	if k == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for last := k - 1; last < n; last++ {
		for _, s := range subsets(last, k-1) {
			out = append(out, append(slices.Clone(s), last))
		}
	}
	return out
}

// index returns where the count of a row's combination stands; -1 where it has none.
func (s *part) index(codes [][]int32, row int) int {
	at := s.first(func(k int) int32 { return codes[k][row] })
	if c := codes[s.of][row]; at >= 0 && c >= 0 {
		return at + int(c)
	}
	return -1
}

// first returns where the counts of the values begin that go with what a record has in the columns before.
func (s *part) first(has func(k int) int32) int {
	at := 0
	for d, k := range s.given {
		c := has(k)
		if c < 0 {
			return -1
		}
		at = at*s.labels[d] + int(c)
	}
	return at * s.labels[len(s.labels)-1]
}
