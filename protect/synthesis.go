package protect

import (
	"math"
	"slices"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Synthesiser is a plan that can draw new records from a model in place of perturbing those of a table: none of them
// stands for anybody, and there may be more or fewer of them than there were.
//
// Executors then give Apply chunks of Blank, whatever the table is that they were given: the values of that table never
// reach the plan. Records are numbered from 0, and a draw is keyed by that number, so that the release is the same in
// any chunks. With people of several records a plan is a Grouper by person.
type Synthesiser interface {
	Plan
	// Synthetic reports whether it does. A plan that draws only some columns, given the others, does not: its records
	// stand for those of the table (partial synthesis).
	Synthetic() bool
	// Blank returns the records of a release before they are drawn, of the plan's schema: all values missing, numbered
	// from 0, and where people have several, whose they are (table.Table.Owned). Src is that of Apply.
	Blank(src rng.Source) (*table.Table, error)
}

// Synthetic reports whether the released records of a plan stand for nobody: it, or a plan inside it, draws new ones.
func Synthetic(p Plan) bool {
	if s, ok := p.(Synthesiser); ok {
		return s.Synthetic()
	}
	if w, ok := p.(Wrapper); ok {
		return slices.ContainsFunc(w.Inner(), Synthetic)
	}
	return false
}

// BlankRecords returns so many records of a schema with all values missing, numbered from 0. It panics where rows is
// below 0.
func BlankRecords(schema []table.Attribute, rows int) (*table.Table, error) {
	cols := make([]table.Column, len(schema))
	for j, a := range schema {
		cols[j].Attribute = a
		switch a.Kind {
		case table.Numeric:
			cols[j].Num = slices.Repeat([]float64{math.NaN()}, rows)
		case table.Categorical:
			cols[j].Cat = slices.Repeat([]int32{-1}, rows)
		case table.SetValued:
			cols[j].Sets = table.SetsOf(make([][]int32, rows), nil)
		}
	}
	return table.New(cols...)
}

// The names of the parameters of a technique that draws new records.
const (
	RowsName = "rows"
	LikeName = "like"
)

// RowsParam declares the parameter that says how many records are drawn.
func RowsParam(p *int) param.Param {
	return param.Int(p, RowsName, 0, 0, 1<<30, "records", "how many records are drawn; 0: as many as the table has")
}

// LikeParam declares the parameter that says what all records have which are drawn (ParseLike).
func LikeParam(p *string) param.Param {
	return param.Text(p, LikeName, "draw only records that are like this: column=value, column>=number or "+
		"column<=number, several joined by \" and \"")
}
