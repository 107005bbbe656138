package c45

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/table"
)

// dumb grows and prunes as Quinlan 1993 tells it, case by case and cut by cut.
type dumb struct {
	ctx       context.Context
	l         *Learner
	t         *table.Table
	class     []int32
	classes   int
	occurring float64
	attrs     []int
	minLeaf   float64
	rows      float64
	sorted    map[int][]float64
	many      bool
}

type twinNode struct {
	attr   int
	cut    float64
	kids   []*twinNode
	branch []int32
	counts []float64
	label  int32
}

func grid(w float64) float64 { return math.RoundToEven(w*(1<<24)) / (1 << 24) }

type kase struct {
	row int
	w   float64
}

func (d *dumb) counts(cs []kase) []float64 {
	f := make([]float64, d.classes)
	for _, c := range cs {
		f[d.class[c.row]] += c.w
	}
	return f
}

func total(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// value returns the branch of a record: its code, or 0 and 1 for the sides of a cut; -1 when it is missing.
func (d *dumb) value(j int, cut float64, row int) int {
	if d.t.Attr(j).Kind == table.Categorical {
		return int(d.t.Cat(j)[row])
	}
	switch v := d.t.Num(j)[row]; {
	case v <= cut:
		return 0
	case v > cut:
		return 1
	}
	return -1
}

// measure returns gain and split information of the test, nil branches below minLeaf make it unusable.
func (d *dumb) measure(cs []kase, j int, cut float64) (gain int64, info float64, ok bool) {
	branches := 2
	if d.t.Attr(j).Kind == table.Categorical {
		branches = len(d.t.Attr(j).Labels)
	}
	by := make([][]kase, branches)
	var known []kase
	unknown := 0.0
	for _, c := range cs {
		if v := d.value(j, cut, c.row); v >= 0 {
			by[v] = append(by[v], c)
			known = append(known, c)
		} else {
			unknown += c.w
		}
	}
	gain = criterion.Spread(d.counts(known))
	sizes := []float64{unknown}
	large := 0
	for _, b := range by {
		f := d.counts(b)
		gain -= criterion.Spread(f)
		sizes = append(sizes, total(f))
		if total(f) >= d.minLeaf {
			large++
		}
	}
	return gain, criterion.Bits(criterion.Spread(sizes)) / total(d.counts(cs)), large >= 2
}

func (d *dumb) best(cs []kase, j int) (gain, info, cut float64, ok bool) {
	n := total(d.counts(cs))
	if d.t.Attr(j).Kind == table.Categorical {
		g, info, ok := d.measure(cs, j, 0)
		return criterion.Bits(g) / n, info, 0, ok
	}
	weight := map[float64]float64{}
	k := 0.0
	for _, c := range cs {
		if v := d.t.Num(j)[c.row]; !math.IsNaN(v) {
			weight[v+0] += c.w
			k += c.w
		}
	}
	var values []float64
	for v := range weight {
		values = append(values, v)
	}
	sort.Float64s(values)
	c50 := d.l.MinGainRule == "c50"
	gap := 1e-5
	if c50 {
		gap = 0
	}
	minSplit := max(d.minLeaf, min(25, 0.1*k/d.occurring))
	if k < 2*d.minLeaf {
		return
	}
	tries, low := 0, 0.0
	bestGain, bestAt := int64(-1), -1
	for i := 0; i+1 < len(values); i++ {
		low += weight[values[i]]
		if low < minSplit || k-low < minSplit || !(values[i] < values[i+1]-gap) {
			continue
		}
		tries++
		if g, _, _ := d.measure(cs, j, values[i]); g > bestGain {
			bestGain, bestAt = g, i
		}
	}
	if bestAt < 0 {
		return
	}
	cost := float64(tries)
	if c50 {
		cost = min(cost, (values[len(values)-1]-values[0])/(values[bestAt+1]-values[bestAt]))
	}
	gain = criterion.Bits(bestGain)/n - math.Log2(cost)/n
	if gain <= 0 {
		return
	}
	_, info, _ = d.measure(cs, j, values[bestAt])
	mid := values[bestAt] + (values[bestAt+1]-values[bestAt])/2
	all := d.sorted[j]
	cut = values[bestAt]
	for _, v := range all {
		if v <= mid && v < values[bestAt+1] {
			cut = max(cut, v)
		}
	}
	return gain, info, cut, true
}

func (d *dumb) choose(cs []kase, tested []bool) (attr int, cut float64) {
	n := total(d.counts(cs))
	type cand struct {
		j               int
		gain, info, cut float64
	}
	var cands []cand
	gains, possible := 0.0, 0
	for _, j := range d.attrs {
		a := d.t.Attr(j)
		if a.Kind == table.Categorical && tested[j] {
			continue
		}
		gain, info, cut, ok := d.best(cs, j)
		if !ok {
			continue
		}
		cands = append(cands, cand{j, gain, info, cut})
		if a.Kind == table.Numeric || d.many || float64(len(a.Labels)) < 0.3*d.rows {
			possible++
			gains += gain
		}
	}
	c50 := d.l.MinGainRule == "c50"
	least := math.Inf(1)
	if possible > 0 {
		least = gains / float64(possible)
		if c50 {
			wt := min(1, max(0, (d.rows/d.occurring-500)/500))
			least = (1-wt)*least + 0.9*wt*math.Log2(float64(possible))/n
		}
	}
	attr = -1
	bestRatio, bestGain, bestBr := -1e-3, 0.0, 0
	for _, c := range cands {
		if c50 {
			br := 3
			if d.t.Attr(c.j).Kind == table.Categorical {
				br = max(3, len(d.t.Attr(c.j).Labels)+1)
			}
			if c.gain < 0.999*least || c.info <= 0 || c.gain <= 0 {
				continue
			}
			r := c.gain / c.info
			if attr < 0 || r > bestRatio || r > 0.999*bestRatio && (br < bestBr || br == bestBr && c.gain > bestGain) {
				attr, cut, bestRatio, bestGain, bestBr = c.j, c.cut, r, c.gain, br
			}
			continue
		}
		if c.gain >= least-1e-3 && c.info > 1e-3 && c.gain/c.info > bestRatio {
			attr, cut, bestRatio = c.j, c.cut, c.gain/c.info
		}
	}
	return attr, cut
}

// split sends the cases down the branches of a test, those with a missing value down all that are not empty.
func (d *dumb) split(cs []kase, j int, cut float64, branches int, of func(row int) int) (by [][]kase, known float64) {
	by = make([][]kase, branches)
	for _, c := range cs {
		if v := of(c.row); v >= 0 {
			by[v] = append(by[v], c)
			known += c.w
		}
	}
	share := make([]float64, branches)
	for v := range by {
		share[v] = total(d.counts(by[v])) / known
	}
	for _, c := range cs {
		if of(c.row) >= 0 {
			continue
		}
		for v := range by {
			if share[v] > 0 {
				if w := grid(c.w * share[v]); w > 0 {
					by[v] = append(by[v], kase{c.row, w})
				}
			}
		}
	}
	return by, known
}

func argmax(f []float64, from int32) int32 {
	for c := range f {
		if f[c] > f[from] {
			from = int32(c)
		}
	}
	return from
}

func (d *dumb) grow(cs []kase, tested []bool) (*twinNode, float64) {
	f := d.counts(cs)
	n := total(f)
	nd := &twinNode{attr: -1, counts: f, label: argmax(f, 0)}
	errs := n - f[nd.label]
	if errs == 0 || n < 2*d.minLeaf || d.ctx.Err() != nil {
		return nd, errs
	}
	j, cut := d.choose(cs, tested)
	if j < 0 {
		return nd, errs
	}
	branches := 2
	a := d.t.Attr(j)
	if a.Kind == table.Categorical {
		branches = len(a.Labels)
		tested = slices.Clone(tested)
		tested[j] = true
	}
	below := 0.0
	d.fan(nd, cs, j, cut, branches, func(_ int, cs []kase) *twinNode {
		k, e := d.grow(cs, tested)
		below += e
		return k
	})
	if !d.l.NoPrune &&
		(d.l.MinGainRule == "avg" && below >= errs-1e-3 || d.l.MinGainRule == "c50" && below >= 0.999*errs) {
		nd.kids, nd.branch = nil, nil
		return nd, errs
	}
	nd.attr, nd.cut = j, cut
	return nd, below
}

// fan gives a node the branches of a test; grow grows those that have cases.
func (d *dumb) fan(nd *twinNode, cs []kase, j int, cut float64, branches int, grow func(k int, cs []kase) *twinNode) {
	by, _ := d.split(cs, j, cut, branches, func(r int) int { return d.value(j, cut, r) })
	var spare *twinNode
	for v := range by {
		k := &twinNode{attr: -1, counts: make([]float64, d.classes), label: nd.label}
		if len(by[v]) > 0 {
			k = grow(len(nd.kids), by[v])
		} else if branches > shareEmpty {
			if spare == nil {
				spare = k
			} else {
				k = nil
			}
		}
		at := int32(len(nd.kids))
		if k == nil {
			at = int32(slices.Index(nd.kids, spare))
		} else {
			nd.kids = append(nd.kids, k)
		}
		if d.t.Attr(j).Kind == table.Categorical {
			nd.branch = append(nd.branch, at)
		}
	}
}

func (d *dumb) branchOf(nd *twinNode, row int) int {
	v := d.value(nd.attr, nd.cut, row)
	if nd.branch != nil && v >= 0 {
		v = int(nd.branch[v])
	}
	return v
}

// estimate returns the pessimistic errors of a subtree on cases; with update it also prunes and recounts.
func (d *dumb) estimate(nd *twinNode, cs []kase, update bool) float64 {
	f := d.counts(cs)
	n := total(f)
	label := argmax(f, nd.label)
	leaf := n - f[label] + extra(n, n-f[label], d.l.CF/100)
	if update {
		nd.counts, nd.label = f, label
	}
	if nd.attr < 0 {
		return leaf
	}
	by, known := d.split(cs, nd.attr, nd.cut, len(nd.kids), func(r int) int { return d.branchOf(nd, r) })
	if known == 0 {
		if update {
			nd.attr, nd.kids, nd.branch = -1, nil, nil
		}
		return leaf
	}
	c50 := d.l.MinGainRule == "c50"
	est, big, bigN := 0.0, 0, -1.0
	var pool []kase
	for v, k := range nd.kids {
		kn := 0.0
		for _, c := range by[v] {
			if d.branchOf(nd, c.row) >= 0 {
				kn += c.w
			}
		}
		if kn > 0 {
			if kn >= bigN {
				big, bigN = v, kn
			}
			e := d.estimate(k, by[v], update)
			if c50 && kn < d.minLeaf {
				pool = append(pool, by[v]...)
			} else {
				est += e
			}
		}
	}
	if pool != nil {
		p := d.counts(pool)
		e := total(p) - p[argmax(p, 0)]
		est += e + extra(total(p), e, d.l.CF/100)
	}
	if !update {
		return est
	}
	branch := math.Inf(1)
	kid := nd.kids[big]
	if !c50 || kid.attr >= 0 && 10*bigN >= n && (kid.attr != nd.attr || nd.branch != nil) {
		branch = d.estimate(kid, cs, false)
	}
	switch {
	case leaf <= branch+0.1 && leaf <= est+0.1:
		nd.attr, nd.kids, nd.branch = -1, nil, nil
		return leaf
	case branch <= est+0.1:
		k := nd.kids[big]
		e := d.estimate(k, cs, true)
		*nd = *k
		return e
	}
	return est
}
