// Package layout is how sets of items stand in the cells of a table: within a cell, a row for each item, or a column
// for each. Fold makes set-valued columns of the cells, and Unfold cells of the columns, so that what was read is
// written in its own layout.
//
// An item that is preceded by a question mark may or may not be in its set. An empty text is a set without items, and a
// missing cell a set that is not known. An item that stands there twice counts once, and items are written in ascending
// order, numbers by their value.
package layout

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Spec is a layout of one set-valued column.
type Spec struct {
	Kind Kind
	// Column holds the items: in its cells with Between between them, or one in a row.
	Column, Between string
	// ID is the column that says which rows belong together.
	ID string
	// Prefix is how the names of the columns begin that are 1 where a record has the rest of their name.
	Prefix string
}

// Kind is one of the layouts.
type Kind uint8

// The layouts.
const (
	Within Kind = iota // items in a cell
	Long               // a row for each item
	Wide               // a column for each item
)

const wide = "wide:"

// Parse reads a layout as people write it: diagnoses:; for items in the cells of a column with a character between
// them, visit:code for a row per item of the column code with the same visit, and wide:dx_ for columns of zeros and
// ones.
func Parse(s string) (Spec, error) {
	if rest, ok := strings.CutPrefix(s, wide); ok {
		return Spec{Kind: Wide, Prefix: rest}, nil
	}
	at := strings.LastIndexByte(s, ':')
	if at > 0 && at < len(s)-1 {
		left, right := s[:at], s[at+1:]
		r, n := utf8.DecodeRuneInString(right)
		mark := n == len(right) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		switch {
		case mark && r != '?' && r != '"' && r != utf8.RuneError:
			return Spec{Kind: Within, Column: left, Between: right}, nil
		case !mark && left != right:
			return Spec{Kind: Long, ID: left, Column: right}, nil
		}
	}
	return Spec{}, fmt.Errorf("expected column:separator such as diagnoses:; or id:item for a row per item, or " +
		"wide:prefix for a column per item")
}

// String writes the layout as Parse reads it.
func (s Spec) String() string {
	switch s.Kind {
	case Within:
		return s.Column + ":" + s.Between
	case Long:
		return s.ID + ":" + s.Column
	case Wide:
	}
	return wide + s.Prefix
}

// Name is the name of the set-valued column.
func (s Spec) Name() string {
	if s.Kind != Wide {
		return s.Column
	}
	return cmp.Or(strings.TrimRight(s.Prefix, "_.-: "), "items")
}

// Texts are the columns whose cells have to be read as texts.
func (s Spec) Texts() []string {
	if s.Kind == Wide {
		return nil
	}
	return []string{s.Column}
}

// order returns the place of every label in the order in which items are written: numbers by their value, then others
// by their bytes.
func order(labels []string) []int32 {
	type item struct {
		number uint64
		text   bool
		code   int32
	}
	items := make([]item, len(labels))
	for k, l := range labels {
		n, err := strconv.ParseUint(l, 10, 63)
		items[k] = item{n, err != nil, int32(k)}
	}
	sorting.Func(items, func(a, b item) int {
		if a.text != b.text {
			if a.text {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(labels[a.code], labels[b.code]))
	})
	out := make([]int32, len(labels))
	for k, it := range items {
		out[it.code] = int32(k)
	}
	return out
}

// Fold returns the table with the cells of the layouts as set-valued columns, in the place of the first of them, and
// remarks for people, which name columns and no value. It fails where a column is not there, holds numbers, or
// something else than zeros and ones. Cost: O(cells).
func Fold(ctx context.Context, t *table.Table, specs []Spec) (out *table.Table, notes []message.Sentence, err error) {
	seen := map[string]bool{}
	for _, s := range specs {
		if seen[s.Name()] {
			return nil, nil, fmt.Errorf("column %q has two layouts of items", s.Name())
		}
		seen[s.Name()] = true
		var more []message.Sentence
		switch s.Kind {
		case Within:
			t, more, err = s.foldCells(ctx, t)
		case Long:
			t, more, err = s.foldRows(ctx, t)
		case Wide:
			t, err = s.foldColumns(ctx, t)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("items %s: %w", s, err)
		}
		notes = append(notes, more...)
	}
	return t, notes, nil
}

// Of returns the layout of a set-valued column; one that has none stands within cells, with semicolons.
func Of(column string, specs []Spec) Spec {
	if k := slices.IndexFunc(specs, func(s Spec) bool { return s.Name() == column }); k >= 0 {
		return specs[k]
	}
	return Spec{Kind: Within, Column: column, Between: ";"}
}

// Unfold returns the table with its set-valued columns as cells, in their layouts; those of a kind that keep names stay
// sets. It fails on items whose names the layout cannot hold, and on too many cells, before anything else. Cost:
// O(cells) of what it returns.
func Unfold(t *table.Table, specs []Spec, keep ...Kind) (*table.Table, error) {
	for j := 0; j < t.Width(); j++ {
		a := t.Attr(j)
		s := Of(a.Name, specs)
		if a.Kind != table.SetValued || slices.Contains(keep, s.Kind) {
			continue
		}
		var err error
		switch s.Kind {
		case Within:
			t, err = s.cells(t, j)
		case Long:
			t, err = s.rows(t, j)
		case Wide:
			t, err = s.columns(t, j)
		}
		if err != nil {
			return nil, fmt.Errorf("column %q %w", a.Name, err)
		}
	}
	return t, nil
}

// find returns the position of a column of texts.
func (s Spec) find(t *table.Table, name string, text bool) (int, error) {
	j := t.Find(name)
	if j < 0 {
		return 0, fmt.Errorf("there is no column %q", name)
	}
	if text && t.Attr(j).Kind != table.Categorical {
		return 0, fmt.Errorf("column %q holds %s values, expected the names of items", name, t.Attr(j).Kind)
	}
	return j, nil
}
