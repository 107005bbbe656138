package valuedisclosure

import (
	"math"

	"github.com/dither-data/dither/internal/noise/uncertainty"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

const (
	mostRecords = 1 << 15 // whose laws are asked for
	mostValues  = 1024    // of an attribute that are all looked at
	fewRecords  = 1 << 13 // whose laws are asked for in an attribute with more, where hardly two records have the same
	fewValues   = 256     // that are looked at in it
	slack       = 0.02    // that the probabilities of released values may sum to less or more than 1, because they are few
)

// law returns the joint law of the cells of an attribute by the plan's laws of its noise: for the values x of the
// original, averaged over the segments of the records. It is false when the plan does not perturb the attribute value
// by value, or its laws are not those of single values: values that are dealt out anew have a law that depends on all
// others.
func (s *study) law(j int, x, y, order []float64) (*channel, bool) {
	laws := s.laws(j)
	a := s.release.Original.Attr(j)
	grid, weight := conditionalReleased(a)
	if len(laws) == 0 || len(grid) == 0 {
		return nil, false
	}
	cx, cy := conditionalDivide(order, conditionalMostCells, 1), between(grid)
	l := &channel{joint: uncertainty.Joint{Weights: matrix(len(cx.widths), len(grid)+1)}, x: cx.number(x), y: cy.number(y)}
	most := mostRecords
	if weight > 1 {
		most = fewRecords
	}
	row, off, total, any := make([]float64, len(grid)+1), 0.0, 0.0, false
	for _, t := range s.targets(laws, x, l, most) {
		total += t.weight
		to := l.joint.Weights[cx.of(t.value)]
		if t.kernel == nil {
			to[cy.of(t.value)] += t.weight
			continue
		}
		any = true
		sum := t.row(row, grid, weight, none(a))
		if !(math.Abs(sum-1) <= slack) {
			off += t.weight
			continue
		}
		for k, p := range row {
			to[k] += t.weight * p / sum
		}
	}
	return l, any && off <= total/100
}

// row writes the probabilities of the released values, each of which stands for weight of them, and last that of a
// missing one; it returns their sum.
func (t *target) row(dst, grid []float64, weight, missing float64) float64 {
	sum := 0.0
	for k, v := range grid {
		dst[k] = float64(weight * t.kernel.P(t.value, v))
		sum += dst[k]
	}
	dst[len(grid)] = t.kernel.P(t.value, missing)
	return sum + dst[len(grid)]
}

// laws returns the laws that mechanisms state of column j.
func (s *study) laws(j int) []noisemodel.Column {
	var out []noisemodel.Column
	for _, m := range s.release.Mechanisms {
		if c, ok := noisemodel.Of(m, j); ok {
			out = append(out, c)
		}
	}
	return out
}

// none returns the missing value as a kernel takes it.
func none(a *table.Attribute) float64 {
	switch a.Kind {
	case table.Numeric:
	case table.Categorical:
		return -1
	case table.SetValued: // is not among the columns
	}
	return math.NaN()
}

// conditionalReleased returns values that an attribute may be released with and how many values each stands for; none
// where the domain is not finite.
func conditionalReleased(a *table.Attribute) (grid []float64, weight float64) {
	switch a.Kind {
	case table.Numeric:
	case table.Categorical:
		for c := range a.Labels {
			grid = append(grid, float64(c))
		}
		return grid, 1
	case table.SetValued: // is not among the columns
		return nil, 0
	}
	d := wrap.On(a.Domain, a.Step)
	n := d.Size()
	if n == 0 {
		return nil, 0
	}
	points := n
	if n > mostValues {
		points = fewValues
	}
	lo, _ := d.Limits()
	weight = n / points
	for k := range int(points) {
		grid = append(grid, d.Clip(lo+float64(d.Step()*math.Floor((float64(k)+0.5)*weight))))
	}
	return grid, weight
}

// between returns the cells around ascending values.
func between(grid []float64) conditionalCells {
	var c conditionalCells
	for k := 1; k < len(grid); k++ {
		c.cuts = append(c.cuts, (grid[k-1]+grid[k])/2)
	}
	return c
}

// target is an original value with the law it is released by, nil for none, and the number of records it stands for.
type target struct {
	value  float64
	kernel noisemodel.Kernel
	weight float64
}

// targets returns the laws of the records that have a value: of all or, where there are more than most, of some of
// every cell of the original values, which stand for the others of their cell. Records of one value and law are one
// target.
func (s *study) targets(laws []noisemodel.Column, x []float64, l *channel, most int) []target {
	cells := len(l.joint.Weights)
	count, seen := make([]int, cells+1), make([]int, cells+1)
	for _, c := range l.x {
		count[c]++
	}
	there := len(x) - count[cells]
	type key struct {
		value  float64
		kernel noisemodel.Kernel
	}
	at := map[key]int{}
	parts := map[uint64]*segment.Segment{}
	var out []target
	for i, c := range l.x {
		n, k := count[c], seen[c]
		seen[c]++
		take := n
		if there > most {
			take = max(1, int(float64(n)/float64(there)*float64(most)))
		}
		if int(c) == cells || (k+1)*take/n == k*take/n {
			continue
		}
		id := key{x[i], s.kernel(laws, i, parts)}
		if _, ok := at[id]; !ok {
			at[id] = len(out)
			out = append(out, target{value: id.value, kernel: id.kernel})
		}
		out[at[id]].weight += float64(n) / float64(take)
	}
	return out
}

// kernel returns the law of a record; nil when no mechanism perturbs its value.
func (s *study) kernel(laws []noisemodel.Column, row int, parts map[uint64]*segment.Segment) noisemodel.Kernel {
	part := &segment.Segment{}
	if s.keys != nil {
		var ok bool
		if part, ok = parts[s.keys[row]]; !ok {
			own := s.release.Forest().Segment(s.keys[row])
			part = &own
			parts[s.keys[row]] = part
		}
	}
	for _, l := range laws {
		if k := l(part, s.release.Original, row); k != (noisemodel.Kept{}) {
			return k
		}
	}
	return nil
}
