package valuedisclosure

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// inferenceMostCells is how many values, or cells of values, of a domain are looked at.
const inferenceMostCells = 1024

// finest is the share of the domain below which distances are not told apart, where the domain has more values than
// that.
const finest = 1e-7

// inferenceCells divide the values of a domain: at[k] stands for count[k] of them, from first[k] on, counted in steps.
type inferenceCells struct {
	at    []float64
	first []float64 // in steps above the lowest value
	count []float64
}

// inferenceDivide returns the cells of a domain: single values where there are at most mostCells of them, else cells
// that grow with the distance from y and from both ends, which is where wrapped noise comes out again.
func inferenceDivide(d *wrap.Domain, y float64) *inferenceCells {
	lo, _ := d.Limits()
	n, step := d.Size(), d.Step()
	c := &inferenceCells{}
	if n <= inferenceMostCells {
		for k := range int(n) {
			c.at, c.first, c.count = append(c.at, d.Clip(lo+float64(float64(k)*step))), append(c.first, float64(k)),
				append(c.count, 1)
		}
		return c
	}
	// The cuts lie at distances that grow by a constant ratio.
	cuts := []float64{0, n}
	y = min(max(math.Round((y-lo)/step), 0), n-1)
	const per = inferenceMostCells / 6
	from := max(1, n*finest)
	ratio := portable.Pow(n/from, 1.0/per)
	for range per {
		for _, cut := range []float64{math.Round(from), n - math.Round(from), y - math.Round(from), y + 1 + math.Round(from),
			y, y + 1} {
			if cut > 0 && cut < n {
				cuts = append(cuts, cut)
			}
		}
		from = float64(from * ratio)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for k := 1; k < len(cuts); k++ {
		first, count := cuts[k-1], cuts[k]-cuts[k-1]
		c.at = append(c.at, d.Clip(lo+float64(math.Floor(first+count/2)*step)))
		c.first, c.count = append(c.first, first), append(c.count, count)
	}
	return c
}

// left returns how many values of the cells hold the original of y with a confidence, as a share: the fewest. It also
// returns the smallest likelihood among them, to which a value that is left out does not come. It is false when no
// value can have been released as y.
func (c *inferenceCells) left(k noisemodel.Kernel, y, confidence float64) (values, least float64, ok bool) {
	p := make([]float64, len(c.at))
	total := 0.0
	for i, x := range c.at {
		p[i] = k.P(x, y)
		total += float64(p[i] * c.count[i])
	}
	if !(total > 0) || math.IsInf(total, 0) {
		return 0, 0, false
	}
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] > p[b]:
			return -1
		case p[a] < p[b]:
			return 1
		}
		return 0
	})
	// Of a cell only as many values are taken as the confidence still lacks.
	want := float64(confidence * total * (1 - 1e-12))
	if confidence == 1 {
		want = math.Inf(1)
	}
	have := 0.0
	for _, i := range order {
		if p[i] == 0 || have >= want {
			break
		}
		take := c.count[i]
		if lack := math.Ceil((want - have) / p[i]); lack < take {
			take = lack
		}
		values, least = values+take, p[i]
		have += float64(take * p[i])
	}
	if confidence == 1 {
		least = 0 // all that is possible
	}
	return values, least, true
}

// key is what the values left depend on.
type key struct {
	kernel noisemodel.Kernel
	y      float64
	domain wrap.Domain
}

// answer is what is left for one.
type answer struct {
	values, least float64
	ok            bool
}

// column looks at one column of the sample.
func (m *IntervalInferenceMeter) column(r *measure.Release, p *parts, w known, rows []int) IntervalInferenceColumn {
	a := r.Original.Attr(w.at)
	c := IntervalInferenceColumn{Name: a.Name}
	whole := wrap.On(a.Domain, a.Step)
	answers, laws := map[key]answer{}, tables{}
	y := r.Released.Num(w.at)
	holds := 0
	var left exact.Sum
	for _, row := range rows {
		if r.Paired && r.Original.MissingAt(row, w.at) {
			continue
		}
		c.Targets++
		share, hit := 1.0, true
		if y[row] == y[row] && whole.Size() > 0 {
			of := w.of(r, a, p.segment(row), row)
			got, done := answers[of]
			if !done {
				got.values, got.least, got.ok = of.left(m.Confidence/100, laws)
				answers[of] = got
			}
			if !got.ok { // the law cannot have released the value: nothing is inferred by it
				c.Unfit++
			} else {
				share = got.values / whole.Size()
				if got.values <= max(1, m.Width/100*whole.Size()) {
					c.Inferred++
				}
				if got.values <= 1 {
					c.Certain++
				}
				x := r.Original.Num(w.at)[row]
				likely := of.kernel.P(x, of.y)
				inside := math.Abs(of.domain.Clip(x)-x) <= of.domain.Step() // a continuous value lies between two of its grid
				hit = r.Paired && inside && likely > 0 && likely >= got.least*(1-1e-9)
			}
		}
		left.Add(share)
		if hit {
			holds++
		}
	}
	if n := float64(c.Targets); n > 0 {
		c.Inferred, c.Certain, c.Left = c.Inferred/n, c.Certain/n, left.Mean(c.Targets)
		if r.Paired {
			right := float64(holds) / n
			c.Right = &right
		}
	}
	return c
}

// of returns what the values left for a released record depend on.
func (w *known) of(r *measure.Release, a *table.Attribute, s *segment.Segment, row int) key {
	k := key{y: r.Released.Num(w.at)[row], domain: domain(a, w.at, s)}
	if w.law != nil {
		k.kernel = w.law(s, r.Released, row)
	} else {
		k.y = w.z[row]
		k.kernel = normal{w.sd, k.domain.Clip(k.y)}
	}
	return k
}

// left works out the answer.
func (k *key) left(confidence float64, laws tables) (values, least float64, ok bool) {
	if k.kernel == noisemodel.Kernel(noisemodel.Kept{}) {
		return 1, 1, true
	}
	likeliest := k.y
	if n, ok := k.kernel.(wrap.NoiseKernel); ok && n.Mean != 0 {
		likeliest = k.domain.Add(k.y, -n.Mean)
	}
	return inferenceDivide(&k.domain, likeliest).left(laws.of(k.kernel), k.y, confidence)
}

// tables are the laws that are worked out for all values of a domain at once: many released values are asked about
// each.
type tables map[wrap.NoiseKernel]*wrap.Tabled

func (t tables) of(k noisemodel.Kernel) noisemodel.Kernel {
	n, ok := k.(wrap.NoiseKernel)
	if !ok || n.Domain.Size() > inferenceMostCells {
		return k
	}
	if t[n] == nil {
		t[n] = n.Tabled()
	}
	return t[n]
}
