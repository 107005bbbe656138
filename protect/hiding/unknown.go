package hiding

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/hide"
	"github.com/dither-data/dither/internal/numeral"
)

// free reads the items that matter little.
func (p *Plan) free(c *basket.Coding) (out []int32, err error) {
	list, err := c.Patterns(p.Settings.Free)
	if err != nil {
		return nil, fmt.Errorf(`parameter "free": %w`, err)
	}
	for _, one := range list {
		if one.Rule() {
			return nil, errors.New(`parameter "free" lists a rule; it lists items with commas between them`)
		}
		out = append(out, one.If...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Guess is what a reader gets right who takes every unknown item as there.
type Guess struct {
	Items   int     `json:"items"`   // that are unknown somewhere
	Telling int     `json:"telling"` // of them, by which the reader is right in more than three quarters of the records
	Worst   float64 `json:"worst"`   // the largest such share
}

// telling is the share of records from which on unknown items are as good as told.
const telling = 0.75

// guess counts where unknown items were there.
func guess(d *hide.Data) *Guess {
	there, absent := d.Unknown()
	g := &Guess{}
	for v := range there {
		n := there[v] + absent[v]
		if n == 0 {
			continue
		}
		g.Items++
		share := float64(there[v]) / float64(n)
		g.Worst = max(g.Worst, share)
		if share > telling {
			g.Telling++
		}
	}
	return g
}

// note says how much unknown items tell.
func (g *Guess) note() string {
	if g.Telling == 0 {
		return numeral.Sprintf("who reads every unknown item as present is right for at most %.0f %% of the records, for any of %s", 100*g.Worst, numeral.Counted(g.Items, "item"))
	}
	return numeral.Sprintf("unknown tells: who reads it as present is right in more than 75 %% of the records for %d of %s, and in %.0f %% for one of them; such a reader fills them in and finds what was hidden",
		g.Telling, numeral.Counted(g.Items, "item"), 100*g.Worst)
}
