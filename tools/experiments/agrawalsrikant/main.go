// Command agrawalsrikant runs the experiments of Agrawal & Srikant 2000 in kind, accuracies of trees from randomised
// records by the privacy, and information loss by the privacy as in Agrawal & Aggarwal 2001. It prints a page of
// Markdown:
//
//	go run -C tools ./experiments/agrawalsrikant
//	go run -C tools ./experiments/agrawalsrikant -records 5000
//	go run -C tools ./experiments/agrawalsrikant -write ../docs
//
// Seeds are fixed, so every run prints the same figures.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "agrawalsrikant", Times: "records", Default: 100_000, Help: "that trees are grown " +
	"on", Print: print}

func main() { program.Main() }

//go:embed text.md
var text string

func print(ctx context.Context, p *rerun.Page, records int) error {
	var all []curves
	for f := 1; f <= 5; f++ {
		for _, noise := range noises {
			c, err := accuracies(ctx, f, noise, records)
			if err != nil {
				return fmt.Errorf("function %d, %s: %w", f, noise, err)
			}
			all = append(all, c)
		}
	}
	losses, err := informationLoss(ctx, records)
	if err != nil {
		return err
	}
	p.Beside("agrawalsrikant.svg", plot(all))
	_, err = strings.NewReplacer(
		"{{records}}",
		fmt.Sprint(records),
		"{{tested}}",
		fmt.Sprint(tested),
		"{{accuracies}}",
		strings.TrimSpace(rows(all)),
		"{{order}}",
		strings.TrimSpace(order(all)),
		"{{losses}}",
		strings.TrimSpace(losses),
	).WriteString(
		p,
		text,
	)
	return err
}
