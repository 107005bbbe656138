package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/study"
)

// spreads are standard deviations of the noise, in per cent of the size of the (sub-)domain.
var spreads = []float64{1, 5, 10, 20, 33.33, 50, 100}

// noise compares amounts of noise by EDUDS: inside the intersections of the Forest Framework and, the same noise on the
// same numbers, over whole domains: LINNAPT of a tree with one leaf, which no attribute influences.
func noise(ctx context.Context, data []study.DataSet, repeats int) (in, over *study.Comparison, err error) {
	if in, err = spread(ctx, data, repeats, "forestframework", nil); err != nil {
		return nil, nil, err
	}
	over, err = spread(ctx, data, repeats, "linnapt", map[string]string{"minLeaf": "1000000"})
	return in, over, err
}

// spread compares the amounts of noise of one technique.
func spread(
	ctx context.Context,
	data []study.DataSet,
	repeats int,
	method string,
	set map[string]string,
) (*study.Comparison, error) {
	m, err := catalog.Method(method)
	if err != nil {
		return nil, err
	}
	q := request(data, repeats, "fletcher & islam 2015, amounts of noise")
	for _, s := range spreads {
		all := map[string]string{"spread": strconv.FormatFloat(s, 'g', -1, 64)}
		for name, v := range set {
			all[name] = v
		}
		q.Settings = append(q.Settings, study.Setting{Name: method + " " + all["spread"], Method: m, Set: all})
	}
	return compare(ctx, q, "eduds")
}

func printNoise(w io.Writer, in, over *study.Comparison) {
	fmt.Fprintf(w, "\n## What the amount of noise does to EDUDS\n\n%d folds, %d perturbations of each. Noise is the "+
		"standard deviation in per cent of the", in.Folds, in.Repeats)
	fmt.Fprintf(w, "\nsize of the interval it wraps around in: the sub-domain that an intersection of the Forest "+
		"Framework leaves, or the whole domain (LINNAPT of\n")
	fmt.Fprintf(w, "a tree with one leaf; categories and the class stay). The paper has 33.33 only.\n")
	for _, t := range []struct {
		title string
		c     *study.Comparison
	}{{"Inside the sub-domains", in}, {"Over the whole domain", over}} {
		fmt.Fprintf(w, "\n### %s\n\n", t.title)
		head(w, t.c, "noise")
		for s := range spreads {
			fmt.Fprintf(w, "| %g |", spreads[s])
			for d := range t.c.Data {
				v := t.c.Summary(d, s+1, 0, "")
				fmt.Fprintf(w, " %.3f ± %.3f |", v.Mean, v.SD)
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "\n%s\n", steps(t.c))
	}
}

// steps says on which data sets the score falls from every amount of noise to the next, and where it rises by more than
// the spread over the folds lets pass for chance.
func steps(c *study.Comparison) string {
	var falls, rises []string
	for d, data := range c.Data {
		var up []string
		steady := true
		for s := 1; s < len(spreads); s++ {
			mean, half := difference(c.Summary(d, s+1, 0, "").Folds, c.Summary(d, s, 0, "").Folds)
			steady = steady && mean <= 0
			if mean > 0 && (math.IsNaN(half) || mean > half) {
				up = append(up, fmt.Sprintf("%g to %g (%+.3f ± %.3f)", spreads[s-1], spreads[s], mean, half))
			}
		}
		if steady {
			falls = append(falls, title(data.Name))
		}
		if len(up) > 0 {
			rises = append(rises, title(data.Name)+" from "+strings.Join(up, " and "))
		}
	}
	return fmt.Sprintf(
		"It falls at every step on: %s. It rises, beyond the 95 %% interval over the folds, on: %s.",
		list(falls),
		list(rises),
	)
}
