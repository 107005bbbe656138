package localsuppression

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/table"
)

// mostSets is how many combinations of keys may be asked for.
const mostSets = 5000

// combine reads the combinations that are asked for. Where keys are not named they are the columns of these.
func (q *Technique) combine(p *Plan, t *table.Table, open []int) error {
	if len(q.Combinations) == 0 {
		return nil
	}
	if n, err := strconv.Atoi(q.Combinations[0]); err == nil && len(q.Combinations) == 1 && t.Find(q.Combinations[0]) < 0 {
		return p.allOf(n)
	}
	lists := make([][]int, len(q.Combinations))
	var all []int
	for k, text := range q.Combinations {
		names := strings.Split(text, "+")
		if t.Find(text) >= 0 {
			names = []string{text}
		}
		columns, err := named.Columns(t, "combinations", names, open)
		if err != nil {
			return err
		}
		lists[k], all = columns, append(all, columns...)
	}
	if len(q.Keys) == 0 {
		slices.Sort(all)
		p.Columns = slices.Compact(all)
	}
	for k, columns := range lists {
		var s set
		for _, j := range columns {
			at := slices.Index(p.Columns, j)
			if at < 0 {
				return fmt.Errorf("parameter %q: column %q of %q is not a key", "combinations", t.Attr(j).Name,
					q.Combinations[k])
			}
			if at < mostKeys { // more keys are refused
				s |= 1 << at
			}
		}
		p.Sets = append(p.Sets, s)
	}
	return nil
}

// allOf asks for all combinations of n keys.
func (p *Plan) allOf(n int) error {
	keys := len(p.Columns)
	if n < 1 || n > keys {
		return fmt.Errorf("parameter %q: there are no combinations of %d of the %d keys; expected 1 to %d", "combinations",
			n, keys, keys)
	}
	if keys > mostKeys {
		return nil // refused
	}
	for s := uint64(1)<<n - 1; s < 1<<keys; {
		if len(p.Sets) == mostSets {
			return fmt.Errorf("parameter %q: there are more than %d combinations of %d of the %d keys; name fewer keys, or "+
				"the combinations themselves", "combinations", mostSets, n, keys)
		}
		p.Sets = append(p.Sets, set(s))
		low := s & -s // the next larger number with as many bits
		next := s + low
		s = next | (s^next)/low>>2
	}
	return nil
}

// checkSets refuses combinations that are not of the keys.
func (p *Plan) checkSets() error {
	if slices.ContainsFunc(p.Sets, func(s set) bool { return s == 0 || uint64(s)>>len(p.Columns) != 0 }) {
		return errors.New("a combination is none of the keys")
	}
	return nil
}

// Combinations returns the combinations of columns in each of which k holds; nil where it holds in all keys together.
func (p *Plan) Combinations() [][]string {
	var out [][]string
	for _, s := range p.Sets {
		var columns []int
		for ; s != 0; s &= s - 1 {
			columns = append(columns, p.Columns[bits.TrailingZeros32(uint32(s))])
		}
		out = append(out, protect.Names(p.Attrs, columns))
	}
	return out
}

// listedSets is how many combinations are named.
const listedSets = 5

// combined says in what k holds.
func (p *Plan) combined() message.Sentence {
	var names []message.Sentence
	for _, columns := range p.Combinations() {
		names = append(names, message.Quoted(strings.Join(columns, "+")))
	}
	return message.Say("plan.suppress.combinations").Count("n", len(names)).Count("k", p.K).
		Part("columns", message.First(names, listedSets))
}

// hideEach suppresses until k holds in each combination. What one takes away may break the classes of another, which is
// then taken again; where a missing value agrees with every one it breaks none.
func (p *Plan) hideEach(ctx context.Context, r *records) error {
	due := slices.Repeat([]bool{true}, len(p.Sets))
	for slices.Contains(due, true) {
		for k, s := range p.Sets {
			if !due[k] {
				continue
			}
			taken, err := p.hideIn(ctx, r, s)
			if err != nil {
				return err
			}
			due[k] = false
			for other, o := range p.Sets {
				due[other] = due[other] || other != k && p.Missing == Value && o&taken != 0
			}
		}
	}
	return nil
}

// hideIn suppresses until k holds in a combination, and returns the keys that lost cells.
func (p *Plan) hideIn(ctx context.Context, r *records, s set) (taken set, err error) {
	only := r.only(s)
	in := &records{k: r.k, state: make([]combination, len(r.state)), lost: make([]set, len(r.lost)), whose: r.whose}
	for i, c := range r.state {
		in.state[i] = c.and(only)
	}
	in.first = slices.Clone(in.state)
	var keys []int
	var weights []float64
	for ; s != 0; s &= s - 1 {
		k := bits.TrailingZeros32(uint32(s))
		keys, weights = append(keys, k), append(weights, p.Weights[k])
		in.fields, in.values = append(in.fields, r.fields[k]), append(in.values, r.values[k])
	}
	if err := p.search(ctx, in, weights); err != nil {
		return 0, err
	}
	for i, lost := range in.lost {
		if lost == 0 {
			continue
		}
		var own set
		for ; lost != 0; lost &= lost - 1 {
			own |= 1 << keys[bits.TrailingZeros32(uint32(lost))]
		}
		taken |= own
		r.lost[i] |= own
		r.state[i] = r.first[i].and(r.only(r.all() &^ r.lost[i]))
	}
	return taken, nil
}
