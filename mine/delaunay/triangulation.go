package delaunay

import (
	"math"
	"math/big"
)

// Triangulation of points in the plane: of all triangulations the one in which no point lies inside the circle through
// the corners of a triangle.
//
// It is the divide-and-conquer algorithm on quad-edges of L. Guibas and J. Stolfi, "Primitives for the manipulation of
// general subdivisions and the computation of Voronoi diagrams", ACM Transactions on Graphics 4(2), 1985. Signs of
// determinants that rounding leaves open are worked out exactly (J. R. Shewchuk, "Adaptive precision floating-point
// arithmetic and fast robust geometric predicates", 1997, for the bounds), so no arrangement of points breaks it.

// Point is a point of the plane.
type Point struct{ X, Y float64 }

// Edges returns the edges of the triangulation of points that are all different, ascend by X and where that is equal by
// Y, and are finite. An edge is a pair of positions, the smaller first. Points on one line are joined in a row. Cost:
// O(n log n) time, and 100 bytes a point.
func Edges(points []Point) [][2]int32 {
	if len(points) < 2 {
		return nil
	}
	m := &mesh{points: points}
	m.divide(0, int32(len(points)))
	var out [][2]int32
	for e := edge(0); int(e) < len(m.next); e += 4 {
		if a, b := m.org(e), m.dest(e); !m.dead[e/4] {
			out = append(out, [2]int32{min(a, b), max(a, b)})
		}
	}
	return out
}

// edge is a directed edge of the subdivision or, where it is odd, of its dual: four to an undirected one.
type edge int32

func (e edge) rot() edge { return e&^3 | (e+1)&3 }
func (e edge) inv() edge { return e&^3 | (e+3)&3 }
func (e edge) sym() edge { return e ^ 2 }

// mesh is a subdivision.
type mesh struct {
	points []Point
	next   []edge  // by edge: the next one counterclockwise around its origin
	from   []int32 // by edge: its origin
	dead   []bool  // by undirected edge
}

func (m *mesh) org(e edge) int32  { return m.from[e] }
func (m *mesh) dest(e edge) int32 { return m.from[e.sym()] }
func (m *mesh) onext(e edge) edge { return m.next[e] }
func (m *mesh) oprev(e edge) edge { return m.next[e.rot()].rot() }
func (m *mesh) lnext(e edge) edge { return m.next[e.inv()].rot() }
func (m *mesh) rprev(e edge) edge { return m.next[e.sym()] }

// join returns a new edge between two points.
func (m *mesh) join(a, b int32) edge {
	e := edge(len(m.next))
	m.next = append(m.next, e, e+3, e+2, e+1)
	m.from = append(m.from, a, -1, b, -1)
	m.dead = append(m.dead, false)
	return e
}

// splice joins or parts the rings around two origins.
func (m *mesh) splice(a, b edge) {
	x, y := m.onext(a).rot(), m.onext(b).rot()
	m.next[a], m.next[b] = m.next[b], m.next[a]
	m.next[x], m.next[y] = m.next[y], m.next[x]
}

// connect adds an edge from the end of a to the origin of b.
func (m *mesh) connect(a, b edge) edge {
	e := m.join(m.dest(a), m.org(b))
	m.splice(e, m.lnext(a))
	m.splice(e.sym(), b)
	return e
}

// remove takes an edge out.
func (m *mesh) remove(e edge) {
	m.splice(e, m.oprev(e))
	m.splice(e.sym(), m.oprev(e.sym()))
	m.dead[e/4] = true
}

// divide triangulates the points lo to hi and returns the edges of the hull that leave its leftmost point
// counterclockwise and its rightmost clockwise.
func (m *mesh) divide(lo, hi int32) (left, right edge) {
	switch hi - lo {
	case 2:
		a := m.join(lo, lo+1)
		return a, a.sym()
	case 3:
		a, b := m.join(lo, lo+1), m.join(lo+1, lo+2)
		m.splice(a.sym(), b)
		switch turn := m.turn(lo, lo+1, lo+2); {
		case turn > 0:
			m.connect(b, a)
			return a, b.sym()
		case turn < 0:
			c := m.connect(b, a)
			return c.sym(), c
		}
		return a, b.sym()
	}
	mid := lo + (hi-lo)/2
	leftOut, leftIn := m.divide(lo, mid)
	rightIn, rightOut := m.divide(mid, hi)
	return m.merge(leftOut, leftIn, rightIn, rightOut)
}

// merge joins two triangulations side by side, from their lower common tangent upwards.
func (m *mesh) merge(leftOut, leftIn, rightIn, rightOut edge) (left, right edge) {
	for {
		if m.turn(m.org(rightIn), m.org(leftIn), m.dest(leftIn)) > 0 {
			leftIn = m.lnext(leftIn)
		} else if m.turn(m.org(leftIn), m.dest(rightIn), m.org(rightIn)) > 0 {
			rightIn = m.rprev(rightIn)
		} else {
			break
		}
	}
	base := m.connect(rightIn.sym(), leftIn)
	if m.org(leftIn) == m.org(leftOut) {
		leftOut = base.sym()
	}
	if m.org(rightIn) == m.org(rightOut) {
		rightOut = base
	}
	above := func(e edge) bool { return m.turn(m.dest(e), m.dest(base), m.org(base)) > 0 }
	for {
		l := m.onext(base.sym())
		for above(l) && m.inside(m.dest(base), m.org(base), m.dest(l), m.dest(m.onext(l))) {
			l, _ = m.onext(l), m.drop(l)
		}
		r := m.oprev(base)
		for above(r) && m.inside(m.dest(base), m.org(base), m.dest(r), m.dest(m.oprev(r))) {
			r, _ = m.oprev(r), m.drop(r)
		}
		switch okL, okR := above(l), above(r); {
		case !okL && !okR:
			return leftOut, rightOut
		case !okL || okR && m.inside(m.dest(l), m.org(l), m.org(r), m.dest(r)):
			base = m.connect(r, base.sym())
		default:
			base = m.connect(base.sym(), l.sym())
		}
	}
}

// drop removes an edge whose neighbour has been read.
func (m *mesh) drop(e edge) struct{} {
	m.remove(e)
	return struct{}{}
}

// turn is positive where a, b and c turn counterclockwise, 0 on a line.
func (m *mesh) turn(a, b, c int32) int {
	if a == b || b == c || c == a {
		return 0
	}
	p, q, r := m.points[a], m.points[b], m.points[c]
	x, y := float64((p.X-r.X)*(q.Y-r.Y)), float64((p.Y-r.Y)*(q.X-r.X))
	if det := x - y; math.Abs(det) > 4e-16*(math.Abs(x)+math.Abs(y)) {
		return sign(det)
	}
	e := exactly(p, q, r)
	return sub(mul(sub(e[0], e[4]), sub(e[3], e[5])), mul(sub(e[1], e[5]), sub(e[2], e[4]))).Sign()
}

// inside reports whether d lies inside the circle through a, b and c, which turn counterclockwise.
func (m *mesh) inside(a, b, c, d int32) bool {
	if d == a || d == b || d == c {
		return false
	}
	p, q, r, s := m.points[a], m.points[b], m.points[c], m.points[d]
	px, py, qx, qy, rx, ry := p.X-s.X, p.Y-s.Y, q.X-s.X, q.Y-s.Y, r.X-s.X, r.Y-s.Y
	pp, qq, rr := float64(px*px)+float64(py*py), float64(qx*qx)+float64(qy*qy), float64(rx*rx)+float64(ry*ry)
	det := float64(pp*(float64(qx*ry)-float64(rx*qy))) + float64(qq*(float64(rx*py)-float64(px*ry))) +
		float64(rr*(float64(px*qy)-float64(qx*py)))
	size := float64(pp*(math.Abs(qx*ry)+math.Abs(rx*qy))) + float64(qq*(math.Abs(rx*py)+math.Abs(px*ry))) +
		float64(rr*(math.Abs(px*qy)+math.Abs(qx*py)))
	if math.Abs(det) > 2e-15*size {
		return det > 0
	}
	e := exactly(p, q, r, s)
	for k := range 3 {
		e[2*k], e[2*k+1] = sub(e[2*k], e[6]), sub(e[2*k+1], e[7])
	}
	square := func(k int) *big.Rat { return new(big.Rat).Add(mul(e[2*k], e[2*k]), mul(e[2*k+1], e[2*k+1])) }
	cross := func(k, l int) *big.Rat { return sub(mul(e[2*k], e[2*l+1]), mul(e[2*l], e[2*k+1])) }
	sum := mul(square(0), cross(1, 2))
	sum.Add(sum, mul(square(1), cross(2, 0)))
	return sum.Add(sum, mul(square(2), cross(0, 1))).Sign() > 0
}

func sign(v float64) int {
	if v > 0 {
		return 1
	}
	return -1
}

// exactly returns the coordinates of points as fractions, which they are.
func exactly(points ...Point) []*big.Rat {
	var out []*big.Rat
	for _, p := range points {
		out = append(out, new(big.Rat).SetFloat64(p.X), new(big.Rat).SetFloat64(p.Y))
	}
	return out
}

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
