// Command roy reruns Tables 5.1 to 5.4 of Roy, records after perturbation and the misclassification error of k-means
// clusters, and prints a page of Markdown:
//
//	go run -C tools ./experiments/roy
//	go run -C tools ./experiments/roy -write ../docs
//
// The second writes the page into a folder. Seeds are fixed, so every run prints the same figures.
package main

import (
	"context"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{
	Name:    "roy",
	Times:   "seeds",
	Default: 20,
	Help:    "releases of every technique that draws",
	Print:   rerunning,
}

func main() { program.Main() }

func rerunning(ctx context.Context, p *rerun.Page, seeds int) error {
	sets, err := load(ctx)
	if err != nil {
		return err
	}
	return print(ctx, p, sets, seeds)
}
