// Command foundbounds holds the bounds of the measure found against releases of which everybody was counted, and prints
// a page of Markdown:
//
//	go run -C tools ./experiments/foundbounds
//	go run -C tools ./experiments/foundbounds -calls 3
//	go run -C tools ./experiments/foundbounds -write ../docs
//
// Tables are invented and seeds fixed, so every run prints the same figures.
package main

import (
	"context"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "foundbounds", Times: "calls", Default: 5, Help: "calls of the measure for each " +
	"release", Print: print}

func main() { program.Main() }

// alike and others are how many releases have attackers of nearly equal strength, and have not.
const alike, others = 50, 150

func print(ctx context.Context, p *rerun.Page, calls int) error {
	var results []result
	for want := map[bool]int{true: alike, false: others}; want[true]+want[false] > 0; {
		r, err := hold(ctx, len(results), calls, func(near bool) bool { return want[near] > 0 })
		if err != nil {
			return err
		}
		if r.calls != nil {
			want[r.near]--
		}
		results = append(results, r)
	}
	return page(p, results)
}
