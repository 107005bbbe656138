// Package impute is the contract of what fills in missing values before a technique perturbs a table, so that the
// pattern of gaps, by which people are found (measure gaplinkage), does not reach the release.
//
// A Filling is fitted to the original and belongs to the plan: data, confidential, through JSON and back the same
// values. The technique sees the filled table. Where it leaves a column alone, values that were filled in there are
// filled in again, of the released record instead of the original one: an exact function of exact values, in a column
// that nothing perturbs, would give these away.
//
// The methods register themselves where package impute/trees is imported, so that a program which imputes nothing does
// not carry them.
package impute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
)

// DMI and SiMI are the methods of the catalogue.
const (
	DMI  = "dmi"
	SiMI = "simi"
)

// Suffix is what the name of a column of marks ends in: that of the imputed column with it, as the R package VIM
// names them.
const Suffix = "_imp"

// Filling fills in the missing values of tables like the one that it was fitted to. It is marshalled as JSON.
type Filling interface {
	// Schema returns the attributes of the table that it was fitted to.
	Schema() []table.Attribute
	// Fill returns a table with values in its gaps. The table must conform to the schema.
	Fill(ctx context.Context, t *table.Table) (*Filled, error)
	// Check says what is wrong with a filling that was read from a file.
	Check() error
}

// Filled is a table with values in its gaps.
type Filled struct {
	Table *table.Table
	Cells map[int][]bool // by column and row: what was filled in; nil for a column in which nothing was
	// Left counts, by column, gaps that stay: where no value can be, where every value would break a relation, and in
	// columns that are not filled in.
	Left map[int]int
}

// Count returns how many values were filled in, and in how many columns.
func (f *Filled) Count() (values, columns int) {
	for _, cells := range f.Cells {
		n := 0
		for _, c := range cells {
			if c {
				n++
			}
		}
		if values += n; n > 0 {
			columns++
		}
	}
	return values, columns
}

// Ask says how gaps are to be filled in.
type Ask struct {
	// Leave reports columns that stay as they are; nil for none.
	Leave func(column string) bool
	// Relations hold between columns, and in every record whose gaps are filled in.
	Relations []relation.Relation
}

// Method is a published way to fill in values.
type Method struct {
	card.Card
	// Fit learns from a table without identifiers.
	Fit func(ctx context.Context, t *table.Table, ask Ask) (Filling, error)
	// Empty is a filling to decode into.
	Empty func() Filling
}

var methods []Method

// Register adds a method. Package impute/trees calls it as it is initialised.
func Register(m Method) { methods = append(methods, m) }

// Methods returns the methods that are in this program, in the order of their names.
func Methods() []Method {
	out := slices.Clone(methods)
	slices.SortFunc(out, func(a, b Method) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return out
}

// Named returns a method by its name or another name of its card.
func Named(name string) (Method, error) {
	if len(methods) == 0 {
		return Method{}, errors.New("no method of imputation is in this program: import impute/trees")
	}
	var names []string
	for _, m := range Methods() {
		if m.Answers(name) {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Method{}, fmt.Errorf("unknown imputation %q%s", name, spelling.Hint(name, names))
}

// Plan is a filling as plan files hold it, with the method that made it.
type Plan struct {
	Method string
	Marks  bool // the release says which values are imputed
	Filling
}

// written is the JSON of a plan.
type written struct {
	Method  string `json:"method"`
	Marks   bool   `json:"marks,omitempty"` // the release says which values are imputed
	Filling any    `json:"filling"`         // as the method writes it
}

// stored is the same as it is read.
type stored struct {
	Method  string          `json:"method"`
	Marks   bool            `json:"marks,omitempty"`
	Filling json.RawMessage `json:"filling"`
}

// MarshalJSON writes the method with its filling.
func (p Plan) MarshalJSON() ([]byte, error) { return json.Marshal(p.Written()) }

// Written is what MarshalJSON writes.
func (p Plan) Written() any { return written{p.Method, p.Marks, p.Filling} }

// UnmarshalJSON reads what MarshalJSON writes, and refuses what a method cannot fill in by.
func (p *Plan) UnmarshalJSON(data []byte) error {
	var s stored
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	m, err := Named(s.Method)
	if err != nil {
		return err
	}
	p.Method, p.Marks, p.Filling = m.Name, s.Marks, m.Empty()
	if err := json.Unmarshal(s.Filling, p.Filling); err != nil {
		return err
	}
	return p.Check()
}
