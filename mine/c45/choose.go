package c45

import "github.com/dither-data/dither/internal/portable"

// epsilon is the slack of release 8 in comparisons of gains and of errors.
const epsilon = 1e-3

// cut returns the threshold of a cut between two values that are neighbours at a node: the largest value of the
// training table that is at most their midpoint, and its code.
func (c *column) cut(low, next int32) (int32, float64) {
	middle := c.values[low] + (c.values[next]-c.values[low])/2
	for lo, hi := low, next; hi-lo > 1; { // values[lo] <= middle, lo < next
		if m := lo + (hi-lo)/2; c.values[m] <= middle {
			lo = m
		} else {
			hi = m
		}
		low = lo
		next = hi
	}
	return low, c.values[low]
}

// choose returns the position in verdicts of the test to take, or -1 (methods of release 8 and of See5: Quinlan 1993,
// sections 2.2 and 2.6).
func (g *grower) choose(v []verdict, live []int32, total float64) int {
	sum, possible := 0.0, 0
	for k := range v {
		if v[k].ok && (g.cols[live[k]].numeric() || g.manyAll || float64(g.cols[live[k]].labels) < 0.3*g.rows) {
			sum += v[k].gain
			possible++
		}
	}
	if possible == 0 {
		return -1
	}
	least := sum / float64(possible)
	if g.c50 {
		return g.chooseC50(v, live, g.leastGain(least, possible, total))
	}
	best, ratio := -1, -epsilon
	for k := range v {
		if v[k].ok && v[k].gain >= least-epsilon && v[k].info > epsilon && v[k].gain/v[k].info > ratio {
			best, ratio = k, v[k].gain/v[k].info
		}
	}
	return best
}

// leastGain returns See5's minimum gain: the average while there are at most 500 records per class, a description
// length when there are 1000 or more.
func (g *grower) leastGain(average float64, possible int, total float64) float64 {
	length := min(1, max(0, (g.rows/g.occurring-500)/500))
	return float64((1-length)*average) + 0.9*length*portable.Log2(float64(possible))/total
}

// chooseC50 takes the largest gain ratio; of ratios within 0.1 % the test of fewer branches, then of the larger gain.
func (g *grower) chooseC50(v []verdict, live []int32, least float64) int {
	best, ratio, branches := -1, 0.0, 0
	for k := range v {
		if !v[k].ok || v[k].gain <= 0 || v[k].gain < 0.999*least || v[k].info <= 0 {
			continue
		}
		r, b := v[k].gain/v[k].info, max(3, g.cols[live[k]].labels+1)
		if best < 0 || r > ratio || r > 0.999*ratio && (b < branches || b == branches && v[k].gain > v[best].gain) {
			best, ratio, branches = k, r, b
		}
	}
	return best
}
