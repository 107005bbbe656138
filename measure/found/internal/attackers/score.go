package attackers

import (
	"math"
	"sync/atomic"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/measure/internal/posterior"
)

// scorer gives the scores of one person after another. Every goroutine needs its own.
type scorer interface {
	// person turns to the person at a place. No score is above most; ok is false when the person has nothing to compare.
	// With gaps, the pattern of missing values is a clue besides.
	person(place int, gaps bool) (most float64, ok bool)
	// add adds the scores of codes.
	add(to []float64, codes []int32)
}

// placed scores places on the axis of a column, and a missing value with and without the pattern of gaps.
type placed struct {
	c            *column
	metric       bool
	reach        float64 // how far apart values agree, for those who do not go by distance
	yes, no      float64 // the scores of what agrees and does not
	lost, inGaps float64
	lo, hi       float64 // what is known of the person
	nobody       float64 // the score of a missing value
}

func (p *placed) person(k int, gaps bool) (most float64, ok bool) {
	if !p.c.axis || p.c.ends[2*k] != p.c.ends[2*k] {
		return 0, false
	}
	if p.lo, p.hi, p.nobody = p.c.ends[2*k], p.c.ends[2*k+1], p.lost; gaps {
		p.nobody = p.inGaps
	}
	return max(p.yes, p.no, p.nobody), true
}

func (p *placed) add(to []float64, codes []int32) {
	for i, code := range codes {
		switch y := p.c.place[code]; {
		case y != y:
			to[i] += p.nobody
		case p.metric:
			to[i] -= p.c.away(p.lo, p.hi, y)
		case p.c.agrees(p.lo, p.hi, y, p.reach):
			to[i] += p.yes
		default:
			to[i] += p.no
		}
	}
}

func (c *column) distance() func() scorer {
	return func() scorer { return &placed{c: c, metric: true, lost: -1} }
}

func (c *column) agreement() func() scorer {
	yes, no := portable.Log(c.m/c.u), portable.Log((1-c.m)/(1-c.u))
	return func() scorer { return &placed{c: c, reach: tolerance / math.Sqrt2, yes: yes, no: no} }
}

// mismatch is the score of a record that does not show what is known.
const mismatch = -10

func (c *column) lookUp() func() scorer {
	lost := 0.0
	if !c.missing {
		lost = mismatch // nothing is suppressed: who has a value is not in a record without
	}
	return func() scorer { return &placed{c: c, no: mismatch, lost: lost} }
}

// least is the probability, as a share of the largest, of what the law of the noise rules out, or nearly.
const least = 1e-7

var logLeast = portable.Log(least)

// likely scores by a clue of the posterior. Where the law tells it, that of a value is worked out when it is asked for.
type likely struct {
	r      *posterior.Reader
	clue   int
	c      *column // nil for a density of several
	kept   *memory
	point  *posterior.Point
	all    []float64 // the scores by code, where there is no point
	own    []float64 // room for them where none is left to keep them
	gaps   bool      // what is missing says nothing: nobody stands for it, once it is worked out
	known  bool
	nobody float64
}

// fewValues is up to how many values all likelihoods of a column are worked out at once and kept for other people.
const fewValues = 512

// mostRemembered is how many scores a team keeps at most.
const mostRemembered = 1 << 22

// memory keeps the scores of a clue: one attack after another is tried on the same people, and by several goroutines.
type memory struct {
	left *atomic.Int64            // scores that there is room for, of all clues of the team
	of   []atomic.Pointer[scores] // by place, without and with the pattern of gaps
}

// scores are those of all codes, none where the person has nothing to compare.
type scores struct {
	all  []float64
	most float64
}

func (t *Team) probability(of *posterior.Targets, clue int, c *column) func() scorer {
	m := &memory{&t.room, make([]atomic.Pointer[scores], 2*len(t.Rows))}
	return func() scorer { return &likely{r: of.Reader(), clue: clue, c: c, kept: m} }
}

func (l *likely) person(k int, gaps bool) (most float64, ok bool) {
	l.point, l.known, l.gaps = nil, false, gaps && l.c != nil && l.c.lost
	if l.c != nil && len(l.c.values) > fewValues {
		if p, ok := l.r.Point(l.clue, k); ok {
			l.point = p
			return 0, true
		}
	}
	at := &l.kept.of[2*k+bit(l.gaps)]
	s := at.Load()
	if s == nil {
		s = l.scores(k)
		if l.kept.left.Add(-int64(len(s.all))) >= 0 {
			at.Store(s)
		} else {
			l.own = s.all
		}
	}
	l.all = s.all
	return s.most, s.all != nil
}

// scores works out those of a person.
func (l *likely) scores(k int) *scores {
	p := l.r.Likelihoods(l.clue, k, false)
	if p == nil {
		return &scores{}
	}
	floor := least
	if l.c == nil { // a density, which is small everywhere
		floor = 1e-300
	}
	s := &scores{append(l.own[:0], p...), math.Inf(-1)}
	l.own = nil
	if l.gaps {
		s.all[0] = l.c.mean(func(code int) float64 { return p[code] })
	}
	for e, v := range s.all {
		s.all[e] = portable.Log(max(v, floor))
		s.most = max(s.most, s.all[e])
	}
	return s
}

func (l *likely) add(to []float64, codes []int32) {
	if l.point == nil {
		for i, code := range codes {
			to[i] += l.all[code]
		}
		return
	}
	for i, code := range codes {
		if code > 0 || !l.gaps {
			to[i] += max(l.point.Log(int(code)), logLeast)
			continue
		}
		if !l.known {
			l.nobody, l.known = portable.Log(max(l.c.mean(l.point.At), least)), true
		}
		to[i] += l.nobody
	}
}

// averaged is how many values at most a mean over records is taken of: evenly many, each for its neighbours.
const averaged = 256

// mean returns the mean over the records that have a value, or over some of their values: what stands for one that is
// not there and says nothing.
func (c *column) mean(p func(code int) float64) float64 {
	sum, there := 0.0, 0.0
	for e := 1; e < len(c.share); e += stride(len(c.share)) {
		sum += float64(c.share[e] * p(e))
		there += c.share[e]
	}
	return sum / max(there, math.SmallestNonzeroFloat64)
}

// stride is how far apart the values are of which a mean is taken.
func stride(values int) int { return (values + averaged - 1) / averaged }
