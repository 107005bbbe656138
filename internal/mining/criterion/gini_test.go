package criterion

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// Every cut is what counting the records on both sides anew gives.
func TestCutsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(1, 3).Draw(t, "classes")
		cells := make([]float64, classes*rapid.IntRange(1, 6).Draw(t, "cells"))
		for at := range cells {
			cells[at] = float64(rapid.IntRange(0, 4).Draw(t, "records"))
		}
		cells[0]++
		visited := 0
		Cuts(cells, classes, func(c Cut) {
			if c.Behind != visited {
				t.Fatalf("cut %d comes as number %d", c.Behind, visited)
			}
			visited++
			all, impure := 0.0, 0.0
			for _, side := range [][]float64{cells[:(c.Behind+1)*classes], cells[(c.Behind+1)*classes:]} {
				counts, n := make([]float64, classes), 0.0
				for at, v := range side {
					counts[at%classes] += v
					n += v
				}
				all += n
				gini := 1.0
				for _, v := range counts {
					gini -= v / n * v / n
				}
				if n > 0 {
					impure += n * gini
				}
			}
			if math.Abs(c.Gini-impure/all) > 1e-12 {
				t.Fatalf("cut %d of %v: gini %v, expected %v", c.Behind, cells, c.Gini, impure/all)
			}
		})
		if visited != len(cells)/classes-1 {
			t.Fatalf("%d cuts of %d cells", visited, len(cells)/classes)
		}
	})
}
