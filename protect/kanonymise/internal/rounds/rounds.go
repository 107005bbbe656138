// Package rounds recodes records in rounds (local recoding): each round has a level for every column, and the
// combinations of groups of values that it takes. A record is generalised by the first round that takes what it would
// show there; one that none takes, by the last.
//
// Which round a record is in depends on its own values only, so any record has one, whatever others it is with.
package rounds

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/table"
)

// Recoding is a local recoding of some columns. It is plain data.
type Recoding struct {
	Hierarchies []*hierarchy.Hierarchy `json:"hierarchies"` // by column
	Rounds      []Round                `json:"rounds"`      // at least one
}

// Round is the records that are generalised alike.
type Round struct {
	Levels []int `json:"levels"` // by column
	// what it takes, one combination after the other: by column 1 + the group on its level, 0 for a missing value
	Takes []int32 `json:"takes"`
}

// Exact reports whether a column stays as it is, in all rounds.
func (r *Recoding) Exact(k int) bool {
	return !slices.ContainsFunc(r.Rounds, func(o Round) bool { return o.Levels[k] > 0 })
}

// Of returns the round of every record of some columns. It fails where a hierarchy does not list a value.
func (r *Recoding) Of(columns []table.Column) ([]int32, error) {
	of := make([]int32, columns[0].Len())
	left := make([]int, len(of))
	for i := range left {
		of[i], left[i] = int32(len(r.Rounds)-1), i
	}
	known := make([]map[int][]int32, len(columns)) // by column and level: the groups of the records
	var key []byte
	for n := range r.Rounds {
		round := &r.Rounds[n]
		groups := make([][]int32, len(columns))
		for k := range columns {
			level := round.Levels[k]
			if known[k] == nil {
				known[k] = map[int][]int32{}
			}
			if known[k][level] == nil {
				own, err := r.Hierarchies[k].Groups(&columns[k], level)
				if err != nil {
					return nil, err
				}
				known[k][level] = own
			}
			groups[k] = known[k][level]
		}
		takes := round.takes(len(columns))
		left = slices.DeleteFunc(left, func(i int) bool {
			key = key[:0]
			for _, own := range groups {
				key = binary.LittleEndian.AppendUint32(key, uint32(own[i]+1))
			}
			if takes[string(key)] {
				of[i] = int32(n)
				return true
			}
			return false
		})
	}
	return of, nil
}

// takes returns what the round takes of so many columns.
func (r *Round) takes(columns int) map[string]bool {
	out := make(map[string]bool, len(r.Takes)/columns)
	var key []byte
	for tuple := range slices.Chunk(r.Takes, columns) {
		key = key[:0]
		for _, g := range tuple {
			key = binary.LittleEndian.AppendUint32(key, uint32(g))
		}
		out[string(key)] = true
	}
	return out
}

// Recode returns the columns as general as the rounds make them: categorical, with the labels of all levels of the
// rounds, unless they stay as they are. It fails where a hierarchy does not list a value.
func (r *Recoding) Recode(columns []table.Column) ([]table.Column, error) {
	of, err := r.Of(columns)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(columns)
	for k := range columns {
		if r.Exact(k) {
			continue
		}
		face := r.Face(k, &columns[k].Attribute)
		codes := make([]int32, len(of))
		at := map[int][]int32{}
		for n := range r.Rounds {
			level := r.Rounds[n].Levels[k]
			if at[level] == nil {
				if at[level], err = r.Hierarchies[k].Groups(&columns[k], level); err != nil {
					return nil, err
				}
			}
		}
		for i, n := range of {
			level := r.Rounds[n].Levels[k]
			if codes[i] = -1; at[level][i] >= 0 {
				codes[i] = face.codes[level][at[level][i]]
			}
		}
		out[k] = table.Column{Attribute: face.Attr, Cat: codes}
	}
	return out, nil
}

// Face is what a release shows of a column.
type Face struct {
	Attr  table.Attribute // its labels are those of all levels of the rounds
	Spans []float64       // by label: how much of the column it covers, in [0, 1]
	codes map[int][]int32 // by level and group: its label
}

// Face works out the labels of column k, whose attribute is a. Groups of different levels that are called the same show
// the same.
func (r *Recoding) Face(k int, a *table.Attribute) Face {
	f := Face{Attr: table.Attribute{Name: a.Name, Kind: table.Categorical, Role: a.Role}, codes: map[int][]int32{}}
	var levels []int
	for _, round := range r.Rounds {
		levels = append(levels, round.Levels[k])
	}
	slices.Sort(levels)
	number := map[string]int32{}
	for _, level := range slices.Compact(levels) {
		spans := r.Hierarchies[k].Spans(level)
		for g, text := range r.Hierarchies[k].Labels(level) {
			code, known := number[text]
			if !known {
				code = int32(len(f.Attr.Labels))
				number[text], f.Attr.Labels, f.Spans = code, append(f.Attr.Labels, text), append(f.Spans, 0)
			}
			f.Spans[code] = max(f.Spans[code], spans[g])
			f.codes[level] = append(f.codes[level], code)
		}
	}
	return f
}

// Check refuses a decoded recoding that is not one of columns with these attributes.
func (r *Recoding) Check(attrs []table.Attribute) error {
	if len(r.Hierarchies) != len(attrs) || len(r.Rounds) == 0 {
		return fmt.Errorf("there are %d hierarchies and %d rounds, expected %d and at least one", len(r.Hierarchies),
			len(r.Rounds), len(attrs))
	}
	for k, h := range r.Hierarchies {
		if h == nil {
			return fmt.Errorf("column %q has no hierarchy", attrs[k].Name)
		}
		if err := h.Check(); err != nil {
			return err
		}
	}
	for _, round := range r.Rounds {
		if len(round.Levels) != len(attrs) || len(round.Takes)%len(attrs) != 0 {
			return errors.New("a round does not have a level of every column, or takes parts of combinations")
		}
		for k, level := range round.Levels {
			if _, err := r.Hierarchies[k].At(&attrs[k], level); err != nil {
				return err
			}
			groups := int32(len(r.Hierarchies[k].Labels(level)))
			for at := k; at < len(round.Takes); at += len(attrs) {
				if g := round.Takes[at]; g < 0 || g > groups {
					return fmt.Errorf("a round takes group %d of column %q, which has %d on that level", g, attrs[k].Name, groups)
				}
			}
		}
	}
	return nil
}
