package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// work is a technique on one of two tables of a million records: six numbers like Adult's, or twenty correlated normals, half of them
// confidential. Peer is what sdcMicro takes for the same work on the machine of an earlier measurement.
type work struct {
	method string
	wide   bool
	set    map[string]string
	peer   string
}

var works = []work{
	{"sadp", false, nil, "0.65 s"}, {"correlatednoise", false, nil, "0.8 to 1.2 s"}, {"kim", false, nil, "0.8 to 1.2 s"},
	{"multiplicativenoise", false, nil, ""}, {"shuffle", false, nil, "26 s"}, {"romm", false, nil, "21 s for 1,000 records"},
	{"cgadp", false, nil, ""}, {"sullivanfuller", false, nil, ""}, {"kimwinkler", false, nil, ""},
	{"gadp", true, nil, ""}, {"egadp", true, nil, ""},
}

// techniques times fitting and applying, without files.
func techniques(ctx context.Context, path string, sorted float64) error {
	adult, _, err := read(ctx, path)
	if err != nil {
		return err
	}
	var numeric []int
	for j := range adult.Width() {
		if adult.Attr(j).Kind == table.Numeric {
			numeric = append(numeric, j)
		}
	}
	narrow := adult.Select(numeric...)
	fmt.Println("| technique alone, 1,000,000 records | columns | seconds | sorts | sdcMicro |")
	fmt.Println("|---|--:|--:|--:|--:|")
	for _, w := range works {
		t := narrow
		if w.wide {
			t = normals(1_000_000, 20)
		}
		m, err := catalog.Method(w.method)
		if err != nil {
			return err
		}
		var times []float64
		for range 5 {
			runtime.GC()
			start := time.Now()
			if err := release(ctx, m, t, w.set); err != nil {
				return fmt.Errorf("%s: %w", w.method, err)
			}
			times = append(times, time.Since(start).Seconds())
		}
		slices.Sort(times)
		fmt.Printf("| %s | %d | %.3f | %.1f | %s |\n", w.method, t.Width(), times[2], times[2]/sorted, w.peer)
	}
	fmt.Println()
	return nil
}

func release(ctx context.Context, m protect.Method, t *table.Table, set map[string]string) error {
	q := m.New()
	if err := q.Params().Apply(set); err != nil {
		return err
	}
	p, err := q.Fit(ctx, t, rng.New([32]byte{1}))
	if err != nil {
		return err
	}
	_, err = protect.Execute(ctx, p, t, rng.New([32]byte{2}), protect.Options{})
	return err
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
