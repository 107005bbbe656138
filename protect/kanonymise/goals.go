package kanonymise

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/diversity"
	"github.com/dither-data/dither/message"
)

// Goals are what every group of records that look alike in a release has.
type Goals struct {
	K         int     `json:"k"`         // people: records, where it is not told whose they are
	L         float64 `json:"l"`         // diversity of every sensitive attribute; 1 asks for nothing
	Diversity string  `json:"diversity"` // distinct, entropy or recursive
	C         float64 `json:"c"`         // of recursive diversity
	T         float64 `json:"t"`         // largest earth mover's distance from the whole; 1 asks for nothing
}

// looks reports whether the goals ask anything of sensitive attributes.
func (g *Goals) looks() bool { return g.L > 1 || g.T < 1 }

func (g *Goals) check() error {
	if g.K < 1 || !(g.L >= 1) || !(g.C > 0) || !(g.T >= 0 && g.T <= 1) ||
		!slices.Contains([]string{Distinct, Entropy, Recursive}, g.Diversity) {
		return fmt.Errorf("the goals are k = %d, l = %v (%s, c = %v) and t = %v, expected k and l from 1, c above 0 and t "+
			"in [0, 1]",
			g.K, g.L, g.Diversity, g.C, g.T)
	}
	return nil
}

// secret is the distribution of a sensitive attribute in the whole table.
type secret struct {
	*diversity.Whole
	ordered bool     // its values have an order
	people  *holders // where a person has several records
	codes   int      // different ones that are tallied
	who     bool     // tallied are not values but whose the records are
}

// meets reports whether the values of one group, ascending, are as diverse and as close to the whole as asked. A group
// without values tells nothing and does. Where a person has several records a run is of what a person has (holders).
func (g *Goals) meets(s *secret, runs []diversity.Run, room *room) bool {
	if s.who {
		return len(runs) >= g.K
	}
	if len(runs) == 0 {
		return true
	}
	open := math.Inf(1)
	if s.people != nil {
		runs, open = s.people.values(runs, room)
	}
	if g.L > 1 {
		counts := room.counts[:0]
		for _, r := range runs {
			counts = append(counts, r.Count)
		}
		room.counts = counts
		if min(g.diversity(counts), open) < g.L {
			return false
		}
	}
	return g.T >= 1 || s.distance(runs) <= g.T
}

// room is memory that is used again.
type room struct {
	counts, who []int32
	runs        []diversity.Run
}

// diversity returns l of a group whose values occur so often. It reorders the counts.
func (g *Goals) diversity(counts []int32) float64 {
	if g.Diversity == Distinct {
		return float64(len(counts))
	}
	slices.Sort(counts)
	if g.Diversity == Entropy {
		return diversity.Entropy(counts)
	}
	return diversity.Recursive(counts, g.C)
}

// distance returns the earth mover's distance of a group from the whole.
func (s *secret) distance(runs []diversity.Run) float64 {
	if s.ordered {
		return s.Ordered(runs)
	}
	return s.Equal(runs)
}

// sentence says the goals; k differs by combination, or not.
func (g *Goals) sentence(least, most int) message.Sentence {
	all := []message.Sentence{message.Say("plan.goal.k").Count("k", least)}
	if least < most {
		all[0] = message.Say("plan.goal.kEach").Count("least", least).Count("most", most)
	}
	if g.L > 1 {
		l := message.Say("plan.goal.l").Name("which", string(g.Diversity)).Number("l", g.L, 0)
		if g.Diversity == Recursive {
			l = message.Say("plan.goal.lc").Name("which", string(g.Diversity)).Number("l", g.L, 0).Number("c", g.C, 0)
		}
		all = append(all, l)
	}
	if g.T < 1 {
		all = append(all, message.Say("plan.goal.t").Number("t", g.T, 0))
	}
	return message.Listed(all)
}
