// Package microaggregation partitions records into small groups of similar ones, none below k, whose values a technique
// then replaces by their centre.
//
// MDAV makes groups of k from the outside inwards (Domingo-Ferrer & Mateo-Sanz 2002; Domingo-Ferrer & Torra 2005),
// V-MDAV lets them grow to 2k-1 where records lie close (Solanas & Martínez-Ballesté 2006). Both are defined record by
// record, in O(n²/k), and both are found here group by group as defined, to the last bit, in far less: nearest and
// farthest records by a k-d tree that shrinks with the records left, the farthest from the centre among the outermost
// (type rim), which change little while the centre moves.
//
// Distances are squared Euclidean; attributes weigh in as the caller scales them. Of numbers the centre is the mean,
// the exact sum rounded once and divided: sums are kept to twice the precision of a float64, so that it matters neither
// in which order records came nor how many have gone.
//
// Attributes may be of mixed types: two nominal values are at a distance of 0 or 1 and their centre is the mode, of
// values with nothing more than an order it is the median. Centres of mixed types jump, and many records share one
// distance, so the tree spares less.
package microaggregation

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/mining/neighbour"
)

// Kind is how values of an attribute are compared and summed up.
type Kind uint8

const (
	// Number has the mean as its centre.
	Number Kind = iota
	// Ordinal has numbers for values, of which the centre is the median, the lower one of two.
	Ordinal
	// Nominal has codes of categories, from 0, at distance 0 or 1; the centre is the commonest, of several the lowest.
	Nominal
)

// farAway is how far from 0 values may be, as in neighbour.Points: their squares can be summed.
const farAway = 1e100

// MixedMDAV partitions records into groups of k, the last of up to 2k-1, by MDAV. Points holds record after record of
// an attribute for each of the kinds, as neighbour.Build takes them; at least k records, or it is an error. Group[i] is
// the group of record i; groups are numbered from 0 in the order of their creation.
//
// While 3k or more records are left, the record r farthest from their centre forms a group with the k-1 nearest to it,
// and so does then, of what is left, the one farthest from r; of 2k to 3k-1, only r; the rest is the last group. Ties
// go to the lowest record.
//
// Whose says by record whose it is, numbered from 0, where a person has several; nil where none has. A group then is of
// k people: the nearest records join until it is, no matter whose they are. As long as k people or more have records
// left there are further groups, and the records of the fewer that are left then join the group of the record nearest
// to theirs.
//
// Cost: some n^1.4 for six numeric attributes: as a multiple of a slices.Sort of a million random float64, 30,162
// records of Adult and k = 3 take 0.9, 100,000 like them 4.8, a million with k = 10 take 37, and as many independent
// normal ones 175. In many attributes it is O(n²/k).
func MixedMDAV(
	ctx context.Context,
	points []float64,
	kinds []Kind,
	whose []int32,
	k int,
) (group []int32, groups int, err error) {
	if err := check(points, kinds, whose, k); err != nil {
		return nil, 0, err
	}
	return mdav(ctx, newLeft(points, kinds, whose), k)
}

// MixedVMDAV partitions records into groups of k to 2k-1 by V-MDAV, under the terms of MixedMDAV.
//
// While k or more records are left, the one farthest from the centre of all records forms a group with the k-1 nearest
// to it. The group grows as long as the record nearest to one of its own, at distance d, is farther than d/gamma from
// all others that are left. The fewer than k records left in the end join the group of the record nearest to them: then
// a group may have more than 2k-1 records, up to 3k-2. Gamma 0 never extends a group; 0.2 suits scattered records, 1.1
// clusters.
//
// Where Whose is given, a group is of k people, and grows to 2k-1 of them.
func MixedVMDAV(
	ctx context.Context,
	points []float64,
	kinds []Kind,
	whose []int32,
	k int,
	gamma float64,
) (group []int32, groups int, err error) {
	if err := check(points, kinds, whose, k); err != nil {
		return nil, 0, err
	}
	if !(gamma >= 0) {
		return nil, 0, fmt.Errorf("gamma is %v, expected at least 0", gamma)
	}
	return vmdav(ctx, newLeft(points, kinds, whose), k, gamma)
}

// check refuses what cannot be partitioned.
func check(points []float64, kinds []Kind, whose []int32, k int) error {
	if len(kinds) == 0 {
		return fmt.Errorf("there are no attributes for distances between records")
	}
	if n := len(points) / len(kinds); k < 1 || n < k || n > math.MaxInt32 {
		return fmt.Errorf("there are %d records, expected at least k = %d", n, k)
	}
	if whose != nil && headcount.All(whose).Size() < k {
		return fmt.Errorf("there are %d records, of fewer people than k = %d", len(points)/len(kinds), k)
	}
	for i, v := range points {
		if !(math.Abs(v) <= farAway) {
			return fmt.Errorf("attribute %d of record %d is missing or more than %v from 0", i%len(kinds)+1, i/len(kinds)+1,
				farAway)
		}
	}
	return nil
}

// squared returns the squared distance of two records of the kinds.
func squared(kinds []Kind) func(a, b []float64) float64 {
	if numeric(kinds) {
		return neighbour.Squared
	}
	return func(a, b []float64) float64 {
		s := 0.0
		for d, v := range b {
			e := a[d] - v
			e = float64(e * e) // no fused multiply-add: the same on every machine
			if kinds[d] == Nominal {
				e = min(e, 1)
			}
			s += e
		}
		return s
	}
}

// numeric reports whether no attribute is nominal.
func numeric(kinds []Kind) bool {
	for _, kind := range kinds {
		if kind == Nominal {
			return false
		}
	}
	return true
}
