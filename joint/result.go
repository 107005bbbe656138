package joint

import (
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Result is what a party learns.
type Result struct {
	// Figures are single values, Tables several of one kind. A party's result may differ from another's.
	Figures []Figure      `json:"figures,omitempty"`
	Tables  []ResultTable `json:"tables,omitempty"`
	// Release is a table that this party gets and keeps, such as its records with their cluster.
	Release *table.Table `json:"-"`
	// Protection says how this party's records are to be protected; nil where the protocol does not. Who runs it applies
	// the plan to the records, and judges what comes of it.
	Protection *Protection `json:"-"`
}

// Protection is a technique that was fitted to the records of all, for those of one party.
type Protection struct {
	Method string // name of the technique
	Params []param.Value
	Plan   protect.Plan // confidential
}

// Figure is a single value.
type Figure struct {
	Name  string `json:"name"`
	Value any    `json:"value"` // int64, float64, string, or Withheld
}

// ResultTable is a table of values.
type ResultTable struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"` // as Figure.Value
}

// Withheld is the value of a figure that the guard of the plan does not show.
type Withheld struct {
	Why string `json:"withheld"` // "below the minimum cell", "too few contributors"
}

// Why a figure is withheld.
const (
	BelowCell       = "below the minimum cell"
	FewContributors = "too few contributors"
)

func (w Withheld) String() string { return "withheld: " + w.Why }
