package hiding

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/rulehiding"
	"github.com/dither-data/dither/message"
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
func guess(d *rulehiding.Data) *Guess {
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
func (g *Guess) note() message.Sentence {
	if g.Telling == 0 {
		return message.Say("plan.hiding.unknown").Fixed("worst", float64(100*g.Worst), 0).Count("items", g.Items)
	}
	return message.Say("plan.hiding.tells").Count("telling", g.Telling).Count("items", g.Items).
		Fixed("worst", float64(100*g.Worst), 0)
}
