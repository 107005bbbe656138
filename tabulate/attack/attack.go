// Package attack is an intruder who has tables of counts and wants those that show few people.
//
// Where cells are left out the intruder bounds them: a cell is at most what a sum of which it is a part leaves of it,
// and at least what the others of that sum cannot make up, over and over until nothing changes. That is the shuttle
// algorithm (Buzzigoli & Giusti 1999; Dobra & Fienberg 2001). Where counts are moved the same bounds begin from how far
// a count is moved at most.
//
// Where counts are moved by a law that is public the intruder guesses, too: the most probable count for what is shown.
// How often a count occurs at all is estimated from what is shown, by the method of Agrawal & Aggarwal (2001), and
// what the sums of a cell with others tell is taken as further evidence of it. In the same way the intruder guesses by
// how many people two cells differ one of which holds the other.
//
// Where cells are left out zeros are shown, and the intruder knows which combinations of all columns occur. Where
// counts are moved a cell that is shown as 0 may be one. Every attack is counted against the truth, so that none counts
// for more than it is.
package attack

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/tabulate"
)

// Published is what the intruder has.
type Published struct {
	Set    *tabulate.Set
	Counts []int // shown, by cell; -1 is left out
	// Law is how likely a count above 0 is shown as another; nil where counts are shown as they are.
	Law func(count, shown int) float64
	// Reach is how far a count is moved at most.
	Reach int
	// Additive says that the counts shown add up, so that sums tell nothing besides.
	Additive bool

	first     []int32
	additions []tabulate.Addition
}

// sums are the additions of the tables, and the first of each cell.
func (p *Published) sums() ([]tabulate.Addition, []int32) {
	if p.first == nil {
		p.first, p.additions = p.Set.First(), p.Set.Additions()
	}
	return p.additions, p.first
}

// Tally is how many cells, or pairs of cells, were tried, how often the attack was right, and how often somebody would
// be who says of each what is true of most.
type Tally struct {
	Tried   int `json:"tried"`
	Right   int `json:"right"`
	Control int `json:"control"`
}

// Share is that of those tried on whom the attack is right, beyond what is said of all alike; 0 of none. Where all are
// alike that leaves nothing to be beyond, and it is the share of those on whom the attack is right.
func (t Tally) Share() float64 {
	switch {
	case t.Tried == 0:
		return 0
	case t.Tried == t.Control:
		return float64(t.Right) / float64(t.Tried)
	case t.Right <= t.Control:
		return 0
	}
	return float64(t.Right-t.Control) / float64(t.Tried-t.Control)
}

// Commonest is how often the commonest of some numbers is among them.
func Commonest(numbers []int) (most int) {
	times := map[int]int{}
	for _, n := range numbers {
		times[n]++
		most = max(most, times[n])
	}
	return most
}

// rounds bounds how often bounds are passed on.
const rounds = 50

// Bounds are between which counts each cell lies, as far as the shuttle algorithm tells. Cost: that of the cells times
// the dimensions, in each of at most 50 rounds.
func (p *Published) Bounds() (lo, hi []float64) {
	sums, first := p.sums()
	lo, hi = make([]float64, len(p.Counts)), make([]float64, len(p.Counts))
	for c, shown := range p.Counts {
		switch {
		case shown < 0:
			lo[c], hi[c] = float64(len(p.Set.Within(c))), math.Inf(1)
		case p.Law == nil:
			lo[c], hi[c] = float64(shown), float64(shown)
		default:
			lo[c], hi[c] = float64(max(min(shown, 1), shown-p.Reach)), float64(shown+p.Reach)
		}
	}
	for range rounds {
		changed := false
		for k := range sums {
			beside := 0.0 // what cells that are shown as 0 for want of records may have, for all that the intruder knows
			if p.Law != nil {
				beside = float64(sums[k].Empty * p.Reach)
			}
			changed = shuttle(&sums[k], beside, lo, hi) || changed
		}
		if !changed {
			break
		}
	}
	for c, f := range first {
		lo[c], hi[c] = lo[f], hi[f]
	}
	return lo, hi
}

// shuttle passes bounds on within one sum, in which other cells may have up to so much; true where one changes.
func shuttle(a *tabulate.Addition, beside float64, lo, hi []float64) (changed bool) {
	low, high, open := 0.0, beside, 0 // of all parts; how many have no upper bound
	for _, c := range a.Parts {
		if low += lo[c]; math.IsInf(hi[c], 1) {
			open++
		} else {
			high += hi[c]
		}
	}
	set := func(c int32, least, most float64) {
		if least > lo[c] {
			lo[c], changed = least, true
		}
		if most < hi[c] {
			hi[c], changed = most, true
		}
	}
	most := high
	if open > 0 {
		most = math.Inf(1)
	}
	set(a.Cell, low, most)
	for _, c := range a.Parts {
		others := open // of the other parts without an upper bound
		rest := high
		if math.IsInf(hi[c], 1) {
			others--
		} else {
			rest -= hi[c]
		}
		least := lo[c]
		if others == 0 {
			least = lo[a.Cell] - rest
		}
		most, own := hi[a.Cell]-(low-lo[c]), lo[c]
		before := hi[c]
		set(c, least, most)
		low += lo[c] - own
		if !math.IsInf(before, 1) {
			high += hi[c] - before
		} else if !math.IsInf(hi[c], 1) {
			open--
			high += hi[c]
		}
	}
	return changed
}

// Bounded counts the cells among some that the intruder computes, or bounds more closely than the rules allow. Those
// name the counts that must stay open. Where each cell moves by itself it need not be these, since what is shown does
// not say which cells are meant, but as many.
func (p *Published) Bounded(some []bool, need tabulate.Need) (t Tally) {
	lo, hi := p.Bounds()
	_, first := p.sums()
	for c, f := range first {
		if some[c] && int32(c) == f {
			t.Tried++
			close := lo[c] > need.Lo[c] || hi[c] < need.Hi[c]
			if !p.Additive {
				close = hi[c]-lo[c] < need.Hi[c]-need.Lo[c]
			}
			if close || lo[c] == hi[c] {
				t.Right++
			}
		}
	}
	return t
}

// Guessed counts the cells among some whose count the intruder guesses rightly: by what is shown of the cell alone or,
// where that finds more, by the sums that it is in, too.
func (p *Published) Guessed(some []bool) (best Tally) {
	sums, first := p.sums()
	prior := p.prior(first)
	var truth []int
	for c, f := range first {
		if some[c] && int32(c) == f {
			truth = append(truth, p.Set.Cells[c].Records)
		}
	}
	evidence := [][]float64{nil}
	of := make([][]int32, len(p.Counts)) // the sums of every cell
	if !p.Additive {
		evidence = append(evidence, make([]float64, len(prior)))
		for k := range sums {
			of[sums[k].Cell] = append(of[sums[k].Cell], int32(k))
			for _, c := range sums[k].Parts {
				of[c] = append(of[c], int32(k))
			}
		}
	}
	for _, e := range evidence {
		t := Tally{Control: Commonest(truth)}
		for c, f := range first {
			if !some[c] || int32(c) != f {
				continue
			}
			t.Tried++
			if p.guess(int32(c), prior, e, sums, of[c]) == p.Set.Cells[c].Records {
				t.Right++
			}
		}
		if t.Right > best.Right || best.Tried == 0 {
			best = t
		}
	}
	return best
}

// most is the largest count whose frequency is estimated; larger ones are taken to be as frequent as each other. It is
// far beyond how far counts move, so that what is shown of small ones tells how frequent they are.
func (p *Published) most() int { return max(200, 6*p.Reach) }

// prior is how often each count occurs, estimated from what is shown.
func (p *Published) prior(first []int32) []float64 {
	shown := make([]float64, p.most()+1)
	for c, f := range first {
		if v := p.Counts[c]; int32(c) == f && v >= 0 && v <= p.most()-p.Reach {
			shown[v]++
		}
	}
	return spread(shown, 1, p.Law)
}

// spread estimates how often each number from the least on occurs from how often each is shown, by expectation
// maximisation.
func spread(shown []float64, least int, law func(n, shown int) float64) []float64 {
	n := len(shown)
	prior := make([]float64, n)
	for k := least; k < n; k++ {
		prior[k] = 1
	}
	for range 100 {
		next := make([]float64, n)
		for v, times := range shown {
			if times == 0 {
				continue
			}
			sum := 0.0
			for k := least; k < n; k++ {
				sum += float64(prior[k] * law(k, v))
			}
			if sum == 0 {
				continue
			}
			for k := least; k < n; k++ {
				next[k] += float64(times*prior[k]*law(k, v)) / sum
			}
		}
		prior = next
	}
	return prior
}

// longest is how many cells a sum has at most that is taken as evidence: what it tells is less by as many deviations.
const longest = 10

// guess is the most probable count of a cell. With evidence, room for the logarithms of what sums tell, these count.
func (p *Published) guess(c int32, prior, evidence []float64, sums []tabulate.Addition, of []int32) int {
	shown := p.Counts[c]
	if shown > p.most()-p.Reach {
		return shown
	}
	clear(evidence)
	if evidence != nil {
		p.told(c, evidence, sums, of)
	}
	best, score := shown, -1.0
	for n := max(1, shown-p.Reach); n <= shown+p.Reach; n++ {
		s := float64(prior[n] * p.Law(n, shown))
		if evidence != nil {
			s = float64(s * portable.Exp(evidence[n]))
		}
		if s > score {
			best, score = n, s
		}
	}
	return best
}

// told adds what sums tell of a cell: the others of a sum leave so much, give or take the deviations of all.
func (p *Published) told(c int32, evidence []float64, sums []tabulate.Addition, of []int32) {
	variance := 0.0
	for e := -p.Reach; e <= p.Reach; e++ {
		variance += float64(float64(e*e) * p.Law(p.most(), p.most()+e))
	}
	for _, k := range of {
		a := &sums[k]
		if len(a.Parts) > longest || len(a.Parts) == 1 && a.Cell != c {
			continue
		}
		left := 0
		if a.Cell != c {
			left = p.Counts[a.Cell]
		}
		for _, part := range a.Parts {
			switch {
			case a.Cell == c:
				left += p.Counts[part]
			case part != c:
				left -= p.Counts[part]
			}
		}
		for n := range evidence {
			d := float64(n - left)
			evidence[n] -= float64(d*d) / (2 * float64(len(a.Parts)) * variance)
		}
	}
	top := slices.Max(evidence)
	for n := range evidence {
		evidence[n] -= top
	}
}

// Differences counts the pairs of cells, one just below the other, that differ by some records but fewer than a number,
// and those whose difference the intruder guesses rightly. Two cells of the same records are shown alike.
func (p *Published) Differences(fewer int) (best Tally) {
	sums, _ := p.sums()
	reach, most := 2*p.Reach, p.most()
	law := p.between()
	shown := make([]float64, most+reach+1) // from -reach on
	each := func(f func(truth, w int)) {
		for k := range sums {
			a := &sums[k]
			for _, c := range a.Parts {
				f(p.Set.Cells[a.Cell].Records-p.Set.Cells[c].Records, p.Counts[a.Cell]-p.Counts[c])
			}
		}
	}
	each(func(_, w int) {
		if w <= most-reach && w >= -reach {
			shown[w+reach]++
		}
	})
	prior := spread(shown, reach, func(n, v int) float64 { return law(n-reach, v-reach) })
	plain, probable := Tally{}, Tally{}
	var truths []int
	each(func(truth, w int) {
		if truth <= 0 || truth >= fewer {
			return
		}
		plain.Tried, probable.Tried = plain.Tried+1, probable.Tried+1
		truths = append(truths, truth)
		if w == truth {
			plain.Right++
		}
		guess, score := w, -1.0
		for n := max(0, w-reach); n <= w+reach && n+reach < len(prior); n++ {
			if s := float64(prior[n+reach] * law(n, w)); s > score {
				guess, score = n, s
			}
		}
		if guess == truth {
			probable.Right++
		}
	})
	plain.Control = Commonest(truths)
	probable.Control = plain.Control
	if probable.Right > plain.Right {
		return probable
	}
	return plain
}

// between is how likely a difference of two counts is shown as another.
func (p *Published) between() func(n, shown int) float64 {
	reach := 2 * p.Reach
	of := make([]float64, 2*reach+1)
	if p.Additive { // the difference is a sum of cells that were moved together
		return func(n, shown int) float64 {
			if n <= 0 || shown < 0 {
				if n == shown {
					return 1
				}
				return 0
			}
			return p.Law(n, shown)
		}
	}
	for a := -p.Reach; a <= p.Reach; a++ {
		for b := -p.Reach; b <= p.Reach; b++ {
			of[a-b+reach] += float64(p.Law(p.most(), p.most()+a) * p.Law(p.most(), p.most()+b))
		}
	}
	return func(n, shown int) float64 {
		d := shown - n
		switch {
		case n == 0 && d != 0 || d < -reach || d > reach:
			return 0
		case n == 0:
			return 1
		}
		return of[d+reach]
	}
}
