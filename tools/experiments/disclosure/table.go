package main

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/uncertainty"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// thesis is table 8.1 by the number of attributes known: class and record entropy, original and perturbed, in bits.
var thesis = [][4]float64{
	{.931, 9.229, .931, 9.229},
	{.503, 5.17, .970, 8.676},
	{0, 3, .955, 8.404},
	{0, 2.585, .86, 8.199},
	{0, 2.322, .835, 7.988},
	{0, 0, .747, 7.794},
	{0, 0, .56, 7.689},
	{0, 0, .434, 7.328},
	{0, 0, .34, 6.78},
	{0, 0, .311, 6.643},
}

// releases is how many releases the figures that are not of one release are averaged over, and orders over how many
// orders each.
const releases, orders = 10, 20

func run(ctx context.Context, folder string) error {
	t, row, err := training(ctx)
	if err != nil {
		return err
	}
	fmt.Printf(
		"# Table 8.1 of Islam 2007, rerun\n\n%d training records of WBC; the chosen one is row %d, number %d.\n",
		t.Rows(),
		row+1,
		chosen,
	)
	r, err := protect(ctx, t, "paper", 0)
	if err != nil {
		return err
	}
	order := greedy(t, row)
	set := map[string]string{"order": strings.Join(order, ","), "record": strconv.Itoa(row + 1)}
	one, err := curves(ctx, r, set)
	if err != nil {
		return err
	}
	plain, err := curves(ctx, withoutWrapping(r), set)
	if err != nil {
		return err
	}
	printChosen(one, plain, order)
	printUnique(t, row)
	if err := printMeans(ctx, t, row); err != nil {
		return err
	}
	if folder == "" {
		return nil
	}
	return draw(ctx, folder, r, row, one)
}

// pair is the curve with the class of a record taken from its leaf, and as it stands in the file.
type pair struct{ leaf, record uncertainty.KnowledgeDetail }

func curves(ctx context.Context, r *measure.Release, set map[string]string) (p pair, err error) {
	for from, d := range map[string]*uncertainty.KnowledgeDetail{"leaf": &p.leaf, "record": &p.record} {
		m := uncertainty.Knowledge.New()
		if err := m.Params().Apply(map[string]string{"minLeaf": "2", "targets": "600", "classFrom": from}); err != nil {
			return p, err
		}
		if err := m.Params().Apply(set); err != nil {
			return p, err
		}
		v, err := m.Measure(ctx, r, rng.New(seedOf("orders", 0)))
		if err != nil {
			return p, err
		}
		*d = v.Detail.(uncertainty.KnowledgeDetail)
	}
	return p, nil
}

// columns are those of a table, after the first.
const columns = " thesis: original H_c | H_RI | perturbed H_c | H_RI |" +
	" ours: original H_c by record | by leaf | H_RI | perturbed H_c by record | by leaf | H_RI |"

// unexplained says which column of the thesis the command does not reproduce.
const unexplained = "The class entropies of the release (perturbed H_c) are not reproduced, and why is not known."

func printChosen(p, plain pair, order []string) {
	fmt.Printf("\n## The chosen record, one release\n\nThe attributes become known in the order that narrows down the "+
		"record fastest in the unperturbed file.\n"+
		"Entropies in bits. "+unexplained+"\n\n| known |%s without wrap-around H_c by record | H_RI | attribute |\n"+
		"|--:|%s---|\n", columns, strings.Repeat("--:|", 12))
	for k := len(order); k >= 0; k-- {
		name := ""
		if k > 0 {
			name = order[k-1]
		}
		printRow(
			k,
			append(
				figures(p.leaf.Chosen[k], p.record.Chosen[k]),
				*plain.record.Chosen[k].Released.Class,
				plain.leaf.Chosen[k].Released.Record,
			),
			name,
		)
	}
}

// figures are the entropies of a line of the table, ours.
func figures(leaf, record uncertainty.Point) []float64 {
	return []float64{
		*record.Original.Class,
		*leaf.Original.Class,
		leaf.Original.Record,
		*record.Released.Class,
		*leaf.Released.Class,
		leaf.Released.Record,
	}
}

// printRow prints the thesis's figures and ours.
func printRow(k int, ours []float64, rest ...string) {
	fmt.Printf("| %d |", k)
	for _, v := range append(thesis[k][:len(thesis[k]):len(thesis[k])], ours...) {
		fmt.Printf(" %.3f |", v)
	}
	for _, s := range rest {
		fmt.Printf(" %s |", s)
	}
	fmt.Println()
}

func printUnique(t *table.Table, row int) {
	fmt.Println("\nOf the sets of so many attributes, those that single the chosen record out in the unperturbed file, " +
		"and a record on average:")
	fmt.Println("\n| attributes | sets | chosen record | mean of all records |\n|--:|--:|--:|--:|")
	sets, own, all := make([]int, t.Width()), make([]int, t.Width()), make([]int, t.Width())
	for set := range 1 << (t.Width() - 1) {
		k := bits.OnesCount(uint(set))
		sets[k]++
		for i, n := range alike(t, set) {
			if n == 1 {
				all[k]++
				if i == row {
					own[k]++
				}
			}
		}
	}
	for k := 1; k < t.Width(); k++ {
		fmt.Printf("| %d | %d | %d | %.1f |\n", k, sets[k], own[k], float64(all[k])/float64(t.Rows()))
	}
}

// printMeans prints what several releases and orders give on average: for the chosen record, and for all.
func printMeans(ctx context.Context, t *table.Table, row int) error {
	var all, ours [10][6]float64
	var h, c []float64
	for k := range releases {
		r, err := protect(ctx, t, "paper", k)
		if err != nil {
			return err
		}
		p, err := curves(ctx, r, map[string]string{"orders": strconv.Itoa(orders), "record": strconv.Itoa(row + 1)})
		if err != nil {
			return err
		}
		add(&all, p.leaf.Curve, p.record.Curve)
		add(&ours, p.leaf.Chosen, p.record.Chosen)
		d, e, err := full(ctx, r)
		if err != nil {
			return err
		}
		h, c = append(h, d...), append(c, e...)
	}
	for _, x := range []struct {
		title string
		rows  *[10][6]float64
	}{{"The chosen record", &ours}, {"All 600 records", &all}} {
		fmt.Printf(
			"\n## %s, mean over %d releases and %d random orders each\n\n| known |%s\n|--:|%s\n",
			x.title,
			releases,
			orders,
			columns,
			strings.Repeat("--:|", 10),
		)
		for k := len(x.rows) - 1; k >= 0; k-- {
			printRow(k, x.rows[k][:])
		}
	}
	printSpread("influential=paper", h, c)
	return printKept(ctx, t)
}

// printKept prints the figures of releases that keep influential values.
func printKept(ctx context.Context, t *table.Table) error {
	var h, c []float64
	for k := range releases {
		r, err := protect(ctx, t, "keep", k)
		if err != nil {
			return err
		}
		d, e, err := full(ctx, r)
		if err != nil {
			return err
		}
		h, c = append(h, d...), append(c, e...)
	}
	printSpread("influential=keep", h, c)
	return nil
}

func add(to *[10][6]float64, leaf, record []uncertainty.Point) {
	for k, l := range leaf {
		for j, v := range figures(l, record[k]) {
			to[k][j] += v / releases
		}
	}
}

// full returns the entropies of all records with everything known.
func full(ctx context.Context, r *measure.Release) (h, c []float64, err error) {
	for _, m := range []measure.Meter{uncertainty.Reidentification.New(), uncertainty.ClassDisclosure.New()} {
		if err := m.Params().Apply(map[string]string{"minLeaf": "2"}); err != nil {
			return nil, nil, err
		}
		v, err := m.Measure(ctx, r, rng.Source{})
		if err != nil {
			return nil, nil, err
		}
		switch d := v.Detail.(type) {
		case uncertainty.ReidentificationDetail:
			h = d.H
		case uncertainty.ClassDisclosureDetail:
			c = d.H
		}
	}
	return h, c, nil
}

func printSpread(setting string, h, c []float64) {
	a, b := (&uncertainty.Rule{Threshold: 2.45}).Summarise(h), (&uncertainty.Rule{}).Summarise(c)
	fmt.Printf("\nWith all nine attributes known, %d releases of 600 records, %s; %.1f %% of the persons have an H_RI "+
		"below 2.45 bits:\n\n",
		releases, setting, 100*a.Below)
	fmt.Printf("| | mean | s.d. | smallest | largest |\n|---|--:|--:|--:|--:|\n")
	fmt.Printf("| H_RI | %.3f | %.3f | %.3f | %.3f |\n", a.Mean, a.SD, slices.Min(h), slices.Max(h))
	fmt.Printf("| H_c by leaf | %.3f | %.3f | %.3f | %.3f |\n", b.Mean, b.SD, slices.Min(c), slices.Max(c))
}
