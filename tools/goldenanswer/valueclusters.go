package main

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/mine/detective"
	"github.com/dither-data/dither/mine/recordclusters"
	"github.com/dither-data/dither/mine/valueclusters"
)

var valueClusters = map[string]answer{
	"ex_detective": on(func(in struct{ Partitions [][][]int }) (any, error) {
		partitions, records, err := leaves(in.Partitions)
		if err != nil {
			return nil, err
		}
		labels, n := detective.Intersect(partitions, 2)
		clusters := make([][]int, n)
		for i, c := range labels {
			if c >= 0 {
				clusters[c] = append(clusters[c], records[i])
			}
		}
		slices.SortFunc(clusters, slices.Compare)
		return clusters, nil
	}),
	"cactus": on(func(in struct {
		N      int
		SizeA  int `json:"size_a"`
		SizeB  int `json:"size_b"`
		Delta  float64
		Counts []float64
	}) (any, error) {
		if in.SizeA < 1 || in.SizeB < 1 {
			return nil, fmt.Errorf("attributes of %d and %d values", in.SizeA, in.SizeB)
		}
		expected := valueclusters.Expected(in.N, in.SizeA, in.SizeB)
		strong := make([]bool, len(in.Counts))
		for k, n := range in.Counts {
			strong[k] = valueclusters.Strong(n, expected, in.Delta)
		}
		return object{"expected": expected, "strong": strong}, nil
	}),
	"core_corr": on(func(in struct {
		A []int `json:"records_a"`
		B []int `json:"records_b"`
	}) (any, error) {
		both := 0
		for _, r := range in.A {
			if slices.Contains(in.B, r) {
				both++
			}
		}
		return object{"corr": recordclusters.Corr(float64(len(in.A)), float64(len(in.B)), float64(both))}, nil
	}),
}

// leaves returns the leaf of every record in every partition, and the records, ascending.
func leaves(partitions [][][]int) (of [][]int32, records []int, err error) {
	if len(partitions) == 0 {
		return nil, nil, fmt.Errorf("there are no partitions")
	}
	records = slices.Concat(partitions[0]...)
	slices.Sort(records)
	for k, p := range partitions {
		leaf := slices.Repeat([]int32{-1}, len(records))
		for l, members := range p {
			for _, r := range members {
				i, ok := slices.BinarySearch(records, r)
				if !ok || leaf[i] >= 0 {
					return nil, nil, fmt.Errorf("record %d is in no leaf of the first partition, or in two of partition %d", r, k)
				}
				leaf[i] = int32(l)
			}
		}
		if i := slices.Index(leaf, -1); i >= 0 {
			return nil, nil, fmt.Errorf("record %d is in no leaf of partition %d", records[i], k)
		}
		of = append(of, leaf)
	}
	return of, records, nil
}
