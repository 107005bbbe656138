package study

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// A person can be looked up by the values that the release shows unchanged of them and the intruder knows exactly, when
// three things hold: nobody else in the original has these values together, so they mean one person; no other record of
// the release shows them, so they lead to one record; and no other record agrees with what is known of the person in
// rarer values, so the intruder, who does not know which values are unchanged, takes the right one. How rare a value
// is, is told by how many records of the release show it: agreement in a value that a share p shows weighs -log p.
//
// Where it is known that some people have several records, nobody else has the values, and the record they lead to is
// any of the person's; anyone who is found by one of their records is found.
//
// A set of items is a value like another: it is unchanged where the release shows the same items, and the same as
// unknown.
//
// Those who can be looked up count as far as the intruder can rely on it; see claim.
//
// All unchanged values are used together: fewer of them mean one person only if all do. A missing value counts as a
// value where the intruder knows which are missing, and as unknown otherwise. Columns that are known within an error,
// by bands or by groups do not count.

// lookupWork is how many comparisons of two values a look-up may take, about; where they do not last, fewer people are
// tried, but not below fewestTried.
const lookupWork, fewestTried = 1_000_000_000, 1000

// LookUp counts whom an intruder can look up; nil where it is not known which record is whose, or no column is known
// exactly. Where it may be read in several ways whose the records are, the one by which most are found counts. Cost:
// O(people tried x records x columns) for each, limited by lookupWork.
func LookUp(ctx context.Context, r *measure.Release, i *intruder.Intruder, src rng.Source) (*Lookups, error) {
	read := readingsOf(r)
	if r = read.those; !r.Paired || r.Original.Rows() != r.Released.Rows() {
		return nil, nil
	}
	c, err := newCatalogue(r.Original, r.Released, nil, i)
	if err != nil {
		return nil, err
	}
	worst, err := lookUp(ctx, r, *c, i, src)
	if err != nil {
		return nil, err
	}
	for _, o := range read.other {
		l, err := lookUp(ctx, o.Release, *c, i, src)
		if err != nil {
			return nil, err
		}
		if l.Hi > worst.Hi {
			l.Says, worst = o.says, l
		}
	}
	return worst, nil
}

// lookUp is LookUp by one reading, with the catalogue of any: whose the records are is all that they do not share.
func lookUp(ctx context.Context, r *measure.Release, c catalogue, i *intruder.Intruder, src rng.Source) (
	out *Lookups, err error,
) {
	of, all := r.People()
	c.of = of
	n := r.Original.Rows()
	out = &Lookups{Intruder: i.Name, Described: i.Described, People: all, Of: r.Level()}
	for _, j := range c.columns {
		out.Columns = append(out.Columns, r.Original.Attr(j).Name)
	}
	people := make([]int, all)
	for k := range people {
		people[k] = k
	}
	if n*n*len(c.columns) > lookupWork {
		most := max(fewestTried, lookupWork/(n*max(1, len(c.columns))))
		people = rng.Order(src.Fork("people").Stream(), most, all, r.Original.Identities(of, all), 0)
	}
	found, mine := make([]bool, len(people)), c.records(all)
	if err := parallel.Each(ctx, len(people), func(k int) error {
		found[k] = slices.ContainsFunc(mine(people[k]), c.finds)
		return nil
	}); err != nil {
		return nil, err
	}
	if out.Found, err = c.relied(ctx, people, found, mine, src); err != nil {
		return nil, err
	}
	out.Tried = len(people)
	out.Lo, out.Hi = out.Share(), out.Share()
	if out.Tried < all {
		out.Lo, out.Hi = confidence.ClopperPearson(float64(out.Found), float64(out.Tried), level)
	}
	return out, nil
}

// catalogue holds what an intruder knows of everybody beside what the release shows, by known column: values as codes.
type catalogue struct {
	columns    []int       // of the table
	of         []int32     // by record: whose it is; nil where every record is a person's
	own, shown [][]int32   // by column and record; -1 is unknown or not shown
	gap        []int32     // the code of a missing value, which -1 stands for where it is no value
	have       [][]int     // records of the release that show a code
	weight     [][]float64 // of agreement in a code
	ofOwn      []postings
	ofShown    []postings
	blanked    [][]int32 // by column: records that came to show the code of a missing value since
}

// postings lists the records of every code.
type postings struct{ start, rows []int32 }

func (p *postings) of(code int32) []int32 { return p.rows[p.start[code]:p.start[code+1]] }

func newPostings(codes []int32, n int) postings {
	p := postings{make([]int32, n+1), make([]int32, len(codes))}
	for _, c := range codes {
		if c >= 0 {
			p.start[c+1]++
		}
	}
	for c := range n {
		p.start[c+1] += p.start[c]
	}
	next := slices.Clone(p.start)
	for i, c := range codes {
		if c >= 0 {
			p.rows[next[c]] = int32(i)
			next[c]++
		}
	}
	return p
}

// apart reports whether another record is somebody else's.
func (c *catalogue) apart(i, other int) bool {
	return other != i && (c.of == nil || c.of[other] != c.of[i])
}

// only reports whether the file has nobody else's records.
func (c *catalogue) only(i int) bool {
	for other := range c.shown[0] {
		if c.apart(i, other) {
			return false
		}
	}
	return true
}

// records returns a function that returns the records of a person, one of so many.
func (c *catalogue) records(people int) func(person int) []int {
	if c.of == nil {
		return func(person int) []int { return []int{person} }
	}
	by := make([][]int, people)
	for i, p := range c.of {
		by[p] = append(by[p], i)
	}
	return func(person int) []int { return by[person] }
}

func newCatalogue(original, released *table.Table, of []int32, i *intruder.Intruder) (*catalogue, error) {
	view, err := i.On(original.Attrs())
	if err != nil {
		return nil, err
	}
	c := &catalogue{of: of, columns: slices.Clone(view.Sets)}
	for _, k := range view.Known {
		if k.Exact() {
			c.columns = append(c.columns, k.Column)
		}
	}
	slices.Sort(c.columns)
	c.columns = slices.DeleteFunc(c.columns, func(j int) bool { return original.Attr(j).Kind != released.Attr(j).Kind })
	m := len(c.columns)
	c.own, c.shown, c.gap, c.weight = make([][]int32, m), make([][]int32, m), make([]int32, m), make([][]float64, m)
	c.ofOwn, c.ofShown, c.have, c.blanked = make([]postings, m), make([]postings, m), make([][]int, m), make([][]int32, m)
	parallel.Do(m, func(k int) {
		j := c.columns[k]
		own, shown, n := codes(original, released, j)
		if c.gap[k] = -1; view.Gaps {
			c.gap[k] = int32(n)
			n++
		}
		for _, list := range [][]int32{own, shown} {
			for i := range list {
				if list[i] < 0 {
					list[i] = c.gap[k]
				}
			}
		}
		c.own[k], c.shown[k] = own, shown
		c.ofOwn[k], c.ofShown[k] = newPostings(own, n), newPostings(shown, n)
		c.weight[k], c.have[k] = make([]float64, n), make([]int, n)
		for code := range n {
			c.have[k][code] = len(c.ofShown[k].of(int32(code)))
			c.weigh(k, int32(code))
		}
	})
	return c, nil
}

// weigh works out what agreement in a code weighs.
func (c *catalogue) weigh(k int, code int32) {
	c.weight[k][code] = portable.Log(float64(len(c.shown[k])) / float64(max(1, c.have[k][code])))
}

// show lets a record show another code, and returns the one it showed. The postings keep the old one, which anyone who
// reads them looks at again.
func (c *catalogue) show(k, i int, code int32) (old int32) {
	old = c.shown[k][i]
	if c.shown[k][i] = code; code == c.gap[k] && code >= 0 {
		c.blanked[k] = append(c.blanked[k], int32(i))
	}
	for v, d := range map[int32]int{old: -1, code: 1} {
		if v >= 0 && old != code {
			c.have[k][v] += d
			c.weigh(k, v)
		}
	}
	return old
}

// codes returns the values of a column as numbers from 0 to n-1, the same in both tables; -1 is missing.
func codes(a, b *table.Table, j int) (x, y []int32, n int) {
	switch a.Attr(j).Kind {
	case table.Numeric:
	case table.Categorical:
		return slices.Clone(a.Cat(j)), slices.Clone(b.Cat(j)), max(len(a.Attr(j).Labels), len(b.Attr(j).Labels))
	case table.SetValued:
		both, n := table.SetCodes(a.Sets(j), b.Sets(j))
		return both[0], both[1], n
	}
	number := newNumbering(a.Attr(j).Step, a.Num(j), b.Num(j))
	x, y = number.codes(a.Num(j)), number.codes(b.Num(j))
	return x, y, len(number.values)
}

// unchanged returns the known columns whose value the release shows as it was.
func (c *catalogue) unchanged(i int) (kept []int) {
	for k := range c.columns {
		if v := c.own[k][i]; v >= 0 && v == c.shown[k][i] {
			kept = append(kept, k)
		}
	}
	return kept
}

// finds reports whether a person can be looked up.
func (c *catalogue) finds(i int) bool {
	kept := c.unchanged(i)
	return len(kept) > 0 && c.alone(i, kept, c.shown, c.ofShown, c.blanked) && c.alone(i, kept, c.own, c.ofOwn, nil) &&
		c.best(i)
}

// alone reports whether no record of anybody else has the person's values in the columns. It looks through those with
// the rarest of them, and through those that were blanked since where that is a missing one.
func (c *catalogue) alone(i int, kept []int, in [][]int32, of []postings, blanked [][]int32) bool {
	rarest := slices.MinFunc(kept, func(a, b int) int { return len(of[a].of(c.own[a][i])) - len(of[b].of(c.own[b][i])) })
	rows := [][]int32{of[rarest].of(c.own[rarest][i])}
	if blanked != nil && c.own[rarest][i] == c.gap[rarest] {
		rows = append(rows, blanked[rarest])
	}
	for _, list := range rows {
		for _, other := range list {
			same := c.apart(i, int(other))
			for _, k := range kept {
				same = same && in[k][other] == c.own[k][i]
			}
			if same {
				return false
			}
		}
	}
	return true
}

// best reports whether the record of a person agrees better with what is known of them than any of anybody else.
// Anyone who agrees as well must agree in one of the heaviest values, those that the others together do not outweigh;
// so only the records that show one of these are looked at.
func (c *catalogue) best(i int) bool {
	order, left := c.heaviest(i)
	own := c.agreed(i, i)
	rounding := float64(1e-9 * (1 + left))
	for at, k := range order {
		if left < own-rounding {
			return true
		}
		v := c.own[k][i]
		for _, rows := range [][]int32{c.ofShown[k].of(v), c.blanked[k]} {
			for _, other := range rows {
				if c.apart(i, int(other)) && c.shown[k][other] == v && c.agrees(i, int(other), own, order, at, left-own+rounding) {
					return false
				}
			}
		}
		left -= c.weight[k][v]
	}
	return own > 0 || c.only(i) // who agrees in nothing does not agree as well
}

// heaviest returns the columns in which a record may agree with what is known of a person, the heaviest value first,
// and what all of these weigh together.
func (c *catalogue) heaviest(i int) (order []int, all float64) {
	for k := range c.columns {
		if v := c.own[k][i]; v >= 0 && c.have[k][v] > 0 {
			order = append(order, k)
			all += c.weight[k][v]
		}
	}
	slices.SortStableFunc(order,
		func(a, b int) int { return cmp.Compare(c.weight[b][c.own[b][i]], c.weight[a][c.own[a][i]]) })
	return order, all
}

// agrees reports whether a record agrees as well with what is known of a person as their own does; not where it agrees
// in one of the first columns of the order, by which it has been looked at. It may lose so much in the others, the
// heaviest of which come first.
func (c *catalogue) agrees(i, other int, own float64, order []int, from int, spare float64) bool {
	for _, k := range order[:from] {
		if c.shown[k][other] == c.own[k][i] {
			return false
		}
	}
	for _, k := range order[from:] {
		if v := c.own[k][i]; c.shown[k][other] != v {
			if spare -= c.weight[k][v]; spare < 0 {
				return false
			}
		}
	}
	return c.agreed(i, other) >= own
}

// Blanks are the cells to blank, by column of the table: the rows, ascending.
type Blanks map[int][]int

// BlankLookups finds the cells of a release to blank until none of the intruders can look anybody up, however it is
// read whose the records are: each of the readings says so by record, nil where every record is a person's, as without
// any. A person whom one cell ends it for loses one, chosen as cell says; of others the rarest unchanged value is
// blanked first. Blanking a cell may leave somebody else alone, so it is repeated until nobody is found. Cost: that of
// LookUp on everybody, without its limit, by round; rounds are few, and each blanks a cell at least.
func BlankLookups(
	ctx context.Context,
	original, released *table.Table,
	readings [][]int32,
	intruders []intruder.Intruder,
) (Blanks, error) {
	out := Blanks{}
	if len(readings) == 0 {
		readings = [][]int32{nil}
	}
	for found := true; found; {
		found = false
		for k := range len(intruders) * len(readings) {
			c, err := newCatalogue(original, released, readings[k%len(readings)], &intruders[k/len(readings)])
			if err != nil {
				return nil, err
			}
			blanks, err := c.blanks(ctx)
			if err != nil {
				return nil, err
			}
			for j, rows := range blanks {
				found = true
				if released, err = released.WithColumn(j, released.Column(j).Blank(rows)); err != nil {
					return nil, err
				}
				out[j] = append(out[j], rows...)
			}
		}
	}
	for j := range out {
		slices.Sort(out[j])
	}
	return out, nil
}

// blanks blanks the cells of those who are found in one round.
func (c *catalogue) blanks(ctx context.Context) (Blanks, error) {
	n := 0
	if len(c.columns) > 0 {
		n = len(c.own[0])
	}
	found := make([]bool, n)
	if err := parallel.Each(ctx, n, func(i int) error { found[i] = c.finds(i); return nil }); err != nil {
		return nil, err
	}
	out := Blanks{}
	for i := range n {
		if !found[i] {
			continue
		}
		for c.finds(i) {
			k := c.cell(i)
			if k < 0 { // by what is missing alone, which nothing can blank
				break
			}
			c.show(k, i, c.gap[k])
			out[c.columns[k]] = append(out[c.columns[k]], i)
		}
	}
	return out, nil
}

// fewRecords is up to how many records the cell to blank is chosen by whom its blanking leaves alone, too: that takes a
// look at everybody.
const fewRecords = 500

// cell returns the column whose cell is blanked next, of those that end it alone where there are some: the one that
// leaves the fewest people found, in a table of fewRecords, else the rarest value; -1 where there is none to blank.
func (c *catalogue) cell(i int) int {
	best, ends, left := -1, false, 0
	for _, k := range c.unchanged(i) {
		v := c.own[k][i]
		if v == c.gap[k] {
			continue
		}
		c.show(k, i, c.gap[k])
		gone, others := !c.finds(i), 0
		if gone && len(c.own[0]) <= fewRecords {
			for o := range c.own[0] {
				if c.finds(o) {
					others++
				}
			}
		}
		c.show(k, i, v)
		switch {
		case ends && !gone:
		case best < 0, gone && !ends, others < left, others == left && c.weight[k][v] > c.weight[best][c.own[best][i]]:
			best, ends, left = k, gone, others
		}
	}
	return best
}

// blank blanks what lets the intruders look people up, and says how many cells of which column. The table says whose
// the records are, and by the columns of readings whose they may be besides. Who is found by a person is found by the
// household, and who is found by a record by the person, so that the largest unit does.
func (p *Protected) blank(ctx context.Context, t *table.Table, q *Request) (err error) {
	if len(q.Blank) == 0 {
		return nil
	}
	of, _ := whose(t, t, nil).People()
	readings := [][]int32{of}
	for _, r := range q.Besides {
		if len(r.Columns) > 0 {
			readings = append(readings, OwnersOf(t, oneOf(PersonsBy(t, r.Columns), r.Same)))
		}
	}
	if p.Blanked, err = BlankLookups(ctx, p.Matched, p.Released, readings, q.Blank); err != nil {
		return err
	}
	p.Blanked = p.Restated.Along(p.Released, p.Blanked)
	var said []message.Sentence
	for _, j := range slices.Sorted(maps.Keys(p.Blanked)) {
		c := p.Released.Column(j)
		said = append(said, message.Say("note.blanked.column").Count("n", len(p.Blanked[j])).Name("column", c.Name))
		if p.Released, err = p.Released.WithColumn(j, c.Blank(p.Blanked[j])); err != nil {
			return err
		}
	}
	if said != nil {
		p.Notes = append(p.Notes, message.Say("note.blanked.cells").Part("which", message.Listed(said)))
	}
	return nil
}
