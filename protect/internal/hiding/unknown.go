package hiding

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/hide"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/param"
)

// How items are chosen that become unknown.
const (
	Fuzzy1b = "1b"
	Fuzzy2a = "2a"
	Fuzzy2b = "2b"
)

// Victims declares how items are chosen that become unknown.
func (s *Settings) Victims() param.Set {
	return param.Set{
		param.Choice(&s.How, "how", Fuzzy1b, []string{Fuzzy1b, Fuzzy2a, Fuzzy2b}, "which items: those that 1.b takes, of the end of a rule; 2.a, of either side; 2.b, of an itemset"),
		param.Text(&s.Free, "free", "items that matter little, with commas between them: they are taken first (zero-impact items)"),
	}
}

// Rounds declares how items that are there and items that are not become unknown in turn.
func (s *Settings) Rounds() param.Set {
	return param.Set{
		param.Int(&s.Ones, "ones", 1, 1, 1000, "records", "how many records lose an item of the end in a round"),
		param.Int(&s.Zeros, "zeros", 1, 1, 1000, "records", "in how many records absent items become unknown in a round"),
	}
}

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

// fuzzify makes the items unknown that another algorithm deletes.
func (p *Plan) fuzzify(ctx context.Context, d *hide.Data, c *basket.Coding, list []basket.Pattern, limits hide.Limits) error {
	free, err := p.free(c)
	if err != nil {
		return err
	}
	switch p.Settings.How {
	case Fuzzy2a:
		return hide.Fuzzify(ctx, d, list, limits, hide.LowerRule, free)
	case Fuzzy2b:
		return hide.FuzzifyLargest(ctx, d, list, limits, free)
	}
	return hide.Fuzzify(ctx, d, list, limits, hide.LowerEnd, free)
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
