package main

import (
	"context"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/measure/clusterings"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// property is what became of the mean, of the variance and of the tree.
type property struct {
	mean, variance [2]float64 // before, after
	// share of the pairs of records of one leaf that share a leaf of the tree built on the release
	together float64
	rand     float64 // adjusted Rand index of the leaves
}

func properties(ctx context.Context, s *set) (*property, error) {
	technique, err := catalog.Method("perturbationtree")
	if err != nil {
		return nil, err
	}
	t := s.with(s.confidential)
	set := map[string]string{"leafMax": "10", "grid": "finer"}
	p, err := study.Protect(
		ctx,
		study.Request{Seed: rng.SeedOf([32]byte{1}), KeepOrder: true, Table: t, Method: technique, Set: set},
	)
	if err != nil {
		return nil, err
	}
	again, err := study.Protect(
		ctx,
		study.Request{Seed: rng.SeedOf([32]byte{1}), KeepOrder: true, Table: p.Released, Method: technique, Set: set},
	)
	if err != nil {
		return nil, err
	}
	out := &property{}
	for i, x := range []*table.Table{p.Original, p.Released} {
		out.mean[i], out.variance[i] = stat.MeanVariance(x.Num(x.Find(s.confidential)), nil)
	}
	before, err := leaves(p.Plan, p.Original)
	if err != nil {
		return nil, err
	}
	after, err := leaves(again.Plan, p.Released)
	if err != nil {
		return nil, err
	}
	out.together = together(before, after)
	d, err := clusterings.Compare(before, after, int(max(largest(before), largest(after)))+1)
	if err != nil {
		return nil, err
	}
	out.rand = d.Rand
	return out, nil
}

// leaves numbers the leaves of the records.
func leaves(p protect.Plan, t *table.Table) ([]int32, error) {
	groups, err := p.(protect.Grouper).Group(t)
	if err != nil {
		return nil, err
	}
	number, out := map[uint64]int32{}, make([]int32, len(groups))
	for i, g := range groups {
		k, ok := number[g]
		if !ok {
			k = int32(len(number))
			number[g] = k
		}
		out[i] = k
	}
	return out, nil
}

func largest(v []int32) (most int32) {
	for _, x := range v {
		most = max(most, x)
	}
	return most
}

func together(before, after []int32) float64 {
	pairs, kept := 0, 0
	for i := range before {
		for j := range i {
			if before[i] == before[j] {
				pairs++
				if after[i] == after[j] {
					kept++
				}
			}
		}
	}
	return float64(kept) / float64(max(1, pairs))
}
