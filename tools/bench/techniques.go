package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// work is a technique on one of these tables: six numbers like Adult's, seven categorical columns like Adult's, or
// twenty correlated normals, half of them confidential, of a million records each; or Adult's 30,162 complete records.
// Peer is what others take for the same work on the machine of an earlier measurement.
type work struct {
	method string
	on     string
	set    map[string]string
	peer   string
}

const (
	numbers    = "6 numbers"
	categories = "7 categories"
	normal     = "20 normals"
	adult      = "30,162 of Adult"
	adult6     = "30,162 of Adult, 6 numbers"
)

var works = []work{
	{
		"sadp",
		numbers,
		nil,
		"sdcMicro 0.65 s",
	}, {"correlatednoise", numbers, nil, "sdcMicro 0.8 to 1.2 s"}, {"kim", numbers, nil, "sdcMicro 0.8 to 1.2 s"},
	{
		"multiplicativenoise",
		numbers,
		nil,
		"",
	}, {"shuffle", numbers, nil, "sdcMicro 26 s"}, {"romm", numbers, nil, "sdcMicro 21 s for 1,000 records"},
	{"cgadp", numbers, nil, ""}, {"sullivanfuller", numbers, nil, ""}, {"kimwinkler", numbers, nil, ""},
	{"gadp", normal, nil, ""}, {"egadp", normal, nil, ""},
	{
		"uma",
		numbers,
		set("k=3"),
		"sdcMicro 8.5 s",
	}, {"mdav", adult6, set("k=3"), "sdcMicro 5.1 s"}, {"mdav", numbers, set("k=10"), "sdcMicro 27 s for 100,000 records"},
	{
		"mdav",
		numbers,
		set("k=10 block=10000"),
		"",
	}, {"vmdav", numbers, set("k=10"), ""}, {"perturbationtree", numbers, nil, ""},
	{"perturbationtree", numbers, set("inside=microaggregate k=10"), ""},
	{
		"pram",
		categories,
		nil,
		"sdcMicro 30 s",
	}, {"warner", categories, nil, ""}, {"rankswap", numbers, nil, "sdcMicro over 280 s"},
	{
		"kanonymise",
		adult,
		set("k=5 suppression=0.04 columns=" + quasi),
		"ARX 1.1 s",
	}, {"kanonymise", adult, set("k=5 search=mondrian columns=" + quasi), ""},
	{"kanonymise", adult, set("k=5 search=genetic columns=" + quasi), ""},
	{"localsuppression", adult, set("k=3 missing=any keys=age,education,marital_status,race,sex"), "sdcMicro 33 s"},
	{"sap", adult, nil, ""},
}

// quasi are Adult's nine quasi-identifiers.
const quasi = "age,workclass,education,marital_status,occupation,relationship,race,sex,native_country"

// set returns parameters written as name=value, separated by blanks.
func set(text string) map[string]string {
	out := map[string]string{}
	for _, f := range strings.Fields(text) {
		name, value, _ := strings.Cut(f, "=")
		out[name] = value
	}
	return out
}

// techniques times fitting and applying, without files. Small and large are Adult and the table of a million records.
func techniques(ctx context.Context, small, large string, sorted float64) error {
	few, _, err := read(ctx, small)
	if err != nil {
		return err
	}
	many, _, err := read(ctx, large)
	if err != nil {
		return err
	}
	tables := map[string]*table.Table{
		adult:      classed(few),
		adult6:     of(few, table.Numeric, 6),
		numbers:    of(many, table.Numeric, 6),
		categories: of(many, table.Categorical, 7),
		normal:     normals(1_000_000, 20),
	}
	fmt.Println("| technique alone, 1,000,000 records unless said | parameters | on | seconds | sorts | others |")
	fmt.Println("|---|---|---|--:|--:|--:|")
	for _, w := range works {
		m, err := catalog.Method(w.method)
		if err != nil {
			return err
		}
		var times []float64
		for range 5 {
			runtime.GC()
			start := time.Now()
			if err := release(ctx, m, tables[w.on], w.set); err != nil {
				return fmt.Errorf("%s: %w", w.method, err)
			}
			times = append(times, time.Since(start).Seconds())
		}
		slices.Sort(times)
		fmt.Printf(
			"| %s | %s | %s | %.3f | %.1f | %s |\n",
			w.method,
			parameters(w.set),
			w.on,
			times[2],
			times[2]/sorted,
			w.peer,
		)
	}
	fmt.Println()
	return nil
}

// parameters writes the parameters of a work; columns are what the page says.
func parameters(set map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if name != "columns" {
			out = append(out, name+" "+set[name])
		}
	}
	return strings.Join(out, ", ")
}

// of returns the first columns of a kind.
func of(t *table.Table, k table.Kind, most int) *table.Table {
	var cols []int
	for j := range t.Width() {
		if t.Attr(j).Kind == k && len(cols) < most {
			cols = append(cols, j)
		}
	}
	return t.Select(cols...)
}

// classed returns the table with its last column as the class.
func classed(t *table.Table) *table.Table {
	cols := t.Columns()
	cols[len(cols)-1].Role = table.Class
	out, err := table.New(cols...)
	if err != nil {
		panic(err) // they are the columns of a table
	}
	return out
}

func release(ctx context.Context, m protect.Method, t *table.Table, set map[string]string) error {
	q := m.New()
	if err := q.Params().Apply(set); err != nil {
		return err
	}
	if h, ok := q.(protect.Hierarchical); ok {
		trees, err := hierarchies(t)
		if err != nil {
			return err
		}
		h.UseHierarchies(trees)
	}
	p, err := q.Fit(ctx, t, rng.New([32]byte{1}))
	if err != nil {
		return err
	}
	_, err = executor.Run(ctx, p, t, rng.New([32]byte{2}), protect.Options{})
	return err
}

// hierarchies reads those of Adult's quasi-identifiers that the table has.
func hierarchies(t *table.Table) (hierarchy.Set, error) {
	out := hierarchy.Set{}
	for _, name := range strings.Split(quasi, ",") {
		if t.Find(name) < 0 {
			continue
		}
		f, err := os.Open(filepath.Join("protect", "kanonymise", "testdata", name+".csv"))
		if err != nil {
			return nil, err
		}
		out[name], err = hierarchy.Parse(name, f)
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// normals returns correlated continuous columns, the first half of them confidential.
func normals(rows, width int) *table.Table {
	r := rand.New(rand.NewPCG(3, 4))
	common := make([]float64, rows)
	for i := range common {
		common[i] = r.NormFloat64()
	}
	var cols []table.Column
	for k := range width {
		v := make([]float64, rows)
		for i := range v {
			v[i] = float64(100*k) + 10*(common[i]+r.NormFloat64())
		}
		c := table.NumColumn("x"+strconv.Itoa(k), 0, v)
		if k < width/2 {
			c.Role = table.Confidential
		}
		cols = append(cols, c)
	}
	t, err := table.New(cols...)
	if err != nil {
		panic(err)
	}
	return t
}
