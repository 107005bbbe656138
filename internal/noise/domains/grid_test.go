package domains_test

import (
	"math"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/noise/domains"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestGrid(t *testing.T) {
	for _, c := range []struct{ lo, hi, step float64 }{
		{0, 120, 1}, {17, 90, 1}, {-50_000, 1e6, 1}, {0, 20, 1}, // whole numbers
		{0, 5, 0.1}, {0, 1, 0.01}, {0, 19, 0.1}, // too few of them
		{0, 9.99, 0.01}, {0.5, 100, 0.1}, {-0.001, 1e3, 0.001}, // the ends
		{0, 1e-8, 1e-9}, {math.Pi, 10, 1e-9}, // no finer than that
		{0, math.Inf(1), 0}, {math.Inf(-1), 0, 0}, {-1e308, 1e308, 0},
	} {
		if got := domains.Grid(table.Interval{Lo: c.lo, Hi: c.hi}); got != c.step {
			t.Errorf("the grid of %v to %v is %v, expected %v", c.lo, c.hi, got, c.step)
		}
	}
}

// What is declared stays; of the rest nothing that the records have does.
func TestPublic(t *testing.T) {
	c := func(step float64, domain, steps bool, dates calendar.Notation) table.Column {
		c := table.NumColumn("x", step, []float64{1, 2.5})
		c.Domain, c.Declared, c.StepDeclared, c.Dates = table.Interval{Lo: 0, Hi: 100}, domain, steps, dates
		return c
	}
	for _, k := range []struct {
		name string
		of   table.Column
		step float64
	}{
		{"nothing is declared", c(0.5, false, false, ""), 0},
		{"a domain is", c(0.5, true, false, ""), 1},
		{"a step is", c(0.5, false, true, ""), 0.5},
		{"both are", c(0.5, true, true, ""), 0.5},
		{"dates", c(1, false, false, calendar.ISO), 1},
	} {
		if got := domains.Public(tabletest.Must(k.of)).Attr(0).Step; got != k.step {
			t.Errorf("%s: the step is %v, expected %v", k.name, got, k.step)
		}
	}
}
