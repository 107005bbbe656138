package minetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

// division is what a clustering says of a table.
type division struct {
	Clusters int
	Labels   []int32
	Assigned []int32
}

func divide(m mine.Clusterer, t *table.Table) *division {
	d := &division{Clusters: m.Clusters(), Labels: m.Labels(), Assigned: make([]int32, t.Rows())}
	for i := range d.Assigned {
		d.Assigned[i] = math.MinInt32
	}
	m.Assign(t, d.Assigned)
	return d
}

// clusters checks that labels are numbers of clusters and that the table a model was fitted on is divided as the model
// says.
func clusters(s *suite) error {
	return s.each(func(m mine.Model, t *table.Table) error {
		d := show(m, t).Division
		if d == nil {
			return nil
		}
		if len(d.Labels) != t.Rows() {
			return fmt.Errorf("there are %d labels for %d records", len(d.Labels), t.Rows())
		}
		for i, c := range d.Labels {
			if c < -1 || int(c) >= d.Clusters {
				return fmt.Errorf("record %d is in cluster %d of %d", i, c, d.Clusters)
			}
			if a := d.Assigned[i]; a != c {
				return fmt.Errorf("record %d is in cluster %d and is assigned to %d", i, c, a)
			}
		}
		return nil
	})
}

// similar checks that similar values are two different labels of a categorical attribute.
func similar(s *suite) error {
	return s.each(func(m mine.Model, t *table.Table) error {
		for _, a := range show(m, t).Similar {
			j := t.Find(a.Attribute)
			if j < 0 || t.Attr(j).Kind != table.Categorical {
				return fmt.Errorf("%q has similar values, and no categorical attribute has that name", a.Attribute)
			}
			if x, y := t.Attr(j).Code(a.A), t.Attr(j).Code(a.B); x < 0 || y <= x {
				return fmt.Errorf("similar values of %q have the codes %d and %d, expected the lower first", a.Attribute, x, y)
			}
			if math.IsNaN(a.Strength) || math.IsInf(a.Strength, 0) {
				return fmt.Errorf("similar values of %q have the strength %v", a.Attribute, a.Strength)
			}
		}
		return nil
	})
}

// data checks that a clustering is plain data: through JSON and back it says the same.
func data(s *suite) error {
	return s.each(func(m mine.Model, t *table.Table) error {
		if _, ok := m.(mine.Clusterer); !ok {
			return nil
		}
		text, err := json.Marshal(m)
		if err != nil {
			return err
		}
		into := reflect.New(reflect.TypeOf(m))
		if err := json.Unmarshal(text, into.Interface()); err != nil {
			return err
		}
		if back := into.Elem().Interface(); !reflect.DeepEqual(show(m, t), show(back, t)) {
			return fmt.Errorf("a model that went through JSON says something else")
		}
		return nil
	})
}

// described checks that a text fits a page.
func described(s *suite) error {
	return s.each(func(m mine.Model, t *table.Table) error {
		d, ok := m.(mine.Described)
		if !ok {
			return nil
		}
		for i, line := range strings.Split(d.Text(), "\n") {
			if n := utf8.RuneCountInString(line); n > 160 || !utf8.ValidString(line) {
				return fmt.Errorf("line %d of the text has %d characters, expected at most 160 of them valid", i+1, n)
			}
		}
		return nil
	})
}

// each calls f with models fitted on a complete table and on one with gaps.
func (s *suite) each(f func(m mine.Model, t *table.Table) error) error {
	for _, t := range []*table.Table{Mixed(400, 0), Mixed(400, 0.3)} {
		m, err := s.fit(context.Background(), t)
		if err != nil {
			return err
		}
		if err := f(m, t); err != nil {
			return err
		}
	}
	return nil
}
