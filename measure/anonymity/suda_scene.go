package anonymity

import (
	"context"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
)

// sudaScene is a release as an intruder sees it.
type sudaScene struct {
	items
	of      []int32  // by released record: its row of items
	who     []int32  // by released record: whose it is
	people  int      // in the release
	foreign []uint64 // by released record: columns whose values are not the person's own; nil where that is not known
	uniques int      // people who have a row for themselves
	pairs   int      // people who share one with one other
}

// look returns the different rows of a release in the known columns.
func look(ctx context.Context, r *measure.Release, known []intruder.Known) (*sudaScene, error) {
	all, err := classes.Of(ctx, known, false, r.Released)
	if err != nil {
		return nil, err
	}
	s := &sudaScene{of: all.Of[0]}
	s.whose(r)
	s.share(all.Len())
	if r.Paired {
		s.foreign = make([]uint64, len(s.of))
	}
	for k := range known {
		one, err := classes.Of(ctx, known[k:k+1], false, r.Released, r.Original)
		if err != nil {
			return nil, err
		}
		codes := make([]int32, all.Len())
		for i, row := range s.of {
			if codes[row] = one.Of[0][i]; r.Released.MissingAt(i, known[k].Column) {
				codes[row] = -1
			}
			if s.foreign != nil && one.Of[0][i] != one.Of[1][i] {
				s.foreign[i] |= 1 << k
			}
		}
		s.codes = append(s.codes, codes)
		s.distinct = append(s.distinct, int32(one.Len()))
	}
	return s, nil
}

// whose tells whose the released records are.
func (s *sudaScene) whose(r *measure.Release) {
	s.who, s.people = r.People()
	if s.who != nil && r.Paired {
		return
	}
	s.who, s.people = make([]int32, len(s.of)), len(s.of)
	for i := range s.who {
		s.who[i] = int32(i)
	}
}

// share finds who has each row, and counts those who have one for themselves, and those who share one with one other.
func (s *sudaScene) share(rows int) {
	first, second, more := make([]int32, rows), make([]int32, rows), make([]bool, rows)
	for k := range first {
		first[k], second[k] = -1, -1
	}
	for i, k := range s.of {
		switch p := s.who[i]; {
		case first[k] < 0:
			first[k] = p
		case first[k] == p || second[k] == p:
		case second[k] < 0:
			second[k] = p
		default:
			more[k] = true
		}
	}
	alone, paired := make([]bool, s.people), make([]bool, s.people)
	for k, p := range first {
		if second[k] < 0 {
			alone[p] = true
			continue
		}
		if first[k] = -1; !more[k] {
			paired[p], paired[second[k]] = true, true
		}
	}
	for p := range alone {
		if alone[p] {
			s.uniques++
		} else if paired[p] {
			s.pairs++
		}
	}
	s.owner = first
}
