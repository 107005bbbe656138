package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dither-data/dither/measure/queryattack"
)

var queryAttacks = map[string]answer{
	"query_attack": on(func(in struct {
		Rows    [][]string
		Classes []string
		Query   map[string]string
	}) (any, error) {
		if len(in.Rows) == 0 || len(in.Classes) != len(in.Rows) {
			return nil, fmt.Errorf("there are %d classes, expected one for each of %d rows", len(in.Classes), len(in.Rows))
		}
		var codes [][]int32
		var sizes []int
		var q queryattack.Query
		for j := range in.Rows[0] {
			values := make([]string, len(in.Rows))
			for i, row := range in.Rows {
				if len(row) != len(in.Rows[0]) {
					return nil, fmt.Errorf("row %d has %d values, expected %d", i, len(row), len(in.Rows[0]))
				}
				values[i] = row[j]
			}
			c, labels := coded(values)
			codes, sizes = append(codes, c), append(sizes, len(labels))
			if want, ok := in.Query[strconv.Itoa(j)]; ok {
				code := int32(slices.Index(labels, want))
				q = append(q, queryattack.Condition{Column: j, Lo: code, Hi: code})
			}
		}
		classes, labels := coded(in.Classes)
		ask := func(wildcard bool) object {
			matches := queryattack.NewIndex(len(in.Rows), codes, sizes, wildcard).Matches(q, new(queryattack.Scratch))
			shares := make([]float64, len(labels))
			queryattack.S2(classes, matches, shares)
			s2 := object{}
			for c, p := range shares {
				if p > 0 {
					s2[labels[c]] = p
				}
			}
			return object{"matches": len(matches), "p_s1": queryattack.S1(len(matches)), "p_s2": s2}
		}
		return object{"strict": ask(false), "wildcard": ask(true)}, nil
	}),
}

// coded numbers the values of a column in the order of their first occurrence; "?" is missing.
func coded(values []string) (codes []int32, labels []string) {
	for _, v := range values {
		c := -1
		if v != "?" {
			if c = slices.Index(labels, v); c < 0 {
				c = len(labels)
				labels = append(labels, v)
			}
		}
		codes = append(codes, int32(c))
	}
	return codes, labels
}
