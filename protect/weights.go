package protect

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/table"
)

// Weights returns the sampling weights of the records, the numeric column with the role table.Weight; nil where there is none. It is an
// error when one is missing or not above 0.
func Weights(t *table.Table) ([]float64, error) {
	if j := t.WithRole(table.Weight); j >= 0 && t.Attr(j).Kind == table.Numeric {
		return WeightsIn(t, j)
	}
	return nil, nil
}

// WeightsIn returns the sampling weights of the records that the numeric column j holds, whatever its role: a plan knows them by position. It is an
// error when one is missing or not above 0.
func WeightsIn(t *table.Table, j int) ([]float64, error) {
	bad := 0
	for _, w := range t.Num(j) {
		if !(w > 0) || math.IsInf(w, 0) {
			bad++
		}
	}
	if bad > 0 {
		return nil, fmt.Errorf("column %q has %d value(s) that are missing or not above 0; expected a sampling weight for every record",
			t.Attr(j).Name, bad)
	}
	return t.Num(j), nil
}
