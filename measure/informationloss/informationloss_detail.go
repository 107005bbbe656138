package informationloss

import (
	"encoding/json"
	"math"

	"github.com/dither-data/dither/internal/anonymity/infoloss"
)

// InformationLossDetail is what a report draws: the losses, all and by attribute, in [0, 1]; NaN where there is nothing
// to compare.
type InformationLossDetail struct{ infoloss.Loss }

// written is the form of an InformationLossDetail in JSON, with null for NaN.
type written struct {
	IL1     *float64 `json:"il1"`
	IL1s    *float64 `json:"il1s"`
	IL2     *float64 `json:"il2"`
	IL3     *float64 `json:"il3"`
	IL4     *float64 `json:"il4"`
	IL5     *float64 `json:"il5"`
	Columns []column `json:"columns"`
}

// column holds the losses of one attribute.
type column struct {
	Name       string   `json:"name"`
	Cells      int      `json:"cells"`
	Suppressed int      `json:"suppressed"`
	IL1        *float64 `json:"il1"`
	IL1s       *float64 `json:"il1s"`
	IL2        *float64 `json:"il2"`
	IL4        *float64 `json:"il4"`
}

// Written is what MarshalJSON writes.
func (d InformationLossDetail) Written() any {
	columns := make([]column, len(d.Columns))
	for k, c := range d.Columns {
		columns[k] = column{c.Name, c.Cells, c.Suppressed, known(c.IL1), known(c.IL1s), known(c.IL2), known(c.IL4)}
	}
	return written{known(d.IL1), known(d.IL1s), known(d.IL2), known(d.IL3), known(d.IL4), known(d.IL5), columns}
}

// MarshalJSON writes null for NaN.
func (d InformationLossDetail) MarshalJSON() ([]byte, error) { return json.Marshal(d.Written()) }

// known returns nil for NaN, which JSON cannot hold.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
