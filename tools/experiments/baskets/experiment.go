package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/noise/maskeditems"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// release is a technique with its parameters.
type release struct{ technique, set string }

// experiment is what is mined: itemsets of such a support.
type experiment struct {
	*table.Table
	support  float64
	releases []release
}

// frequent is what is frequent in the original.
type frequent struct {
	shares  map[string]float64 // support by itemset, as fmt.Sprint writes it
	lengths []int              // how many itemsets of 1, 2, ... items
}

// tally is those of the papers, of itemsets of one length.
type tally struct {
	found   int     // of these
	besides int     // found besides
	support float64 // sum of the relative errors of those found
}

// run releases and mines, and writes a line for every operator and length.
func (e *experiment) run(ctx context.Context, repeats int) (string, error) {
	c, err := basket.New(e.Table, basket.Options{})
	if err != nil {
		return "", err
	}
	truth, err := e.truth(ctx, c)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| operator | items | frequent | support error | not found | found besides |\n" +
		"|---|--:|--:|--:|--:|--:|\n")
	for _, r := range e.releases {
		sums := make([]tally, len(truth.lengths))
		for n := range repeats {
			found, err := e.mine(ctx, c, r, n)
			if err != nil {
				return "", fmt.Errorf("%s, %s: %w", r.technique, r.set, err)
			}
			e.compare(found, truth, sums)
		}
		for k, s := range sums {
			all := truth.lengths[k]
			fmt.Fprintf(&b, "| %s, %s | %d | %d | %s |\n", r.technique, r.set, k+1, all, s.cells(float64(all*repeats)))
		}
	}
	return b.String(), nil
}

// truth mines the original.
func (e *experiment) truth(ctx context.Context, c *basket.Coding) (*frequent, error) {
	rows, err := c.Code(e.Table)
	if err != nil {
		return nil, err
	}
	f := &frequent{shares: map[string]float64{}}
	visit := func(items []int32, count int) bool {
		f.shares[fmt.Sprint(items)] = float64(count) / float64(rows.Len())
		for len(f.lengths) < len(items) {
			f.lengths = append(f.lengths, 0)
		}
		f.lengths[len(items)-1]++
		return true
	}
	_, err = itemset.LCM(ctx, rows, itemset.Query{Least: itemset.Least(e.support, rows.Len()), Visit: visit})
	return f, err
}

// compare adds what was found in one release to the sums by length.
func (e *experiment) compare(found []maskeditems.Found, truth *frequent, sums []tally) {
	for _, f := range found {
		k := len(f.Items) - 1
		s, ok := truth.shares[fmt.Sprint(f.Items)]
		switch {
		case f.Share < e.support:
		case ok:
			sums[k].found++
			sums[k].support += math.Abs(f.Share-s) / s
		case k < len(sums):
			sums[k].besides++
		}
	}
}

// cells are the support error and the shares not found and found besides, of so many frequent itemsets in all releases.
func (t tally) cells(all float64) string {
	of := "–"
	if t.found > 0 {
		of = fmt.Sprintf("%.1f %%", 100*t.support/float64(t.found))
	}
	return fmt.Sprintf("%s | %.1f %% | %.1f %%", of, 100*(1-float64(t.found)/all), 100*float64(t.besides)/all)
}

// mine releases the table for the n-th time and estimates its itemsets.
func (e *experiment) mine(ctx context.Context, c *basket.Coding, r release, n int) ([]maskeditems.Found, error) {
	plan, err := e.plan(ctx, r)
	if err != nil {
		return nil, err
	}
	src := rng.New(sha256.Sum256(fmt.Appendf(nil, "%s %s %d", r.technique, r.set, n)))
	out, err := executor.Run(ctx, plan, e.Table, src, protect.Options{})
	if err != nil {
		return nil, err
	}
	law := modelfile.Model{Release: modelfile.Release{Records: out.Rows()}}
	if law.Parts, err = plan.(protect.Published).Published(); err != nil {
		return nil, err
	}
	for k := range law.Parts {
		if s := law.Parts[k].Sizes; s != nil {
			sets := e.Sets(0)
			s.Records = make([]int, out.Rows())
			for i := range s.Records {
				s.Records[i] = len(sets.Present.Row(i))
			}
		}
	}
	release, err := maskeditems.New(out, c, &law)
	if err != nil {
		return nil, err
	}
	found, _, err := release.Find(ctx, e.support)
	return found, err
}

// plan fits the technique. Randomised response at gamma 19 has a probability to stay for every number of categories, so
// that the factors of the columns multiply to 19.
func (e *experiment) plan(ctx context.Context, r release) (protect.Plan, error) {
	m, err := catalog.Method(r.technique)
	if err != nil {
		return nil, err
	}
	q, set := m.New(), map[string]string{}
	if r.set == "gamma 19" {
		m, err = catalog.Method("pram")
		if err != nil {
			return nil, err
		}
		q = m.New()
		odds := math.Pow(19, 1/float64(e.Width()))
		var keep []string
		for j, k := range categories(e.Table) {
			keep = append(keep, fmt.Sprintf("%s=%v", e.Attr(j).Name, odds/(odds+float64(k)-1)))
		}
		set["matrices"] = strings.Join(keep, ", ")
	} else {
		for part := range strings.SplitSeq(r.set, ", ") {
			name, value, _ := strings.Cut(part, "=")
			set[name] = value
		}
	}
	if err := q.Params().Apply(set); err != nil {
		return nil, err
	}
	return protect.Fit(ctx, q, e.Table, rng.New([32]byte{1}))
}

// cuts are those at which the numbers of the paper's CENSUS data are made categories: 4 x 5 x 5 x 5 x 2 x 2 = 2,000
// combinations.
var cuts = map[string][]float64{"age": {35, 55, 75}, "fnlwgt": {1e5, 2e5, 3e5, 4e5}, "hours_per_week": {20, 40, 60, 80}}

// census returns the six attributes of Adult, numbers cut, and countries as the United States or another, without
// records that lack one.
func census(ctx context.Context) (*table.Table, error) {
	t, err := rerun.Read(ctx, "adult/adult.csv")
	if err != nil {
		return nil, err
	}
	var cols []table.Column
	for _, name := range []string{"age", "fnlwgt", "hours_per_week", "race", "sex", "native_country"} {
		j := t.Find(name)
		if j < 0 {
			return nil, fmt.Errorf("there is no column %q", name)
		}
		cols = append(cols, category(t.Column(j)))
	}
	all, err := table.New(cols...)
	if err != nil {
		return nil, err
	}
	return rerun.Complete(all), nil
}

// category returns a column of the census as categories.
func category(c table.Column) table.Column {
	codes := make([]int32, c.Len())
	if at, ok := cuts[c.Name]; ok {
		labels := []string{}
		for k := range len(at) + 1 {
			labels = append(labels, fmt.Sprint("interval ", k+1))
		}
		for i, v := range c.Num {
			codes[i] = -1
			if v == v {
				codes[i] = 0
				for _, limit := range at {
					if v > limit {
						codes[i]++
					}
				}
			}
		}
		return table.CatColumn(c.Name, labels, codes)
	}
	if c.Name != "native_country" {
		return table.CatColumn(c.Name, c.Labels, c.Cat)
	}
	for i, v := range c.Cat {
		switch {
		case v < 0:
			codes[i] = -1
		case c.Labels[v] != "United-States":
			codes[i] = 1
		}
	}
	return table.CatColumn(c.Name, []string{"United States", "another"}, codes)
}

func names(t *table.Table) (out []string) {
	for _, a := range t.Attrs() {
		out = append(out, a.Name)
	}
	return out
}

func categories(t *table.Table) (out []int) {
	for _, a := range t.Attrs() {
		out = append(out, len(a.Labels))
	}
	return out
}

// asSets returns the records of categories as sets of items, one for every value.
func asSets(t *table.Table) *table.Table {
	var labels []string
	first := make([]int32, t.Width())
	for j, a := range t.Attrs() {
		first[j] = int32(len(labels))
		for _, l := range a.Labels {
			labels = append(labels, a.Name+"="+l)
		}
	}
	sets := make([][]int32, t.Rows())
	for i := range sets {
		for j := range t.Width() {
			sets[i] = append(sets[i], first[j]+t.Cat(j)[i])
		}
	}
	out, err := table.New(table.SetColumn("items", labels, table.SetsOf(sets, nil)))
	if err != nil {
		panic(err)
	}
	return out
}
