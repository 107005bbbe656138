package main

import (
	"fmt"

	"github.com/dither-data/dither/hierarchy"
)

var kAnonymity = map[string]answer{
	"precision": on(func(in struct {
		Levels  [][]int // by record
		Heights []int
	}) (any, error) {
		levels := make([][]int, len(in.Heights))
		for i, record := range in.Levels {
			if len(record) != len(in.Heights) {
				return nil, fmt.Errorf("record %d has %d levels, expected %d", i+1, len(record), len(in.Heights))
			}
			for j, level := range record {
				levels[j] = append(levels[j], level)
			}
		}
		p, err := hierarchy.Precision(levels, in.Heights)
		return object{"precision": p}, err
	}),
}
