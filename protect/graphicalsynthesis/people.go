package graphicalsynthesis

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/units"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// People says how people, or households, of several records are drawn under a promise: each is one row of a wider
// table, which holds how many records there are, what is one for a person, and every other column once for each record.
// Tables that differ by a person differ in one such row, so the noise is that of one row, however many records it has.
type People struct {
	Household bool  `json:"household,omitempty"`
	Most      int   `json:"most"`               // records of one, as declared
	Constant  []int `json:"constant,omitempty"` // columns that are declared to be one for a person, ascending
}

// mostWide is how many columns the wider table may have, and mostAIM that of aim, which looks at all triples of them.
const mostWide, mostAIM = 400, 48

// peopleOf returns how units are drawn; nil where each takes part with one record.
func (q *Technique) peopleOf(t *table.Table, of []int32, unit budget.Unit) (*People, error) {
	u := &People{Household: unit.Of == units.Household, Most: unit.Records}
	for _, name := range q.Constant {
		j := t.Find(name)
		if j < 0 || !t.Attr(j).Kind.Scalar() {
			return nil, fmt.Errorf("parameter %q: the table has no column %q of numbers or categories", "constant", name)
		}
		u.Constant = append(u.Constant, j)
	}
	if unit.Records < 2 || of == nil {
		return nil, nil
	}
	slices.Sort(u.Constant)
	u.Constant = slices.Compact(u.Constant)
	most := mostWide
	if q.model == aim {
		most = mostAIM
	}
	if n := len(u.wide(t.Attrs())); n > most {
		return nil, fmt.Errorf("people of %d records make a table of %d columns, one for each column of each record; %s "+
			"draws at most %d: name columns that are one for a person (constant), or take fewer records (records)",
			unit.Records, n, q.model.card.Name, most)
	}
	return u, nil
}

// varies returns the columns that every record has for itself.
func (u *People) varies(schema []table.Attribute) (out []int) {
	for j := range schema {
		if schema[j].Kind.Scalar() && !slices.Contains(u.Constant, j) {
			out = append(out, j)
		}
	}
	return out
}

// wide returns the attributes of the wider table: the schema, which stands for the first record, the number of records,
// then what varies in the second record, in the third, and so on.
func (u *People) wide(schema []table.Attribute) []table.Attribute {
	out := append(slices.Clip(schema), table.Attribute{Name: "\x00records", Kind: table.Numeric, Step: 1,
		StepDeclared: true, Declared: true, Domain: table.Interval{Lo: 1, Hi: float64(u.Most)}})
	varies := u.varies(schema)
	for place := 1; place < u.Most; place++ {
		for _, j := range varies {
			a := schema[j]
			a.Name, a.Role = fmt.Sprint("\x00", place, " ", a.Name), 0
			out = append(out, a)
		}
	}
	return out
}

// widen returns the wider table of some rows, by unit, and the codings of its columns.
func (u *People) widen(t *table.Table, of []int32, rows []int, columns []Coding) (*table.Table, []Coding, error) {
	var own [][]int // rows by unit, in the order in which units come
	at := map[int32]int{}
	for _, i := range rows {
		k, known := at[of[i]]
		if !known {
			k = len(own)
			at[of[i]], own = k, append(own, nil)
		}
		own[k] = append(own[k], i)
	}
	attrs := u.wide(t.Attrs())
	blank, err := protect.BlankRecords(attrs, len(own))
	if err != nil {
		return nil, nil, err
	}
	cols, varies := blank.Columns(), u.varies(t.Attrs())
	for k, rows := range own {
		cols[t.Width()].Num[k] = float64(len(rows))
		for j := range t.Width() {
			from := t.Column(j)
			put(&cols[j], k, &from, rows[0])
		}
		for place, i := range rows[1:] {
			for v, j := range varies {
				from := t.Column(j)
				put(&cols[t.Width()+1+place*len(varies)+v], k, &from, i)
			}
		}
	}
	number := Coding{Column: t.Width()}
	number.settle(&attrs[t.Width()], u.Most)
	out := append(slices.Clone(columns), number)
	for place := 1; place < u.Most; place++ {
		for _, c := range columns {
			if v, ok := slices.BinarySearch(varies, c.Column); ok {
				c.Column = t.Width() + 1 + (place-1)*len(varies) + v
				out = append(out, c)
			}
		}
	}
	slices.SortFunc(out, func(a, b Coding) int { return cmp.Compare(a.Column, b.Column) })
	wider, err := blank.WithColumns(cols)
	return wider, out, err
}

// put copies a value.
func put(to *table.Column, k int, from *table.Column, i int) {
	switch to.Kind {
	case table.Numeric:
		to.Num[k] = from.Num[i]
	case table.Categorical:
		to.Cat[k] = from.Cat[i]
	case table.SetValued:
	}
}

// attrs returns the attributes that codings are of.
func (p *Plan) attrs() []table.Attribute {
	if p.People != nil {
		return p.People.wide(p.Attrs)
	}
	return p.Units.Wide(p.Attrs)
}

// records returns how many records a person has who was drawn, at least 1.
func (p *Plan) records(made []table.Column, i int) int {
	for k := range p.Columns {
		if p.Columns[k].Column == len(p.Attrs) && made[k].Num[i] >= 1 {
			return int(made[k].Num[i])
		}
	}
	return 1
}

// drawRecords sets how many people are drawn for so many records: their mean number is that of a block of people.
func (p *Plan) drawRecords(records int) {
	p.Rows = block
	made, sum := p.block(0, rng.New([32]byte{})), 0
	for i := range block {
		sum += p.records(made, i)
	}
	p.Rows = max(1, int(math.Round(float64(records)*block/float64(sum))))
}

// blankPeople returns the records of the people who are drawn, with nothing but whose they are.
func (p *Plan) blankPeople(src rng.Source) (*table.Table, error) {
	var whose []int32
	for from := 0; from < p.Rows; from += block {
		made := p.block(uint64(from/block), src)
		for i := range min(block, p.Rows-from) {
			whose = append(whose, slices.Repeat([]int32{int32(from + i)}, p.records(made, i))...)
		}
	}
	t, err := protect.BlankRecords(p.Attrs, len(whose))
	switch {
	case err != nil:
		return nil, err
	case p.People.Household:
		return t.Housed(whose), nil
	}
	return t.Owned(whose), nil
}

// whose returns by row the person, or household, of a record.
func (p *Plan) whose(t *table.Table) []int32 {
	if p.People.Household {
		return t.Households()
	}
	return t.Owners()
}

// applyPeople draws the blank records of a chunk, which holds all those of each of its people.
func (p *Plan) applyPeople(chunk *table.Table, src rng.Source) (*table.Table, error) {
	whose := p.whose(chunk)
	if whose == nil && chunk.Rows() > 0 {
		return nil, errors.New("the records of people that are to be drawn do not say whose they are")
	}
	blank, err := protect.BlankRecords(p.Attrs, chunk.Rows())
	if err != nil {
		return nil, err
	}
	cols := blank.Columns()
	for _, c := range p.Columns {
		if c.Domain != nil && c.Column < len(cols) {
			cols[c.Column].Domain, cols[c.Column].Step = *c.Domain, c.Step
		}
	}
	rows := make([]int, chunk.Rows())
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(chunk.ID(a), chunk.ID(b)) })
	made, seen := map[int32][]table.Column{}, map[int32]int{}
	varies := p.People.varies(p.Attrs)
	for _, i := range rows {
		who := whose[i]
		if who < 0 || int(who) >= p.Rows {
			return nil, errors.New("there are more people than are to be drawn")
		}
		if made[who/block] == nil {
			made[who/block] = p.block(uint64(who/block), src)
		}
		place := seen[who]
		if seen[who]++; place >= p.People.Most {
			return nil, errors.New("a person has more records than are to be drawn")
		}
		for k := range p.Columns {
			at, j := p.Columns[k].Column-len(p.Attrs)-1, p.Columns[k].Column
			switch {
			case at == -1: // the number
				continue
			case at >= 0 && at/len(varies)+1 != place:
				continue
			case at >= 0:
				j = varies[at%len(varies)]
			case place > 0 && !slices.Contains(p.People.Constant, j):
				continue
			}
			put(&cols[j], i, &made[who/block][k], int(who%block))
		}
	}
	return chunk.WithColumns(cols)
}

// check refuses people who could not be drawn.
func (u *People) check(p *Plan) error {
	if u.Most < 2 || u.Most > mostWide || len(u.wide(p.Attrs)) > mostWide || p.Units != nil || len(p.Like) > 0 {
		return errors.New("the records of a person are out of range")
	}
	last := -1
	for _, j := range u.Constant {
		if j <= last || j >= len(p.Attrs) || !p.Attrs[j].Kind.Scalar() {
			return errors.New("the columns that are one for a person are not ascending positions in the schema")
		}
		last = j
	}
	if !slices.ContainsFunc(p.Columns, func(c Coding) bool { return c.Column == len(p.Attrs) }) {
		return errors.New("how many records people have is not drawn")
	}
	return nil
}

// note says how people are drawn.
func (u *People) note(p *Plan) message.Sentence {
	constant := p.named(func(c *Coding) bool { return slices.Contains(u.Constant, c.Column) })
	if constant == nil {
		return message.Say("plan.graphical.people").Count("n", u.Most)
	}
	return message.Say("plan.graphical.constant").Count("n", u.Most).Listed("columns", constant)
}
