package learned

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/message"
)

// kind is how an attack guesses.
type kind string

const (
	look    kind = "look"    // what most of the nearest records have
	grown   kind = "trees"   // what trees say that were grown on the release
	divided kind = "segment" // what most records of the segment have that the person falls in
)

// attack is one way to guess.
type attack struct {
	kind  kind
	probe probe // of look
	votes int   // of look: of so many records, and of those as near as the last
}

// setAttacks lists the attacks. Of equals the first is chosen: the nearest record by distance, by all that is known.
func (g *game) setAttacks() {
	for _, m := range metrics {
		for k := len(g.steps) - 1; k >= 0; k-- {
			if m == agreement && g.steps[k] == 0 {
				continue
			}
			for _, votes := range []int{1, 5, 20} {
				g.attacks = append(g.attacks, attack{kind: look, probe: probe{m, g.steps[k]}, votes: votes})
			}
		}
	}
	g.attacks = append(g.attacks, attack{kind: grown}, attack{kind: divided})
}

// text says how the attack goes.
func (a attack) text() message.Sentence {
	switch {
	case a.kind == grown:
		return message.Say("measure.learned.by.trees")
	case a.kind == divided:
		return message.Say("measure.learned.by.segment")
	case a.probe.metric == agreement:
		return message.Say("measure.learned.by.agreement").Count("n", a.votes)
	}
	return message.Say("measure.learned.by.distance").Count("n", a.votes)
}

// tally is what came of an attack on a crowd: by person the chance of a right guess, NaN where there is nothing to
// guess.
type tally struct {
	attack  []float64
	control []float64 // of the same people, or of those of the hold-out
	one     []bool    // all records that vote, two at least, have one value
}

func newTally(c crowd) *tally {
	t := &tally{attack: missing(len(c.inside.rows)), one: make([]bool, len(c.inside.rows))}
	if c.outside != nil {
		t.control = missing(len(c.outside.rows))
	} else {
		t.control = missing(len(c.inside.rows))
	}
	return t
}

func missing(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// try attacks a crowd; of the result, by secret and attack, those are nil that were not asked for or cannot be played.
func (g *game) try(ctx context.Context, c crowd, wanted func(secret, attack int) bool) ([][]*tally, error) {
	out := make([][]*tally, len(g.secrets))
	for s := range out {
		out[s] = make([]*tally, len(g.attacks))
		for a := range g.attacks {
			if wanted(s, a) {
				out[s][a] = newTally(c)
			}
		}
	}
	asked := g.besides(c, out)
	for _, inside := range []bool{true, false} {
		p := c.inside
		if !inside {
			p = c.outside
		}
		if p == nil {
			continue
		}
		if err := g.lookAll(ctx, p, inside, out); err != nil {
			return nil, err
		}
		if err := g.divideAll(ctx, p, inside, out); err != nil {
			return nil, err
		}
		if err := g.growAll(ctx, p, inside, out); err != nil {
			return nil, err
		}
	}
	for s, q := range g.secrets {
		g.lower(out[s], q, c.inside)
		if !asked[s] {
			out[s][len(g.attacks)-2] = nil
		}
	}
	return out, nil
}

// besides asks for the trees where segments are attacked without a hold-out, for their control; it returns, by secret,
// whether they were asked for anyway. The last attack is that by segments, the one before it by trees.
func (g *game) besides(c crowd, out [][]*tally) []bool {
	at, trees := len(g.attacks)-1, len(g.attacks)-2
	asked := make([]bool, len(out))
	for s := range out {
		if asked[s] = out[s][trees] != nil; !asked[s] && out[s][at] != nil && g.control == leftOut {
			out[s][trees] = newTally(c)
		}
	}
	return asked
}

// lower takes for the control of the segments what trees tell that grew without the person's record, or the commonest
// value where that is the better guess, if these are right less often than the segment without the record. Segments may
// have been made by the secrets of the people in them, so that a segment knows the person's even without the record.
func (g *game) lower(out []*tally, q *secret, p *people) {
	at, trees := out[len(g.attacks)-1], out[len(g.attacks)-2]
	if g.control != leftOut || at == nil || trees == nil {
		return
	}
	usual := missing(len(p.rows))
	for i, row := range p.rows {
		if truth := q.truth(p.t, row); truth == truth {
			usual[i] = q.hit(q.commonest, truth)
		}
	}
	least := trees.control
	if sum(usual) > sum(least) {
		least = usual
	}
	if sum(least) < sum(at.control) {
		at.control = least
	}
}

// sum adds what is not missing.
func sum(v []float64) float64 { return exact.OfKnown(v) }

// lookAll plays the attacks by near records.
func (g *game) lookAll(ctx context.Context, p *people, inside bool, out [][]*tally) error {
	var probes []probe
	for a, x := range g.attacks {
		if x.kind == look && !slices.Contains(probes, x.probe) &&
			slices.ContainsFunc(out, func(t []*tally) bool { return t[a] != nil }) {
			probes = append(probes, x.probe)
		}
	}
	sorting.Stable(probes, func(a, b probe) int { // of a metric the fewest axes first
		if a.metric != b.metric {
			return slices.Index(metrics, a.metric) - slices.Index(metrics, b.metric)
		}
		return a.axes - b.axes
	})
	return g.scan(ctx, p, probes, func(i, k int, nearest []hit) {
		var r room
		for a, x := range g.attacks {
			if x.kind != look || x.probe != probes[k] {
				continue
			}
			v := g.voters(p, i, inside, nearest, x.votes)
			for s := range g.secrets {
				if out[s][a] != nil {
					g.note(out[s][a], g.secrets[s], p, i, inside, v, &r)
				}
			}
		}
	})
}

// ballot is who votes on a person, and who does when the person's own records are not there.
type ballot struct {
	with, without []int32
	own           bool // an own record is among those who vote, so the two differ
}

const largest = 200 // votes in which one vote may be decisive

// voters returns the records that vote. Where the person's own record is among many it is one of so little weight that
// taking it away changes nothing but where the lead is by one vote, and there it always turns the guess against the
// person. So a half of the records with the own ones is held against the half without them.
func (g *game) voters(p *people, i int, inside bool, nearest []hit, k int) ballot {
	own := int32(-1)
	if inside && g.control == leftOut {
		own = int32(p.rows[i])
	}
	b := ballot{with: first(nearest, k, nobodys)}
	mine := g.owned.records(own)
	if own < 0 || !slices.ContainsFunc(b.with, mine) {
		b.without = b.with
		return b
	}
	if len(b.with) > largest {
		return halved(b.with, own, mine)
	}
	b.without, b.own = first(nearest, k, mine), true
	return b
}

// halved divides records into the half of the own ones and the other.
func halved(rows []int32, own int32, mine func(row int32) bool) (b ballot) {
	b.own = true
	side := mix(int(own)) & 1
	for _, r := range rows {
		if mix(int(r))&1 == side || mine(r) {
			b.with = append(b.with, r)
		} else {
			b.without = append(b.without, r)
		}
	}
	return b
}

// first returns the k nearest records without some, and all as near as the last.
func first(nearest []hit, k int, without func(row int32) bool) []int32 {
	out := make([]int32, 0, k)
	last := math.Inf(1)
	for _, h := range nearest {
		if without(h.row) {
			continue
		}
		if len(out) >= k && h.d > last {
			break
		}
		if out = append(out, h.row); len(out) == k {
			last = h.d
		}
	}
	return out
}

// note notes what became of the guess for a person.
func (g *game) note(t *tally, q *secret, p *people, i int, inside bool, b ballot, r *room) {
	truth := q.truth(p.t, p.rows[i])
	if truth != truth {
		return
	}
	if !inside {
		t.control[i] = q.vote(b.with, truth, r)
		return
	}
	t.attack[i], t.one[i] = q.vote(b.with, truth, r), q.one(b.with)
	switch g.control {
	case leftOut:
		if t.control[i] = t.attack[i]; b.own {
			t.control[i] = q.vote(b.without, truth, r)
		}
	case common:
		t.control[i] = q.hit(q.commonest, truth)
	case heldOut: // its people are other ones
	}
}
