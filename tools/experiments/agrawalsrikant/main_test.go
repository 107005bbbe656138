package main

import (
	"strings"
	"testing"
)

// With 3,000 records of function 1 the order is that of the paper already, and the page's tables and plot have all of
// it.
func TestAccuracies(t *testing.T) {
	c, err := accuracies(t.Context(), 1, "uniform", 3000)
	if err != nil {
		t.Fatal(err)
	}
	last := len(levels) - 1
	original, byClass, global, face := c.right[0][last], c.right[1][last], c.right[3][last], c.right[4][last]
	if original < 0.95 || byClass < global+0.05 || face > byClass-0.1 {
		t.Errorf("at %v %%: %v", levels[last], c.right)
	}
	if got := rows([]curves{c}); strings.Count(got, "\n") != 2+len(levels) {
		t.Error(got)
	}
	if got := plot([]curves{c}); strings.Count(got, "<polyline") != len(algorithms) ||
		!strings.Contains(got, "function 1, uniform noise") {
		t.Error(got)
	}
	if got := order([]curves{c}); !strings.Contains(got, "ByClass is better than Global in") {
		t.Error(got)
	}
}
