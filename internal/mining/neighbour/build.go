package neighbour

import (
	"math/bits"
	"runtime"
	"slices"
	"sync"
)

// sample is how many records of a node its cut is chosen by.
const sample = 128

// Build returns the index of records of dims attributes, at least one: points holds record after record, below 2^31 of
// them, and is not kept. It must hold neither NaN nor infinities. The index does not depend on the number of cores.
// Cost: O(n log n dims), on all cores, and memory of 11 bytes a value. A million records of six attributes take 2 times
// a slices.Sort of as many random float64.
func Build(points []float64, dims int) *Index {
	return build(slices.Clone(points), dims, max(32, 4*dims), nil)
}

// build returns the index with leaves of at most bucket records, unless they are identical. Choose picks the attribute
// that the records of a node, at positions lo..hi-1, are split by, one in which they differ; widest is the one in which
// their box is widest, which nil picks. The index takes the points, and puts them into another order.
func build(points []float64, dims, bucket int, choose func(x *Index, lo, hi, widest int) int) *Index {
	n := len(points) / dims
	x := &Index{dims: dims, points: points[:n*dims], record: make([]int32, n)}
	for i := range x.record {
		x.record[i] = int32(i)
	}
	if n > 0 {
		b := &builder{x: x, bucket: bucket, choose: choose, apart: max(1<<13, n/(4*runtime.GOMAXPROCS(0)))}
		b.grow(0, n)
		x.nodes, x.boxes = b.nodes, b.boxes
	}
	return x
}

// builder grows the subtree of a range of positions. Nodes are in preorder and point to each other by offsets, so
// subtrees grown apart are joined by appending one to the other.
type builder struct {
	x      *Index
	nodes  []node
	boxes  []float64
	bucket int
	choose func(x *Index, lo, hi, widest int) int
	apart  int // the halves of larger ranges are grown at the same time
}

// grow appends the subtree of the records at positions lo..hi-1.
func (b *builder) grow(lo, hi int) {
	x, at := b.x, len(b.nodes)
	b.nodes = append(b.nodes, node{start: int32(lo), size: int32(hi - lo), lowest: slices.Min(x.record[lo:hi])})
	b.boxes = x.enclose(b.boxes, lo, hi)
	box := b.boxes[2*x.dims*at:]
	d, low, high := widest(box[:x.dims], box[x.dims:])
	switch {
	case low == high:
		slices.Sort(x.record[lo:hi])
		b.nodes[at].right = identical
		return
	case hi-lo <= b.bucket:
		return
	case b.choose != nil:
		d = b.choose(x, lo, hi, d)
		low, high = box[d], box[x.dims+d]
	}
	mid := x.split(lo, hi, d, x.cut(lo, hi, d, low, high))
	if hi-lo <= b.apart {
		b.grow(lo, mid)
		b.nodes[at].right = int32(len(b.nodes) - at)
		b.grow(mid, hi)
		return
	}
	left, right := *b, *b
	left.nodes, left.boxes, right.nodes, right.boxes = nil, nil, nil, nil
	var wg sync.WaitGroup
	wg.Go(func() { left.grow(lo, mid) })
	right.grow(mid, hi)
	wg.Wait()
	b.nodes[at].right = int32(1 + len(left.nodes))
	b.nodes = slices.Concat(b.nodes, left.nodes, right.nodes)
	b.boxes = slices.Concat(b.boxes, left.boxes, right.boxes)
}

// enclose appends the smallest and the largest values of the records at positions lo..hi-1, of which there is one at
// least.
func (x *Index) enclose(boxes []float64, lo, hi int) []float64 {
	p := x.dims
	first := x.points[lo*p : lo*p+p]
	boxes = append(append(boxes, first...), first...)
	low, high := boxes[len(boxes)-2*p:len(boxes)-p], boxes[len(boxes)-p:]
	for i := lo + 1; i < hi; i++ {
		row := x.points[i*p : i*p+p]
		low, high := low[:len(row)], high[:len(row)]
		for d, v := range row {
			if v < low[d] {
				low[d] = v
			}
			if v > high[d] {
				high[d] = v
			}
		}
	}
	return boxes
}

// widest returns the attribute in which a box is widest, and its limits there.
func widest(lows, highs []float64) (d int, low, high float64) {
	for k := range lows {
		if highs[k]-lows[k] > highs[d]-lows[d] {
			d = k
		}
	}
	return d, lows[d], highs[d]
}

// cut returns a value of attribute d, above its smallest, that has about as many records below it as not.
func (x *Index) cut(lo, hi, d int, low, high float64) float64 {
	var seen [sample]float64
	n := min(sample, hi-lo)
	for k := range n {
		at := k
		if n == sample { // spread evenly, but not at equal distances, which records in a repeating order may fall in with
			part, _ := bits.Mul64(uint64(k)*0x9e3779b97f4a7c15, uint64(hi-lo)) // k times the golden ratio, modulo 1
			at = int(part)
		}
		seen[k] = x.points[(lo+at)*x.dims+d]
	}
	slices.Sort(seen[:n])
	if v := seen[n/2]; v > low {
		return v
	}
	next := high // most are at the lower end: cut them off
	for i := lo; i < hi; i++ {
		if v := x.points[i*x.dims+d]; v > low && v < next {
			next = v
		}
	}
	return next
}

// split moves the records below the cut before the others, and returns the position of the first of these. Equal
// records stay together.
func (x *Index) split(lo, hi, d int, cut float64) int {
	p := x.dims
	for hi--; ; {
		for lo <= hi && x.points[lo*p+d] < cut {
			lo++
		}
		for lo <= hi && x.points[hi*p+d] >= cut {
			hi--
		}
		if lo > hi {
			return lo
		}
		x.swap(lo, hi)
	}
}

// swap exchanges two positions.
func (x *Index) swap(i, j int) {
	a, b := x.points[i*x.dims:][:x.dims], x.points[j*x.dims:][:x.dims]
	for k, v := range a {
		a[k], b[k] = b[k], v
	}
	x.record[i], x.record[j] = x.record[j], x.record[i]
	x.codes.swap(i, j)
}
