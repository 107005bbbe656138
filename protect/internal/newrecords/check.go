package newrecords

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// mostRows is how many records a decoded plan may draw at most, and mostOfUnit how many of a unit.
const mostRows, mostOfUnit = 1 << 30, 1 << 20

// Check refuses what a decoded plan could not draw.
func Check(schema []table.Attribute, u *Units, like protect.Conditions, rows int) error {
	if rows < 0 || rows > mostRows {
		return errors.New("the number of records to draw is out of range")
	}
	if err := protect.CheckSchema(schema); err != nil {
		return err
	}
	if err := like.Check(schema); err != nil {
		return err
	}
	if u == nil {
		return nil
	}
	if u.Most < 1 || u.Most > mostOfUnit || !(u.Mean >= 1) || math.IsInf(u.Mean, 0) {
		return errors.New("the number of records of a person is out of range")
	}
	last := -1
	for _, j := range u.Varies {
		if j <= last || j >= len(schema) || !schema[j].Kind.Scalar() {
			return errors.New("the columns that vary are not ascending positions in the schema")
		}
		last = j
	}
	for _, j := range u.Ascends {
		if j < 0 || j >= len(schema) || schema[j].Kind != table.Numeric || u.Level(schema, j) {
			return errors.New("a column that never falls is not a number that varies")
		}
	}
	return nil
}

// Notes says which columns are not drawn, how people are, and that records are drawn of a group of few people.
func Notes(schema []table.Attribute, u *Units, like protect.Conditions, rows, alike int) (out []message.Sentence) {
	var sets []string
	for _, a := range schema {
		if !a.Kind.Scalar() {
			sets = append(sets, a.Name)
		}
	}
	if sets != nil {
		out = append(out, message.Say("synthesis.sets").Listed("columns", sets))
	}
	if u != nil {
		out = append(out, message.Say("synthesis.people"))
	}
	if len(like) > 0 && rows > alike {
		out = append(out, message.Say("synthesis.few").Count("n", alike).Count("rows", rows))
	}
	return out
}

// Alike counts the people of a table who meet conditions, and refuses those that fewer than so many do. It is 0 without
// conditions. Cost: O(n) for each.
func Alike(t *table.Table, like protect.Conditions, least int) (int, error) {
	if len(like) == 0 {
		return 0, nil
	}
	meets := slices.Repeat([]bool{true}, t.Rows())
	for j := range t.Width() {
		c := t.Column(j)
		if !like.On(c.Name) {
			continue
		}
		values := c.Numbers()
		for i := range meets {
			meets[i] = meets[i] && !c.MissingAt(i) && like.Holds(&c.Attribute, values[i])
		}
	}
	who := map[int32]bool{}
	of, _ := t.People()
	for i, is := range meets {
		switch {
		case is && of != nil:
			who[of[i]] = true
		case is:
			who[int32(i)] = true
		}
	}
	if len(who) < max(least, 1) {
		return 0, fmt.Errorf("parameter %q: fewer than %d people of the table are like that", protect.LikeName, max(least, 1))
	}
	return len(who), nil
}
