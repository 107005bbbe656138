// Package neighbour finds nearest records exactly: a k-d tree over records of numbers (Friedman, Bentley & Finkel
// 1977).
//
// Distances are squared Euclidean ones; attributes weigh in as the caller scales them. Ties go to the record of the
// lowest index. Every answer is that of comparing with all records one by one, to the last bit: the distance to a
// node's bounding box adds up its parts in the same order as that to a record, and rounding keeps the order of what it
// rounds, so a bound never exceeds a distance that it stands for.
//
// Identical records share a leaf, however many they are, and it is searched in the time of one. A node knows its lowest
// index, so that of many records at one distance those that cannot win the tie are passed over.
//
// In few dimensions a search takes O(log n); in many a tree helps less and less, until every leaf is visited. Leaves
// grow with the dimensions, so that a search of 50 independent attributes takes no more than a fifth longer than
// comparing with all records, and less where attributes depend on each other: there is no need for a second way.
package neighbour

import (
	"cmp"
	"math"
)

// Index is a k-d tree. Several goroutines may search it at once.
type Index struct {
	dims   int
	points []float64 // by position, dims values each
	record []int32   // by position: the record's index
	where  []int32   // by record: its position, -1 when it is removed; nil until one is
	nodes  []node    // in preorder: the first child of node n is n+1
	boxes  []float64 // by node: the smallest value of every attribute, then the largest
	about  []float64 // the point of the radii; nil where there are none
	radii  []float64 // by node: the largest squared distance from it
	codes  *codes    // of a mixed index with categories; nil otherwise
}

// node stands for the records of its subtree.
type node struct {
	start int32 // a leaf's first position; an inner node's when it was built
	size  int32 // how many records it holds
	// from an inner node to its second child; 0 for a leaf, identical for one of identical records in ascending order
	right  int32
	lowest int32 // index of its first record
}

const (
	identical = -1
	none      = math.MaxInt32 // the lowest index of a node without records
)

// Hit is a record found and its squared distance from the query.
type Hit struct {
	Record  int
	Squared float64
}

// nowhere is farther than every record.
var nowhere = Hit{Record: none, Squared: math.Inf(1)}

// before reports whether h is nearer than o or wins the tie.
func (h Hit) before(o Hit) bool {
	return h.Squared < o.Squared || h.Squared == o.Squared && h.Record < o.Record
}

// compare orders hits by before.
func (h Hit) compare(o Hit) int {
	return cmp.Or(cmp.Compare(h.Squared, o.Squared), cmp.Compare(h.Record, o.Record))
}

// Len returns the number of records that are not removed.
func (x *Index) Len() int {
	if len(x.nodes) == 0 {
		return 0
	}
	return int(x.nodes[0].size)
}

// Squared returns the squared Euclidean distance of two records, as searches compute it: its parts are added in order.
func Squared(a, b []float64) float64 {
	s := 0.0
	a = a[:len(b)]
	for d, v := range b {
		e := a[d] - v
		s += float64(e * e) // no fused multiply-add: the same on every machine
	}
	return s
}

// box returns the smallest and the largest values of a node.
func (x *Index) box(n int32) (low, high []float64) {
	b := x.boxes[2*x.dims*int(n):][:2*x.dims]
	return b[:x.dims], b[x.dims:]
}

// near returns the least squared distance that a record of node n can have.
func (x *Index) near(n int32, q []float64) float64 {
	low, high := x.box(n)
	low, high = low[:len(q)], high[:len(q)]
	s := 0.0
	for d, v := range q {
		e := max(low[d]-v, v-high[d], 0)
		s += float64(e * e)
	}
	return s
}

// far returns the largest squared distance that a record of node n can have; +Inf when it has no records.
func (x *Index) far(n int32, q []float64) float64 {
	low, high := x.box(n)
	low, high = low[:len(q)], high[:len(q)]
	s := 0.0
	for d, v := range q {
		e := v - low[d]
		if f := high[d] - v; f > e {
			e = f
		}
		s += float64(e * e)
	}
	return s
}

// Points returns the records of columns of equal length as one slice, record after record, for Build: value v of column
// k becomes (v-centre[k])/scale[k], kept within 1e100 of 0. A missing value (NaN) becomes 0, the centre, and so does
// every value of a column whose scale is 0.
func Points(cols [][]float64, centre, scale []float64) []float64 {
	if len(cols) == 0 {
		return nil
	}
	p := len(cols)
	out := make([]float64, p*len(cols[0]))
	for k, col := range cols {
		if scale[k] == 0 {
			continue
		}
		for i, v := range col {
			if v == v {
				out[i*p+k] = min(max((v-centre[k])/scale[k], -1e100), 1e100)
			}
		}
	}
	return out
}
