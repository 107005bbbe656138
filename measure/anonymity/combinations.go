package anonymity

import (
	"cmp"
	"context"
	"math"
	"strings"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// combined is a plan that reaches k in combinations of columns.
type combined interface{ Combinations() [][]string }

// Combination is k in some columns.
type Combination struct {
	Columns  []string `json:"columns"`  // that the intruder knows
	Smallest int      `json:"smallest"` // k
	Below    int      `json:"below"`    // records, or people, in classes below what is asked for
}

// each measures in every combination, of which the intruder may know a part only. The result is of the worst, with the
// highest risk of a record in any. Together is of all that the intruder knows; it is the result where that is nothing
// of any combination.
func (m *KAnonymityMeter) each(
	ctx context.Context,
	r *measure.Release,
	chosen [][]string,
	together KAnonymityDetail,
) (KAnonymityDetail, error) {
	worst := together
	var list []Combination
	var risk []float64
	seen := map[string]bool{}
	for _, columns := range chosen {
		s, err := m.Among(ctx, r, columns)
		if err != nil {
			return worst, err
		}
		one := Combination{}
		for _, k := range s.View.Known {
			one.Columns = append(one.Columns, r.Released.Attr(k.Column).Name)
		}
		if key := strings.Join(one.Columns, "\x00"); len(one.Columns) == 0 || seen[key] {
			continue
		} else {
			seen[key] = true
		}
		d := m.detail(s)
		one.Smallest, one.Below = d.Smallest, d.Below
		if len(list) == 0 || d.Smallest < worst.Smallest || d.Smallest == worst.Smallest && d.Below > worst.Below {
			worst = d
		}
		if list = append(list, one); risk == nil {
			risk = d.risk
		}
		for i, v := range d.risk {
			risk[i] = math.Max(risk[i], v)
		}
	}
	if len(list) == 0 {
		return together, nil
	}
	sorting.Stable(list, func(a, b Combination) int {
		return cmp.Or(cmp.Compare(a.Smallest, b.Smallest), cmp.Compare(b.Below, a.Below))
	})
	worst.Combinations, worst.Together, worst.risk = list, together.Smallest, risk
	return worst, nil
}

// mostListed is how many combinations a note names, the worst.
const mostListed = 5

// note says in what k was measured.
func (d *KAnonymityDetail) note() message.Sentence {
	var list []message.Sentence
	for _, c := range d.Combinations {
		list = append(list, message.Say("measure.kanonymity.combination").Name("columns", strings.Join(c.Columns, "+")).
			Count("smallest", c.Smallest))
	}
	return message.Say("measure.kanonymity.note.combinations").Part("list", message.First(list, mostListed)).
		Count("together", d.Together)
}
