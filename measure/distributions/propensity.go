package distributions

import (
	"errors"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// propensityMeasures measure how well a model tells released records from originals: by its propensity scores (pmse),
// and by how often it gives a released record the higher score of a pair (twosampleauc).
//
// The records of both tables are put together and labelled. All columns but identifiers and weights are looked at; what
// is missing is a value of its own. Records need not be paired. Above the parameter sample, so many records of each
// table are drawn by their identities, which are no secret.
//
// References: J. Snoke, G. M. Raab, B. Nowok, C. Dibben and A. Slavkovic, "General and specific utility measures for
// synthetic data", JRSS A 181, 2018 (pmse, its expectation, and the null by permutation); D. Lopez-Paz and M. Oquab,
// "Revisiting classifier two-sample tests", ICLR 2017; E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing
// the areas under two or more correlated receiver operating characteristic curves", Biometrics 44, 1988 (interval).
var propensityMeasures = []measure.Measure{PMSE, TwoSampleAUC}

// both is the records of two tables that are told apart.
type both struct {
	tables  [2]*table.Table
	rows    [2][]int // drawn, in an order of their identities
	columns []int
	notes   []message.Sentence
}

// drawn draws so many records of each table.
func drawn(r *measure.Release, most int) (*both, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	b := &both{tables: [2]*table.Table{r.Original, r.Released}}
	src := rng.New([32]byte{}).Fork("told apart")
	for k, t := range b.tables {
		if t.Rows() == 0 {
			return nil, errors.New("a table has no records")
		}
		if b.rows[k] = t.First(most, src); len(b.rows[k]) < t.Rows() {
			b.notes = append(b.notes, message.Say("measure.propensity.note.sample").Count("n", len(b.rows[k])).
				Count("of", t.Rows()).Part("table", message.Say([]string{"measure.propensity.original",
				"measure.propensity.released"}[k])))
		}
	}
	for j := range r.Original.Width() {
		if a := r.Original.Attr(j); a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 {
			b.columns = append(b.columns, j)
		}
	}
	if len(b.columns) == 0 {
		return nil, errors.New("there is no column to look at: identifiers and weights are left out")
	}
	return b, nil
}

// records returns how many there are of both tables.
func (b *both) records() int { return len(b.rows[0]) + len(b.rows[1]) }

// released returns the share of the released ones.
func (b *both) released() float64 { return float64(len(b.rows[1])) / float64(b.records()) }

// each visits the records of both tables in turns: originals and what they became follow each other, so that sums over
// equal tables cancel.
func (b *both) each(visit func(at, table, row int)) {
	at := 0
	for k := range max(len(b.rows[0]), len(b.rows[1])) {
		for table, rows := range b.rows {
			if k < len(rows) {
				visit(at, table, rows[k])
				at++
			}
		}
	}
}
