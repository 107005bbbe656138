package kmeans

import "math"

// A record is compared with the centroids again only when another than its own may have become nearer. When it was
// compared, the distances of the two nearest differed by a gap; since then the difference has shrunk by at most what
// its own centroid has moved and what the farthest moving of the others has (Hamerly 2010, section 2). Drift adds these
// up over all iterations, by cluster. Gaps holds the gap plus the drift of that time, and the record stays while this
// exceeds the drift of now: nothing is written for a record that stays.
//
// A squared distance of p values is off by at most (p+3) 2^-53 of itself, so that the lesser of two in truth is the
// lesser as computed where their roots differ by more than that share of their sum. Every gap is less by slack, 8 times
// as much, every path longer by it, and what is added up is rounded down in gaps and up in drift. So a record is spared
// only when comparing would not change its label.
func slack(dims int) float64 { return float64(dims+8) * 0x1p-50 }

const (
	up   = 1 + 0x1p-50
	down = 1 - 0x1p-50
	tiny = 1e-150 // above the root of what squares lose below the smallest number
)

// list holds records that are compared together: few enough that the ends of their values fit into the first cache.
type list [128]int32

// scan labels the records lo to hi-1, notes in moved what their moves change in the sums, and returns how many changed
// their label.
//
// Which records are open is hard to guess for the processor, and where they are for its cache. So they are listed
// first, without a branch, then their values are fetched, many at once, and then they are compared: a third of the time
// that one after another takes.
func (l *lloyd) scan(lo, hi int, moved []int64) (changed int) {
	var at list
	for ; lo < hi; lo += len(at) {
		open := l.open(&at, lo, min(hi, lo+len(at)))
		l.fetch(open)
		changed += l.compare(open, moved)
	}
	return changed
}

// open lists those of the records lo to hi-1 to which another centroid may have become the nearest.
func (l *lloyd) open(at *list, lo, hi int) []int32 {
	labels, drift := l.labels[lo:hi], l.drift
	gaps := l.gaps[lo:hi][:len(labels)]
	n := 0
	for i, a := range labels {
		at[n%len(at)] = int32(lo + i)
		one := 1
		if gaps[i] > drift[a] {
			one = 0
		}
		n += one
	}
	return at[:n]
}

// fetch reads the ends of records, so that they are in cache. It returns something of them, or the reading would be
// left out.
//
//go:noinline
func (l *lloyd) fetch(open []int32) (all float64) {
	for _, i := range open {
		at := int(i) * l.dims
		all += l.points[at] + l.points[at+l.dims-1]
	}
	return all
}

// compare labels the records of a list.
func (l *lloyd) compare(open []int32, moved []int64) (changed int) {
	slack := slack(l.dims)
	find := nearest
	if l.partial {
		find = nearestPartial
	}
	for _, at := range open {
		i := int(at)
		c, first, second := find(l.row(i), l.centroids)
		near, far := math.Sqrt(first), math.Sqrt(second)
		l.gaps[i] = float64((far - near - float64(slack*(far+near)) - tiny + l.drift[c]) * down)
		if a := l.labels[i]; int32(c) != a {
			l.labels[i] = int32(c)
			l.move(moved, i, a, int32(c))
			changed++
		}
	}
	return changed
}

// wander adds to the drift after the centroids have moved along their paths.
func (l *lloyd) wander() {
	longest, other := 0.0, 0.0
	for _, path := range l.paths {
		longest, other = max(longest, path), max(other, min(longest, path))
	}
	slack := slack(l.dims)
	for c, path := range l.paths {
		rest := longest
		if path == longest {
			rest = other
		}
		l.drift[c] = float64((l.drift[c] + float64((path+rest)*(1+slack)) + 2*tiny) * up)
	}
}
