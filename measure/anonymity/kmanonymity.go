package anonymity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/anonymity/rareset"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// KMAnonymity measures how many released records have all items that an intruder knows of one: k^m-anonymity
// (Terrovitis, Mamoulis & Kalnis 2008).
//
// Of all sets of up to m items that some released record has, the score is in how many records the rarest one is: k.
// Parts give k, and the share of the records with a set that fewer than the parameter k have, for 1, 2 and 3 known
// items. Of several columns of sets each is counted by itself, and the smallest k is the score.
//
// It judges a release whose items are the persons' own, generalised or suppressed. Items that are added at random make
// sets unique by chance, so it does not apply where more than one released item in twenty is one that its record did
// not have. Of a table that is not paired it is taken as if none was.
//
// Whether a person's own record is among the k is not asked: items that were deleted make an intruder miss it. A person
// with several records has the items of all of them, and people are counted. A release without any item gives all its
// records.
//
// Cost: all sets of up to m items of every record, on all cores; of more than 2^32 fewer known items are looked at, as
// a note says.
//
// Reference: M. Terrovitis, N. Mamoulis and P. Kalnis, "Privacy-preserving anonymization of set-valued data", PVLDB
// 1(1), 2008.
var KMAnonymity = measure.Measure{
	Card: card.Card{
		Name:      "kmanonymity",
		Title:     "k^m-anonymity",
		Aliases:   []string{"known items"},
		Summary:   "Number of released records with the rarest set of up to m items that an intruder may know.",
		Paper:     "Terrovitis, Mamoulis & Kalnis 2008",
		Needs:     "set-valued columns, generalised or suppressed, not changed at random",
		Preserves: "the number of records if none has an item",
		Biases:    "does not apply if items are added at random; considers each set-valued column separately",
		Missing:   "a missing set has no items; an uncertain item counts as absent",
		Cost:      "O(sets of up to m items of every record)",
	},
	Facts:  measure.Facts{About: measure.Identity, Effort: measure.Fast, Groups: true, Sets: true},
	Side:   measure.Risk,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 1, Hi: math.MaxInt32},
	Unit:   measure.Counting(measure.Heads, "unit.records"),
	New:    func() measure.Meter { return param.Default(&KMAnonymityMeter{}) },
}

// KMAnonymityMeter measures k^m-anonymity.
type KMAnonymityMeter struct {
	K int // asked for
	M int // items known
}

// Params declares the parameters.
func (m *KMAnonymityMeter) Params() param.Set {
	return param.Set{
		param.Int(&m.K, "k", 5, 2, 1_000_000, "records", "count the records with a set of items that fewer have"),
		param.Int(&m.M, "m", 2, 1, most, "items", "number of known items for the score"),
	}
}

const (
	most   = 3       // items known, of the parts
	effort = 1 << 32 // sets that are looked through
)

// KMAnonymityDetail is what was counted, by column.
type KMAnonymityDetail struct {
	K       int      `json:"k"` // asked for
	M       int      `json:"m"` // of the score
	Columns []Column `json:"columns"`
}

// Column is what was counted of a column.
type Column struct {
	Name    string `json:"name"`
	Records int    `json:"records"` // or people, where some have several records
	People  bool   `json:"people"`
	Least   []int  `json:"least"` // by known items, from 1: how many have the rarest set; all where nobody has an item
	In      []int  `json:"in"`    // and how many have a set that fewer than k have
}

// Measure returns k with a KMAnonymityDetail. It fails when the release has no records.
func (m *KMAnonymityMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := ctx.Err(); err != nil {
		return measure.Value{}, err
	}
	r = r.OfThose()
	if r.Released.Rows() == 0 {
		return measure.Value{}, errors.New("the release has no records")
	}
	d := KMAnonymityDetail{K: m.K, M: m.M}
	v := measure.Exact(math.Inf(1), nil)
	for j := range r.Released.Width() {
		a := r.Released.Attr(j)
		if a.Kind != table.SetValued || a.Role&(table.Identifier|table.Class|table.Weight) != 0 {
			continue
		}
		if err := own(r, j); err != nil {
			return measure.Value{}, err
		}
		c, notes, err := m.column(ctx, r, j)
		if err != nil {
			return measure.Value{}, err
		}
		d.Columns = append(d.Columns, c)
		v.Notes = append(v.Notes, notes...)
		v.Score = min(v.Score, float64(c.Least[m.M-1]))
		v.Parts = append(v.Parts, c.parts(m.K)...)
	}
	if len(d.Columns) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noSets"))
	}
	if of, _ := r.People(); of != nil && !d.Columns[0].People {
		v.CountRecords()
	}
	v.Lo, v.Hi, v.Detail = v.Score, v.Score, d
	return v, nil
}

// own refuses a column of which many items were not the records' own.
func own(r *measure.Release, j int) error {
	k := r.Original.Find(r.Released.Attr(j).Name)
	if !r.Paired || k < 0 || r.Original.Attr(k).Kind != table.SetValued || r.Original.Rows() != r.Released.Rows() {
		return nil
	}
	code := make([]int32, len(r.Released.Attr(j).Labels))
	for v, label := range r.Released.Attr(j).Labels {
		code[v] = int32(slices.Index(r.Original.Attr(k).Labels, label))
	}
	was, is, added := r.Original.Sets(k), r.Released.Sets(j), 0
	for i := range is.Rows() {
		for _, v := range is.Present.Row(i) {
			if !slices.Contains(was.Present.Row(i), code[v]) && !slices.Contains(was.Unknown.Row(i), code[v]) {
				added++
			}
		}
	}
	if 20*added > len(is.Present.All()) {
		return measure.NotApplicable(message.Say("measure.skipped.addedItems"))
	}
	return nil
}

// column counts the sets of a column.
func (m *KMAnonymityMeter) column(
	ctx context.Context,
	r *measure.Release,
	j int,
) (c Column, notes []message.Sentence, err error) {
	s, name := r.Released.Sets(j), r.Released.Attr(j).Name
	rows, people := owners(r)
	c = Column{Name: name, Records: len(rows), People: people}
	var items []int32
	data, err := rareset.New(len(rows), len(r.Released.Attr(j).Labels), nil, func(p int) []int32 {
		if len(rows[p]) == 1 {
			return s.Present.Row(rows[p][0])
		}
		items = items[:0]
		for _, i := range rows[p] {
			items = append(items, s.Present.Row(i)...)
		}
		slices.Sort(items)
		items = slices.Compact(items)
		return items
	})
	if err != nil {
		return c, nil, fmt.Errorf("column %q: %w", name, err)
	}
	known := most
	for ; known > 0 && data.Work(known) > effort; known-- {
	}
	if known < m.M {
		return c, nil, measure.NotApplicable(message.Say("measure.skipped.manySets").Name("column", name).Count("m", m.M))
	}
	if known < most {
		notes = append(notes, message.Say("measure.kmanonymity.note.many").Name("column", name).Count("n", known))
	}
	if n := len(s.Unknown.All()); n > 0 {
		notes = append(notes, message.Say("measure.kmanonymity.note.unknown").Name("column", name).Count("n", n))
	}
	found, err := data.Standing(ctx, m.K, known)
	if c.Least, c.In = found.Least, found.In; err == nil && c.Least[0] == 0 {
		for i := range c.Least {
			c.Least[i] = c.Records
		}
	}
	return c, notes, err
}

// owners returns the rows of everybody, and whether some people have several.
func owners(r *measure.Release) (rows [][]int, people bool) {
	of, n := r.People()
	if of == nil || !r.Paired || len(of) != r.Released.Rows() {
		for i := range r.Released.Rows() {
			rows = append(rows, []int{i})
		}
		return rows, false
	}
	rows = make([][]int, n)
	for i, p := range of {
		rows[p] = append(rows[p], i)
	}
	return rows, true
}

// parts are the figures by known items.
func (c *Column) parts(k int) (out []measure.Part) {
	for i := range c.Least {
		out = append(out, measure.Part{Key: measure.Key(fmt.Sprintf("k-%d", i+1)), Of: c.Name,
			Name: message.Say("measure.kmanonymity.part.k").Name("column", c.Name).Count("n", i+1), Score: float64(c.Least[i])},
			measure.Part{Key: measure.Key(fmt.Sprintf("below-%d", i+1)), Of: c.Name,
				Name: message.Say("measure.kmanonymity.part.below").Name("column", c.Name).Count("k", k).
					Count("n", i+1), Score: float64(c.In[i]) / float64(c.Records)})
	}
	return out
}

// Sentence says how many have what is known of one.
func (d KMAnonymityDetail) Sentence() message.Sentence {
	c := &d.Columns[0]
	for k := range d.Columns {
		if d.Columns[k].Least[d.M-1] < c.Least[d.M-1] {
			c = &d.Columns[k]
		}
	}
	key := "measure.kmanonymity.says"
	if c.People {
		key = "measure.kmanonymity.saysPeople"
	}
	return message.Say(key).Count("items", d.M).Name("column", c.Name).Count("least", c.Least[d.M-1]).
		Count("n", c.Records).Count("in", c.In[d.M-1]).Share("share", float64(c.In[d.M-1])/float64(c.Records)).
		Count("k", d.K)
}
