// Command learned compares what the measure learned finds with the single attack of attributeinference, for twelve
// techniques on four public tables, and prints the page:
//
//	go run -C tools ./experiments/learned
//	go run -C tools ./experiments/learned -write ../docs
//
// The last writes the page into a folder. The data sets are looked for in the folder that DITHER_DATA names and,
// failing that, in ../shared/data. The seeds are fixed, so every run prints the same figures.
package main

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/attributedisclosure"
	"github.com/dither-data/dither/measure/learned"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{
	Name:    "learned",
	Times:   "runs",
	Default: 1,
	Help:    "releases by each technique",
	Print:   print,
}

func main() { program.Main() }

// techniques that apply to all four tables, one or two of each family.
var techniques = []string{
	"framework",
	"forestframework",
	"linfapt",
	"gadp",
	"egadp",
	"shuffle",
	"rankswap",
	"pram",
	"mdav",
	"kanonymise",
	"correlatednoise",
	"sap",
}

// data are the tables: a file, its class, what is dropped, and how many records are drawn.
var data = []struct {
	name, file, class string
	drop              []string
	categories        []string // numbers that are categories
	most              int
}{
	{"WBC", "wbc/wbc.csv", "class", []string{"id"}, []string{"mitoses", "bare_nuclei"}, 683},
	{"heart-c", "heart-c/heart-c.csv", "num", nil, []string{"sex", "cp", "fbs", "restecg", "exang", "slope", "thal"}, 297},
	{
		"CMC",
		"cmc/cmc.csv",
		"contraceptive_method",
		nil,
		[]string{"wife_religion", "wife_now_working", "husband_occupation", "media_exposure"},
		1473,
	},
	{"Adult", "adult/adult.csv", "income", []string{"fnlwgt", "education"}, nil, 4000},
}

// settings that differ from the defaults: the search of all levels is too long where many columns are known.
var settings = map[string]map[string]string{"kanonymise": {"search": "mondrian"}}

// seed makes a seed from words.
func seed(words ...any) rng.Seed {
	var bytes [32]byte
	r := rng.New([32]byte{7}).Fork(fmt.Sprint(words...)).Rand()
	for k := range bytes {
		bytes[k] = byte(r.Uint32())
	}
	return rng.SeedOf(bytes)
}

// halves returns two random halves of a table: the people of the release, and the hold-out.
func halves(ctx context.Context, k int) (people, holdout *table.Table, err error) {
	d := data[k]
	all, err := rerun.Read(ctx, d.file, d.drop...)
	if err != nil {
		return nil, nil, err
	}
	if all, err = rerun.Classed(rerun.Complete(all), d.class); err != nil {
		return nil, nil, err
	}
	if all, err = rerun.Categorical(all, d.categories...); err != nil {
		return nil, nil, err
	}
	order := rng.New(seed("halves")).Rand().Perm(all.Rows())
	n := min(d.most, len(order)) / 2
	return all.Gather(order[:n]), all.Gather(order[n : 2*n]), nil
}

// result is what one release gives.
type result struct {
	technique string
	fails     string // why there is none
	single    measure.Value
	alone     measure.Value    // without the hold-out
	steps     [3]measure.Value // who knows a third of the columns, two thirds, and all
	best      measure.Attack
}

// intruders know more and more of the columns.
func intruders(t *table.Table) (who [3]*intruder.Intruder) {
	class := t.Attr(t.WithRole(table.Class)).Name
	var names []string
	for _, a := range t.Attrs() {
		if a.Name != class {
			names = append(names, a.Name)
		}
	}
	for k := range who {
		who[k] = &intruder.Intruder{
			Name:   fmt.Sprintf("knows %d/3", k+1),
			Knows:  names[:len(names)*(k+1)/3],
			Secret: []string{class},
		}
	}
	return who
}

// try releases the people by a technique and measures.
func try(ctx context.Context, people, holdout *table.Table, name string, run int) (*result, error) {
	out := &result{technique: name}
	m, err := catalog.Method(name)
	if err != nil {
		return nil, err
	}
	p, err := study.Protect(
		ctx,
		study.Request{KeepOrder: true, Table: people, Method: m, Set: settings[name], Seed: seed(name, run)},
	)
	if err != nil {
		out.fails = err.Error()
		return out, ctx.Err()
	}
	r := &measure.Release{Original: people, Released: p.Released, Paired: true, Holdout: holdout}
	if err := study.WithPlan(r, p.Plan); err != nil {
		return nil, err
	}
	who := intruders(people)
	for k, w := range who {
		if out.steps[k], err = learned.New().Measure(ctx, r.Against(w), rng.New(seed(name))); err != nil {
			return nil, err
		}
	}
	out.best = out.steps[2].Detail.(measure.Assault).Attack()
	single := param.Default(&attributedisclosure.AttributeInferenceMeter{})
	single.Pairs = math.MaxInt // everybody
	if out.single, err = single.Measure(ctx, r.Against(who[2]), rng.New(seed(name))); err != nil {
		return nil, err
	}
	without := r.Against(who[2])
	without.Holdout, without.ExactHoldout = nil, nil
	out.alone, err = learned.New().Measure(ctx, without, rng.New(seed(name)))
	return out, err
}
