package attackers

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/confidence"
)

// line is an attacker with an order of clues: the subsets from the first on.
type line struct {
	a       *Attacker
	gaps    bool
	order   []int
	credits [][]float64 // by person so far and subset
}

// best returns the share of the best subset, and how many clues it has: of equals the most, as what is known and does
// no harm may help with others.
func (l *line) best() (share float64, clues int) {
	for k := range l.order {
		sum := 0.0
		for _, person := range l.credits {
			sum += person[k]
		}
		if sum >= share {
			share, clues = sum, k+1
		}
	}
	return share / float64(max(1, len(l.credits))), clues
}

// choice returns the attack with the best subset.
func (l *line) choice() *Choice {
	_, k := l.best()
	return &Choice{l.a, l.gaps, slices.Clone(l.order[:max(1, k)])}
}

// mayBeat reports whether a subset may be right more often than that of the leader: of the people whom only one of the
// two finds, not so few are the line's that it has the chance doubt where it is right as often as the leader. Both are
// tried on the same people.
func (l *line) mayBeat(leader *line, doubt float64) bool {
	_, best := leader.best()
	for k := range l.order {
		more, less := 0.0, 0.0
		for i, person := range l.credits {
			if d := person[k] - leader.credits[i][max(1, best)-1]; d > 0 {
				more += d
			} else {
				less -= d
			}
		}
		if _, hi := confidence.ClopperPearson(more, more+less, 1-doubt); hi >= 0.5 {
			return true
		}
	}
	return false
}

// fewest is how many people all attacks are tried on at least, where there are so many.
const fewest = 16

// crowd is how many equals let somebody who selects pass for not found: such a credit tells no attacks apart, and takes
// a look at all records.
const crowd = 200

// Kept are the attacks that could still be the best after a selection.
type Kept struct {
	Choices []*Choice // one of every attacker that is kept, with the part that served it best; the best first
	Tried   int       // people who selected
	All     int       // attackers there were
}

// Select tries all attacks on the people at some places, and keeps of every attacker the part of the knowledge with
// which it is right most often. An attacker is given up only where none of its parts can be the best: the chance that
// the best of all is given up is at most doubt (a sign test of every part against the leader, by Bonferroni). Where the
// budget does not last for all people, fewer select. It returns no choice where nothing is known. Cost: all attacks on
// the fewest people, whatever the budget.
func (t *Team) Select(ctx context.Context, places []int, doubt float64, b *Budget) (Kept, error) {
	kept := Kept{All: len(t.Attackers)}
	lines, err := t.lines(ctx, places[:min(len(places), fewest)], b)
	if err != nil || len(lines) == 0 || len(places) == 0 {
		return kept, err
	}
	t.raced = slices.Clone(lines)
	doubt /= float64(looks(len(places)) * float64(parts(lines)))
	var leader *line
	from, to := 0, min(len(places), fewest)
	for {
		before := b.spent
		if err := t.try(ctx, lines, places[from:to], crowd, b); err != nil {
			return kept, err
		}
		each := (b.spent - before) / float64(len(lines)*(to-from)) // of a person and a line
		leader = ranked(lines)[0]
		lines = slices.DeleteFunc(lines, func(l *line) bool { return l != leader && !l.mayBeat(leader, doubt) })
		next := min(2*to, len(places))
		if next == to || each*float64(len(lines)*(next-to)) > b.Left()/2 {
			break
		}
		from, to = to, next
	}
	kept.Tried = to
	for _, l := range ranked(lines) {
		if !slices.ContainsFunc(kept.Choices, func(c *Choice) bool { return c.By == l.a }) {
			kept.Choices = append(kept.Choices, l.choice())
		}
	}
	return kept, t.improve(ctx, kept.Choices[0], leader.order, places[:to], b)
}

// looks returns how often Select looks at the results of so many people.
func looks(people int) (n float64) {
	for to := fewest; ; to *= 2 {
		if n++; to >= people {
			return n
		}
	}
}

// parts returns how many subsets are tried.
func parts(lines []*line) (n int) {
	for _, l := range lines {
		n += len(l.order)
	}
	return n
}

// ranked returns the lines, the one with the best subset first. Of equals the earlier one stays first.
func ranked(lines []*line) []*line {
	out := slices.Clone(lines)
	slices.SortStableFunc(out, func(a, b *line) int {
		x, _ := a.best()
		y, _ := b.best()
		return cmp.Compare(y, x)
	})
	return out
}

// Most returns by attacker, in their order, the share of everybody in the team whom the best of all parts finds that
// Select tried, also of those it gave up. Cost: that of trying them all on everybody.
func (t *Team) Most(ctx context.Context, kept Kept) ([]float64, error) {
	all := make([]int, len(t.Rows))
	for k := range all {
		all[k] = k
	}
	for _, l := range t.raced {
		l.credits = nil
	}
	if err := t.try(ctx, t.raced, all, math.Inf(1), &Budget{}); err != nil {
		return nil, err
	}
	most := make([]float64, len(t.Attackers))
	for _, l := range t.raced {
		share, _ := l.best()
		a := slices.Index(t.Attackers, l.a)
		most[a] = max(most[a], share)
	}
	for _, c := range kept.Choices {
		right, err := t.right(ctx, c, all, &Budget{})
		if err != nil {
			return nil, err
		}
		a := slices.Index(t.Attackers, c.By)
		most[a] = max(most[a], right/float64(max(1, len(all))))
	}
	return most, nil
}
