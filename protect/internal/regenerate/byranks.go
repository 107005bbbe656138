package regenerate

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/stats/copula"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// ByRanks is what the plans share that draw normal scores of ranks anew: C-GADP (Sarathy, Muralidhar & Parsa 2002),
// data shuffling (Muralidhar & Sarathy 2006). It holds no values of records.
type ByRanks struct {
	Frame
	protect.OneGroup
	protect.Exactly
	// Open holds, by position in Columns, the share of the variance of the normal scores that S leaves open in the table
	// the plan was fitted on; 0 where all known values are equal. It serves the notes only.
	Open []float64 `json:"open,omitempty"`
}

// wide is the variance of drawn normal scores, which are those of a law of variance 1, from which it is refused.
const wide = 1.5

// Empirical returns the columns X.
func (p *ByRanks) Empirical() []string { return p.Drawn(p.Attrs, p.Columns) }

// Study refuses a table of too few records for its columns, or whose other columns depend on each other so closely that
// the scores drawn given them would be extremes, and sets Open. It needs 2k+2 records for k columns X, and 5 for each
// of S and each indicator; columns without two different values do not count. Cost: that of a release.
func (p *ByRanks) Study(ctx context.Context, t *table.Table) error {
	if len(p.Columns) == 0 {
		return nil
	}
	u, k, numbers := p.Records(t), len(p.Columns), len(p.Columns)+len(p.Others)
	m, err := moments.Of(ctx, u)
	if err != nil {
		return err
	}
	x, s, records := counted(m, k)
	if need := 2*x + 5*s + 2; x > 0 && records < float64(need) {
		return fmt.Errorf("there are %.0f records to take the rank correlations of %d columns from, %d of them released as "+
			"they are, expected "+
			"%d or more; use egadp, or fewer columns", records, x+s, s, need)
	}
	p.Open = make([]float64, k)
	if x == 0 {
		return ctx.Err()
	}
	open, spread, err := copula.Open(rank.OfAll(u[:numbers]), u[numbers:], k)
	if err != nil {
		return err
	}
	for i, v := range spread {
		if m.Co(i, i) == 0 {
			continue
		}
		if p.Open[i] = open[i]; v > wide {
			return fmt.Errorf("the columns released as they are depend on each other too closely: given them the ranks of "+
				"column %q would be drawn "+
				"with %.3g times their variance; use egadp, or fewer columns", p.Attrs[p.Columns[i]].Name, v)
		}
	}
	return ctx.Err()
}

// counted returns how many of the first k columns, and of the others, vary, and the fewest records that two columns
// that vary have both.
func counted(m *moments.Moments, k int) (x, s int, records float64) {
	records = math.Inf(1)
	for i := range m.P {
		if m.Co(i, i) == 0 {
			continue
		}
		if i < k {
			x++
		} else {
			s++
		}
		for j := range i + 1 {
			if m.Co(j, j) != 0 {
				records = min(records, m.N(i, j))
			}
		}
	}
	return x, s, records
}

// Check refuses a decoded plan whose columns do not belong together, or whose figures are out of range.
func (p *ByRanks) Check() error {
	if len(p.Open) != 0 && len(p.Open) != len(p.Columns) {
		return fmt.Errorf("there are %d shares left open for %d columns", len(p.Open), len(p.Columns))
	}
	for _, v := range p.Open {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("a share left open is %v; expected 0 to 1", v)
		}
	}
	return p.Frame.Check("")
}

// Notes says what security is reached, among normal scores, and which columns are released as they are.
func (p *ByRanks) Notes() []message.Sentence {
	out := p.Frame.Notes()
	if len(p.Open) != len(p.Columns) || len(p.Columns) == 0 {
		return out
	}
	return append(out, p.Disclosed(p.Open)...)
}
