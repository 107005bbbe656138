package fence

import (
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// On what grid numbers are released that are worked out, such as means.
const (
	GridKeep  = "keep"  // that of their attribute
	GridFiner = "finer" // with two more decimals (Finer)
)

// GridParam declares the parameter "grid".
func GridParam(p *string, def string) param.Param {
	return param.Choice(p, "grid", def, []string{GridKeep, GridFiner},
		"round released numbers to the decimals of their column, or keep two more (the released column says so)")
}

// Finer returns an attribute with a grid a hundred times as fine. It is as it was where it is continuous, or the finer
// grid has too many values to be exact.
func Finer(a table.Attribute) table.Attribute {
	if a.Step == 0 {
		return a
	}
	num, den := table.Ratio(a.Step)
	if step := num / (100 * den); wrap.Fits(a.Domain, step) {
		a.Step = step
	}
	return a
}
