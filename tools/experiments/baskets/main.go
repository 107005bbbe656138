// Command baskets runs the experiments of the papers on records that are released at random: MASK and cut-and-paste by
// itemset length, FRAPP beside the others at gamma 19; and it compares the operators. It prints a page of Markdown:
//
//	go run -C tools ./experiments/baskets
//	go run -C tools ./experiments/baskets -repeats 1
//	go run -C tools ./experiments/baskets -write ../docs
//
// The data sets are looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. Seeds are
// fixed, so every run prints the same figures.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/dither-data/dither/internal/noise/operators"
	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "baskets", Times: "repeats", Default: 3, Help: "releases of each data set by each " +
	"operator", Print: print}

func main() { program.Main() }

//go:embed text.md
var text string

func print(ctx context.Context, p *rerun.Page, repeats int) error {
	t10, err := rerun.Read(ctx, "t10i4d100k/t10i4d100k.dat")
	if err != nil {
		return err
	}
	people, err := census(ctx)
	if err != nil {
		return err
	}
	return page(ctx, p, t10, people, repeats)
}

// page writes the text with the tables in place of their marks.
func page(ctx context.Context, w io.Writer, baskets, people *table.Table, repeats int) error {
	pairs := []string{
		"{{repeats}}",
		fmt.Sprint(repeats),
		"{{records}}",
		fmt.Sprint(baskets.Rows()),
		"{{people}}",
		fmt.Sprint(people.Rows()),
		"{{p}}",
		fmt.Sprintf("%.4f", maskAt19),
		"{{gammaOfCut}}",
		fmt.Sprintf("%.2f", randomised.CutAndPaste(6, 3, 0.494).Gamma()),
	}
	for mark, e := range map[string]experiment{
		"{{mask}}": {baskets, 0.0025, []release{{"mask", "p=0.9"}, {"mask", "p=0.7"}, {"emask", "p=0.5, q=0.97"}}},
		"{{cut}}": {baskets, 0.01, []release{{"cutandpaste", "most=7, rho=0.02"}, {"cutandpaste", "most=7, rho=0.1"},
			{"cutandpaste", "most=3, rho=0.1"}}},
		"{{frapp}}": {people, 0.02, []release{{"frapp", "gamma=19"}, {"frapp", "gamma=19, spread=0.5"},
			{"warner", "gamma 19"}}},
		"{{bits}}": {asSets(people), 0.02, []release{{"mask", fmt.Sprintf("p=%v", maskAt19)},
			{"cutandpaste", "most=3, rho=0.494"}}},
	} {
		rows, err := e.run(ctx, repeats)
		if err != nil {
			return err
		}
		pairs = append(pairs, mark, strings.TrimSpace(rows))
	}
	sets, err := beside(
		ctx,
		&modelfile.Part{Columns: []string{baskets.Attr(0).Name}, Items: &modelfile.Items{One: 0.9, Zero: 0.9}},
		baskets,
	)
	if err != nil {
		return err
	}
	record, err := beside(
		ctx,
		&modelfile.Part{Columns: names(people), Record: &modelfile.Record{Gamma: 19, Categories: categories(people)}},
		people,
	)
	if err != nil {
		return err
	}
	pairs = append(pairs, "{{sets}}", strings.TrimSpace(sets), "{{categories}}", strings.TrimSpace(record))
	_, err = strings.NewReplacer(pairs...).WriteString(w, text)
	return err
}

// maskAt19 is the probability of MASK at which the odds of two records of six attributes, which differ in twelve bits,
// change by 19 at most.
var maskAt19 = func() float64 {
	odds := math.Pow(19, 1.0/12)
	return odds / (1 + odds)
}()

// beside compares the operators that are usual for columns.
func beside(_ context.Context, p *modelfile.Part, t *table.Table) (string, error) {
	names, parts, err := operators.Usual(p, t)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| operator | gamma of | gamma | epsilon | condition number, 1 to 3 items | error, 1 to 3 items | " +
		"breach, 1 to 3 items |\n|---|---|---|---|---|---|---|\n")
	for k := range parts {
		s, ok := operators.Of(names[k], &parts[k], t)
		if !ok {
			continue
		}
		f := randomised.Compare(s, float64(t.Rows()), 0.01, 3)
		each := func(of func(x *randomised.SizeFigures) float64, format string) string {
			var out []string
			for i := range f.Items {
				if v := of(&f.Items[i]); v == v {
					out = append(out, fmt.Sprintf(format, v))
				}
			}
			return strings.Join(out, ", ")
		}
		fmt.Fprintf(
			&b,
			"| %s | %s | %.4g | %.3g | %s | %s | %s |\n",
			f.Name,
			f.Of,
			f.Gamma,
			f.Epsilon,
			each(func(x *randomised.SizeFigures) float64 { return x.Condition }, "%.3g"),
			each(
				func(x *randomised.SizeFigures) float64 { return 100 * x.Error },
				"%.2g %%",
			),
			each(func(x *randomised.SizeFigures) float64 { return x.Breach }, "%.2g"),
		)
	}
	return b.String(), nil
}
