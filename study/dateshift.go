package study

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// DateShift says how the dates of a person are moved: all by one random offset, so that the intervals between them stay
// exactly, in whole days or weeks. The zero value moves none.
type DateShift struct {
	Days  int // the offset is from -Days to Days, and not 0
	Weeks bool
}

// usualShift is by how many days dates move at most where nobody says.
const usualShift = 365

// ParseDateShift reads how dates are moved: person, person,weeks, person,30 or person,weeks,30; empty for not at all.
func ParseDateShift(text string) (s DateShift, err error) {
	if text == "" {
		return s, nil
	}
	parts := strings.Split(text, ",")
	wrong := fmt.Errorf("dates-shift is %q; expected person, with weeks for whole weeks and the most days from 7 to "+
		"36500 after commas, such as person,weeks,90", text)
	if strings.TrimSpace(parts[0]) != "person" {
		return s, wrong
	}
	s.Days = usualShift
	for _, p := range parts[1:] {
		if p = strings.TrimSpace(p); p == "weeks" {
			s.Weeks = true
			continue
		}
		if s.Days, err = strconv.Atoi(p); err != nil || s.Days < 7 || s.Days > 36500 {
			return DateShift{}, wrong
		}
	}
	return s, nil
}

// dated returns the columns of dates that are moved: all but identifiers.
func dated(t *table.Table) (columns []int) {
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind == table.Numeric && a.Dates != "" && !a.Dates.Timely() && a.Role&table.Identifier == 0 {
			columns = append(columns, j)
		}
	}
	return columns
}

// shift returns the request with its dates moved, kept as they then are by whatever technique, and the table as it was
// but for the domains of the dates. The technique fits, and its promises hold, what is released. Cost: O(n) per column
// of dates.
func (s DateShift) shift(q Request) (Request, *table.Table, error) {
	columns := dated(q.Table)
	of := owned(q.Table, q.Persons)
	switch {
	case of == nil:
		return q, nil, errors.New("dates-shift moves the dates of a person by one offset, but no column identifies the " +
			"people: give one the role person (--role COLUMN=person)")
	case len(columns) == 0:
		return q, nil, errors.New("dates-shift moves dates, but no column holds any: name one with --dates " +
			"COLUMN=NOTATION, or leave it out")
	}
	was, is := q.Table, q.Table
	days := s.offsets(q, of, columns)
	q.Keep = slices.Clone(q.Keep)
	for _, j := range columns {
		old, moved := q.Table.Column(j), q.Table.Column(j)
		moved.Num = slices.Clone(old.Num)
		for i := range moved.Num {
			moved.Num[i] = old.Dates.Later(moved.Num[i], days[i])
		}
		lo, hi := table.Range(slices.Concat(old.Num, moved.Num))
		if !old.Declared && lo <= hi {
			moved.Domain = table.Interval{Lo: min(lo, old.Domain.Lo), Hi: max(hi, old.Domain.Hi)}
			old.Domain = moved.Domain
		}
		var err error
		if was, err = was.WithColumn(j, old); err != nil {
			return q, nil, err
		}
		if is, err = is.WithColumn(j, moved); err != nil {
			return q, nil, err
		}
		if !slices.Contains(q.Keep, old.Name) {
			q.Keep = append(q.Keep, old.Name)
		}
	}
	q.Table = is
	return q, was, nil
}

// owned returns by row what names the person of a record, alike in every table that has the same column; nil where
// nothing tells persons.
func owned(t *table.Table, persons map[table.RecordID]int32) func(i int) string {
	if j := t.WithRole(table.Person); j >= 0 {
		c := t.Column(j)
		return func(i int) string {
			if c.MissingAt(i) {
				return "record " + strconv.FormatUint(uint64(t.ID(i)), 10)
			}
			return "person " + string(c.AppendKey(nil, i))
		}
	}
	if persons == nil {
		return nil
	}
	return func(i int) string {
		if p, told := persons[t.ID(i)]; told {
			return "person " + string(binary.LittleEndian.AppendUint32(nil, uint32(p)))
		}
		return "record " + strconv.FormatUint(uint64(t.ID(i)), 10)
	}
}

// offsets returns by row the days by which the dates of its person move: one for each, by the seed and the person,
// every one alike of those that keep all of the person's dates within the domains that were declared. Where none does,
// 0.
func (s DateShift) offsets(q Request, of func(i int) string, columns []int) []float64 {
	type span struct{ down, up int }
	room := map[string]*span{}
	who := make([]string, q.Table.Rows())
	for i := range who {
		who[i] = of(i)
		r := room[who[i]]
		if r == nil {
			r = &span{-s.Days, s.Days}
			room[who[i]] = r
		}
		for _, j := range columns {
			a, v := q.Table.Attr(j), q.Table.Num(j)[i]
			if !a.Declared || v != v {
				continue
			}
			r.down = max(r.down, int(math.Ceil(a.Dates.Days(a.Domain.Lo)-a.Dates.Days(v))))
			r.up = min(r.up, int(math.Floor(a.Dates.Days(a.Domain.Hi)-a.Dates.Days(v))))
		}
	}
	src := rng.New(q.Seed).Fork("dates-shift").Fork(fmt.Sprint(s))
	step := 1
	if s.Weeks {
		step = 7
	}
	days := map[string]float64{}
	for name, r := range room {
		days[name] = drawn(r.down, r.up, step, src.Name(name).A)
	}
	out := make([]float64, len(who))
	for i, name := range who {
		out[i] = days[name]
	}
	return out
}

// drawn returns a multiple of a step from down to up other than 0, each alike; 0 where there is none.
func drawn(down, up, step int, word uint64) float64 {
	below, above := max(0, -down/step), max(0, up/step)
	if below+above == 0 {
		return 0
	}
	k := rng.Below(word, below+above) - below
	if k >= 0 {
		k++
	}
	return float64(k * step)
}

// shifted puts the dates as they were back into the original, says what was done to them, and what it leaves open.
func (p *Protected) shifted(s DateShift, was *table.Table) (err error) {
	for _, j := range dated(was) {
		name := was.Attr(j).Name
		if k := p.Original.Find(name); k >= 0 {
			if p.Original, err = p.Original.WithColumn(k, was.Column(j)); err != nil {
				return err
			}
		}
	}
	key := "note.datesShift.days"
	if s.Weeks {
		key = "note.datesShift.weeks"
	}
	names := named(was, dated(was))
	p.Notes = append(p.Notes, message.Say(key).Count("n", s.Days).Listed("columns", names))
	all, one, people := intervals(p.Original, dated(p.Original))
	p.OfPeople = append(p.OfPeople, ofPeople(message.Say("remark.title.intervals"), message.Say("remark.intervals").
		Count("all", all).Count("one", one).Count("people", people)))
	return nil
}

func named(t *table.Table, columns []int) (names []string) {
	for _, j := range columns {
		names = append(names, t.Attr(j).Name)
	}
	return names
}

// intervals plays intruders who know of somebody how many days lie between dates, which no common offset hides: how
// many people are the only ones with all their intervals, and how many have two dates in turn whose interval nobody
// else has. Cost: O(n log n) per column.
func intervals(t *table.Table, columns []int) (all, one, people int) {
	of, n := t.Owners(), 0
	dates := map[int32][]float64{}
	for i := range t.Rows() {
		who := int32(i)
		if of != nil {
			who = of[i]
		}
		for _, j := range columns {
			if v := t.Num(j)[i]; v == v {
				dates[who] = append(dates[who], math.Floor(t.Attr(j).Dates.Days(v)))
			} else if dates[who] == nil {
				dates[who] = []float64{}
			}
		}
	}
	n = len(dates)
	patterns, holders := map[string]int{}, map[float64]map[int32]bool{}
	own := map[int32]string{}
	for who, days := range dates {
		slices.Sort(days)
		var key []byte
		for k := 1; k < len(days); k++ {
			gap := days[k] - days[k-1]
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(gap))
			if holders[gap] == nil {
				holders[gap] = map[int32]bool{}
			}
			holders[gap][who] = true
		}
		own[who] = string(key)
		patterns[string(key)]++
	}
	for _, key := range own {
		if key != "" && patterns[key] == 1 {
			all++
		}
	}
	some := map[int32]bool{}
	for _, who := range holders {
		if len(who) == 1 {
			for p := range who {
				some[p] = true
			}
		}
	}
	return all, len(some), n
}
