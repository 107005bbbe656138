package execute

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// owned returns the table with whose its records are: as it tells, or else by the people who recur, or by its own
// columns with the roles Person and Household.
func owned(t *table.Table, recur *table.Column) *table.Table {
	by := func(role table.Role) []int32 {
		j := t.WithRole(role)
		if j < 0 {
			return nil
		}
		c := t.Column(j)
		return owners(&c)
	}
	switch {
	case t.Owners() != nil:
	case recur != nil && recur.Len() == t.Rows():
		t = t.Owned(owners(recur))
	default:
		t = t.Owned(by(table.Person))
	}
	if t.Households() == nil {
		t = t.Housed(by(table.Household))
	}
	return t
}

// owners numbers the people whom a column names, by row. A record that names nobody is a person's of its own.
func owners(person *table.Column) []int32 {
	of, number, next := make([]int32, person.Len()), map[string]int32{}, int32(0)
	for i := range of {
		if person.MissingAt(i) {
			of[i] = next
			next++
			continue
		}
		key := string(person.AppendKey(nil, i))
		n, known := number[key]
		if !known {
			n = next
			number[key] = n
			next++
		}
		of[i] = n
	}
	return of
}

// named refuses a column that does not tell of all records whose they are.
func named(person *table.Column, rows int) error {
	if person.Len() != rows {
		return fmt.Errorf("people recur, and column %q has %s for %s",
			person.Name, numfmt.Counted(person.Len(), "value"), numfmt.Counted(rows, "record"))
	}
	unnamed := 0
	for i := range rows {
		if person.MissingAt(i) {
			unnamed++
		}
	}
	if unnamed > 0 {
		return fmt.Errorf("people recur, but column %q is missing in %s: remove these records, or fill in the person",
			person.Name, numfmt.Counted(unnamed, "record"))
	}
	return nil
}

// tellRecurring says what is kept of people who recur, and what is not.
func (d *draw) tellRecurring() {
	kept, met, _ := protect.Recurring(d.plan)
	if len(kept) > 0 {
		d.notes = append(d.notes, "people recur: by this seed and plan a person's value is released alike in every release "+
			"as long as it stays, so that several releases tell no more of it than one, in "+strings.Join(kept, ", ")+
			"; that it changed can be seen, and what changes is drawn anew each time, "+
			"so a value that moves a little every time averages out")
	}
	if len(met) > 0 {
		d.open = append(d.open, Open{"Over several releases noise averages out", "people recur, and what is done to a " +
			"value depends " +
			"on the other records and is drawn anew in each release, in " + strings.Join(met, ", ")})
	}
}

// leftOut says that records which a technique leaves out keep the others from sharing a draw.
func (d *draw) leftOut(alone []string) {
	d.open = append(d.open, Open{"Over the records of a person noise averages out", "the technique leaves out records, " +
		"and draws for each of the others, in " + strings.Join(alone, ", ")})
}

// over says which units have several records, the largest that there are.
func (o *onceIn) over() string {
	records, who := o.levels[0].records, "households"
	if o.levels[0].level == table.OfPerson {
		who = "people"
	}
	sizes := make([]int, len(records))
	for k, rows := range records {
		sizes[k] = len(rows)
	}
	slices.Sort(sizes)
	return numfmt.Sprintf("%d %s have several records (half of them %d or more, one %d)",
		len(sizes), who, sizes[len(sizes)/2], sizes[len(sizes)-1])
}

// tell says what is drawn once, and what averages out over the records of a unit: of the columns met it is a value for
// each of the groups that these are in. Counts is what the technique counts of people, empty for records.
func (o *onceIn) tell(met []string, counts string) {
	over := o.over()
	if len(o.once) > 0 {
		o.notes = append(o.notes, fmt.Sprintf("%s: a value that stands in several of these is drawn once, "+
			"so its noise does not average out, in %s", over, strings.Join(o.once, ", ")))
	}
	if o.n.redrawn > 0 {
		o.notes = append(o.notes, numfmt.Verb(o.n.redrawn, "value", "is", "are")+" drawn among those that stay in the "+
			"segments of all records of the unit, since no draw of one of these did")
	}
	if o.n.kept > 0 {
		o.open = append(o.open, Open{"Values of units are kept", numfmt.Verb(o.n.kept, "value", "is", "are") + " as in the " +
			"original, since no other stays in the segments of all records of the unit"})
	}
	var some []string
	for k, name := range o.once {
		if o.vary[k] {
			some = append(some, name)
		}
	}
	if some != nil {
		o.open = append(
			o.open,
			Open{"Over the records of a person noise averages out where values differ", fmt.Sprintf("%s, "+
				"and such values are treated one by one, in %s", over, strings.Join(some, ", "))},
		)
	}
	switch {
	case len(met) > 0 && counts != "":
		o.notes = append(o.notes, over+": the technique counts people: "+counts)
		o.open = append(o.open, Open{"A person's records may be in several groups", fmt.Sprintf("%s, and what is done to a "+
			"value then differs between them, in %s; kanonymity and found count people", over, strings.Join(met, ", "))})
	case len(met) > 0:
		o.open = append(o.open, Open{"The technique takes each record for a person", fmt.Sprintf("%s, so a group of so "+
			"many records may be of fewer people, and what is done to a value differs between a person's records, in %s; "+
			"kanonymity and found count people", over, strings.Join(met, ", "))})
	}
}
