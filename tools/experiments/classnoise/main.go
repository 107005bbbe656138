// Command classnoise reruns the experiments of Islam 2007 on noise in the class attribute, chapters 4 and 9, and prints
// our figures beside the thesis's:
//
//	go run -C tools ./experiments/classnoise
//	go run -C tools ./experiments/classnoise -subsets 2
//	go run -C tools ./experiments/classnoise -write ../docs
//
// The last writes the page into a folder. The data sets are looked for in the folder that DITHER_DATA names and,
// failing that, in ../shared/data. Seeds are fixed, so every run prints the same figures.
package main

import (
	"context"
	"fmt"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "classnoise", Times: "subsets", Default: 10, Help: "training sets drawn of every " +
	"data set", Print: rerunning}

func main() { program.Main() }

// releases of every training set by every technique.
const releases = 10

// epochs of a network that is trained without early stopping.
const epochs = 1000

func rerunning(ctx context.Context, p *rerun.Page, subsets int) error {
	var results []*result
	for k := range sets {
		r, err := sets[k].study(ctx, subsets)
		if err != nil {
			return fmt.Errorf("%s: %w", sets[k].title, err)
		}
		results = append(results, r)
	}
	return print(p, results, subsets)
}
