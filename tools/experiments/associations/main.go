// Command associations recomputes Table 3.1 of Bertino, Nai Fovino & Parasiliti Provenza 2005 and shows which
// association rules of two public data sets survive ten techniques, as a page of Markdown:
//
//	go run -C tools ./experiments/associations
//	go run -C tools ./experiments/associations -repeats 1
//	go run -C tools ./experiments/associations -write ../docs
//
// The data sets are looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. Seeds are
// fixed, so every run prints the same figures.
package main

import (
	"context"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "associations", Times: "repeats", Default: 5, Help: "releases of each data set by " +
	"each technique", Print: print}

func main() { program.Main() }

func print(ctx context.Context, p *rerun.Page, repeats int) error {
	sets, err := load(ctx)
	if err != nil {
		return err
	}
	var rows []row
	for _, name := range techniques {
		r, err := survive(ctx, sets, name, repeats)
		if err != nil {
			return err
		}
		rows = append(rows, r)
	}
	p.Beside("jmeasure.svg", plot(table31))
	return page(p, table31, sets, rows, repeats)
}
