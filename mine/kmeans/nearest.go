package kmeans

import "math"

// farAway is the order of an infinite distance.
var farAway = order(math.Inf(1))

// order returns a number that orders distances, which are not negative, as themselves. Of whole numbers the processor
// takes the lesser without a guess, and which centroid is nearer is hard to guess: this halves the time of a
// comparison.
func order(distance float64) int64 { return int64(math.Float64bits(distance)) }

// nearest returns the centroid nearest to a record, the lowest of equal ones, its squared distance, and that of the
// nearest of the others, infinite where there is none. The parts of a distance add up in the order of the columns.
func nearest(x, centroids []float64) (at int, first, second float64) {
	one, two := farAway, farAway
	for c := 0; len(centroids) >= len(x); c++ {
		s := 0.0
		y := centroids[:len(x)]
		for j, v := range x {
			e := v - y[j]
			s += float64(e * e) // no fused multiply-add: the same on every machine
		}
		at, one, two = rank(at, one, two, c, order(s))
		centroids = centroids[len(x):]
	}
	return at, math.Float64frombits(uint64(one)), math.Float64frombits(uint64(two))
}

// nearestPartial is nearest over the values that the record has.
func nearestPartial(x, centroids []float64) (at int, first, second float64) {
	one, two := farAway, farAway
	for c := 0; len(centroids) >= len(x); c++ {
		at, one, two = rank(at, one, two, c, order(squared(x, centroids[:len(x)])))
		centroids = centroids[len(x):]
	}
	return at, math.Float64frombits(uint64(one)), math.Float64frombits(uint64(two))
}

// rank puts centroid c at distance s in its place among the two nearest so far.
func rank(at int, one, two int64, c int, s int64) (int, int64, int64) {
	if s < one {
		at = c
	}
	return at, min(one, s), min(two, max(one, s))
}

// squared returns the squared distance of a record from a centroid over the values that the record has.
func squared(x, y []float64) float64 {
	s := 0.0
	y = y[:len(x)]
	for j, v := range x {
		if v == v {
			e := v - y[j]
			s += float64(e * e)
		}
	}
	return s
}
