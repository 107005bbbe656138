// Command bench measures dither's speed and memory as ratios to yardsticks measured in the same run:
//
//	go run -C tools ./bench          30,162 and 1,000,000 records
//	go run -C tools ./bench -ladder  also 100,000 to 10,000,000 records (needs 5 GB of disk and 6 GB of memory)
//	go run -C tools ./bench -alone   techniques alone, without files and trees
//	go run -C tools ./bench -every   every technique and every measure on 10,000, 100,000 and 1,000,000 records
//	go run -C tools ./bench -rows 100000000 -table ../census.csv   writes such a table, larger than a memory (11 GB), and measures nothing
//	go run -C tools ./bench -larger -sizes 1000000,10000000   protects such tables within -memory 2GiB, and says what that takes
//	go run -C tools ./bench -larger -mining -sizes 10000000 -memory 0.5GiB   mines such tables, and as many transactions, within a memory
//	go run -C tools ./bench -verdict protect with its verdict and without, in pairs, and evaluate with every measure
//	go run -C tools ./bench -related protect with units and relations and without, in turns; with -verdict judged, too
//	go run -C tools ./bench -mining  frequent itemsets of public files and of 10,000 to 10,000,000 transactions (needs 4 GB of memory)
//
// With -mining -parts million,growth measures these tables alone. With -every what is finished is kept in the file of
// -resume, and so it goes on where it was stopped. With the last three -write ../docs/speed.md puts the tables into
// that page.
//
// The tables are Adult's complete records resampled with jitter on the numbers. Adult is looked for in the folder that
// DITHER_DATA names and, failing that, in shared/data beside the checkout.
package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	_ "github.com/dither-data/dither/format/all"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

func main() {
	ladder := flag.Bool("ladder", false, "also 100,000 to 10,000,000 records")
	alone := flag.Bool("alone", false, "techniques alone, without files and trees")
	each := flag.Bool("every", false, "every technique and every measure")
	mining := flag.Bool("mining", false, "frequent itemsets")
	over := flag.Bool("larger", false, "tables larger than the memory, of -sizes, within -memory")
	verdict := flag.Bool("verdict", false, "protect with its verdict and without")
	related := flag.Bool("related", false, "protect with units and relations and without")
	pairs := flag.Int("pairs", 3, "with -verdict and -related: `pairs` of runs")
	judged := flag.String("methods", "extframework,segmentsynthesis", "with -verdict: the `techniques`, with commas "+
		"between")
	memory := flag.String("memory", "2GiB", "with -larger: the memory that each may take, in `GiB`")
	method := flag.String("method", "framework", "with -larger: the `technique`")
	parts := flag.String("parts", "", "with -mining: only these `tables` of files, million and growth, with commas "+
		"between")
	sizes := flag.String("sizes", "10000,100000,1000000", "with -every and -larger: `records`, with commas between")
	limit := flag.Duration("limit", 10*time.Second, "with -every: stop an entry after so long")
	resume := flag.String("resume", filepath.Join(os.TempDir(), "dither-every.jsonl"), "with -every: keep what is "+
		"finished in this `file`")
	page := flag.String("write", "", "with -every, -larger, -verdict or -mining: put the tables into this `page`")
	rows := flag.Int("rows", 1_000_000, "with -table and -related: how many `records`")
	only := flag.String("table", "", "write a table like those that are measured into this `file`, and measure nothing")
	flag.Parse()
	rerun.Main("bench", func(ctx context.Context) error {
		switch {
		case *only != "" && *related:
			return stays(*only, *rows, false)
		case *only != "":
			return tableOf(*only, *rows)
		case *over && *mining:
			return mineLarger(ctx, *sizes, *memory, *page)
		case *over:
			return benchLarger(ctx, *sizes, *memory, *method, *page)
		case *related:
			return benchRelated(*rows, *pairs, *verdict, *page)
		case *verdict:
			return benchVerdict(*judged, *pairs, *page)
		case *mining:
			return benchMining(ctx, *parts, *page)
		case *each:
			return benchEvery(ctx, *sizes, *limit, *resume, *page)
		}
		return bench(ctx, *ladder, *alone)
	})
}

// tableOf writes a table of so many records.
func tableOf(path string, n int) error {
	adult, err := complete()
	if err != nil {
		return err
	}
	return write(path, adult, n)
}

// benchEvery prints the table of every technique and every measure, or puts it into a page.
func benchEvery(ctx context.Context, sizes string, limit time.Duration, resume, page string) error {
	e := &every{limit: limit}
	var err error
	if e.sizes, err = sizesOf(sizes); err != nil {
		return err
	}
	adult, err := complete()
	if err != nil {
		return err
	}
	f, err := e.resume(resume)
	if err != nil {
		return err
	}
	defer f.Close()
	dir, err := os.MkdirTemp("", "dither-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := e.run(ctx, dir, adult); err != nil {
		return err
	}
	var text strings.Builder
	e.print(&text)
	return published(page, beginEvery, text.String())
}

// published prints a text, or puts it into a page behind its mark.
func published(page, begin, text string) error {
	if page == "" {
		_, err := fmt.Print(text)
		return err
	}
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(into(string(old), begin, text)), 0o644)
}

// built builds the command in a folder of its own.
func built() (dir, exe string, err error) {
	if dir, err = os.MkdirTemp("", "dither-bench"); err != nil {
		return "", "", err
	}
	exe = filepath.Join(dir, "dither")
	c := exec.Command("go", "build", "-o", exe, "./cmd/dither")
	c.Dir = ".."                                  // the main module: go run -C tools runs this program in the folder tools
	c.Env = append(os.Environ(), "CGO_ENABLED=0") // a start that loads no C libraries takes 1.3 ms less
	if out, err := c.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", "", fmt.Errorf("go build: %s", out)
	}
	return dir, exe, nil
}

func bench(ctx context.Context, ladder, alone bool) error {
	dir, exe, err := built()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	adult, err := complete()
	if err != nil {
		return err
	}
	fmt.Printf(
		"# Speed and memory\n\n%d cores. Medians; a ratio says how many times the yardstick.\n\n",
		runtime.GOMAXPROCS(0),
	)
	sorted := yardstick.Sort().Seconds()
	fmt.Printf("Yardstick: `slices.Sort` of 1,000,000 random float64 takes %.3f s.\n\n", sorted)
	files, err := tables(dir, adult, ladder)
	if err != nil {
		return err
	}
	if alone {
		return techniques(ctx, files[0].path, files[1].path, sorted)
	}
	// The processes come first: a child's peak memory counts from that of its parent, which is still small.
	runs, err := processes(dir, exe, files)
	if err != nil {
		return err
	}
	if err := library(ctx, files, sorted); err != nil {
		return err
	}
	if err := compare(ctx, files, runs); err != nil {
		return err
	}
	k := slices.IndexFunc(files, func(f file) bool { return f.records == 1_000_000 })
	return techniques(ctx, files[0].path, files[k].path, sorted)
}

// file is one table of the ladder.
type file struct {
	path    string
	records int
	mb      float64
}

// run is one run of the command.
type run struct{ secs, peak float64 }

// tables writes the tables of the ladder; the first is Adult itself.
func tables(dir string, adult [][]string, ladder bool) ([]file, error) {
	sizes := []int{len(adult) - 1, 1_000_000}
	if ladder {
		sizes = []int{len(adult) - 1, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000}
	}
	var files []file
	for _, n := range sizes {
		path := filepath.Join(dir, strconv.Itoa(n)+".csv")
		if err := write(path, adult, n); err != nil {
			return nil, err
		}
		st, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		files = append(files, file{path, n, float64(st.Size()) / (1 << 20)})
	}
	return files, nil
}

// library times the parts inside this process.
func library(ctx context.Context, files []file, sorted float64) error {
	k := slices.IndexFunc(files, func(f file) bool { return f.records == 1_000_000 })
	plain := median(3, func() { plainLoop(files[k].path) })
	t, ours, err := read(ctx, files[k].path)
	if err != nil {
		return err
	}
	fmt.Println("| work on 1,000,000 records | seconds | ratio |")
	fmt.Println("|---|--:|--:|")
	fmt.Printf("| plain `encoding/csv` loop into typed columns (%.0f MB) | %.2f | |\n", files[k].mb, plain)
	fmt.Printf("| our reader | %.2f | %.2f of the plain loop |\n", ours, ours/plain)
	j := t.Find("income")
	a := *t.Attr(j)
	a.Role = table.Class
	t = t.WithAttr(j, a)
	learner := c45.New()
	learner.MinLeaf = 200
	leaves := 0
	grow := median(3, func() {
		tr, err := learner.Grow(ctx, t, j)
		if err != nil {
			panic(err)
		}
		leaves = len(tr.Leaves())
	})
	fmt.Printf("| C4.5 on 14 attributes, minimum 200 (%d leaves) | %.2f | %.1f sorts |\n\n", leaves, grow, grow/sorted)
	return nil
}

// read reads a table three times and returns the median seconds.
func read(ctx context.Context, path string) (t *table.Table, secs float64, err error) {
	secs = median(3, func() {
		t = nil
		runtime.GC()
		if err == nil {
			t, _, err = format.Read(ctx, path, format.Options{})
		}
	})
	return t, secs, err
}

// processes times the command as a whole process on every table.
func processes(dir, exe string, files []file) ([]run, error) {
	var runs []run
	for k, f := range files {
		args := []string{
			"protect",
			f.path,
			"--limits",
			"none",
			"--class",
			"income",
			"-o",
			filepath.Join(dir, "out.csv"),
			"--force",
		}
		if k == 0 {
			args = append(args, "--report", filepath.Join(dir, "out.html"))
		}
		secs, peak, err := process(exe, args...)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run{secs, peak})
	}
	return runs, nil
}

// compare prints the runs beside the time of reading the same file.
func compare(ctx context.Context, files []file, runs []run) error {
	fmt.Println("| `protect --method framework`, whole process | file MB | seconds | reading alone | ratio | peak MB | " +
		"peak / file | microseconds per record |")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|--:|")
	for k, f := range files {
		name := fmt.Sprintf("%d records", f.records)
		if k == 0 {
			name += ", report included"
		}
		_, secs, err := read(ctx, f.path)
		if err != nil {
			return err
		}
		r := runs[k]
		fmt.Printf(
			"| %s | %.1f | %.2f | %.2f | %.1f | %.0f | %.1f | %.2f |\n",
			name,
			f.mb,
			r.secs,
			secs,
			r.secs/secs,
			r.peak,
			r.peak/f.mb,
			1e6*r.secs/float64(f.records),
		)
	}
	return nil
}

// process runs a command three times and returns its median seconds and its largest peak memory in MB.
func process(exe string, args ...string) (secs, peak float64, err error) {
	var times []float64
	for range 3 {
		c := exec.Command(exe, args...)
		start := time.Now()
		if out, err := c.CombinedOutput(); err != nil {
			return 0, 0, fmt.Errorf("%w: %s", err, out)
		}
		times = append(times, time.Since(start).Seconds())
		peak = max(peak, peakMB(c.ProcessState))
	}
	slices.Sort(times)
	return times[1], peak, nil
}

func median(n int, f func()) float64 {
	var v []float64
	for range n {
		start := time.Now()
		f()
		v = append(v, time.Since(start).Seconds())
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// plainLoop is what a Go programmer writes first: encoding/csv with ReuseRecord into float64 and dictionary codes.
func plainLoop(path string) {
	f, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.ReuseRecord = true
	head, err := r.Read()
	if err != nil {
		panic(err)
	}
	num := make([][]float64, len(head))
	cat := make([][]int32, len(head))
	dict := make([]map[string]int32, len(head))
	numeric := map[int]bool{0: true, 2: true, 4: true, 10: true, 11: true, 12: true}
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(err)
		}
		for j, s := range rec {
			if numeric[j] {
				v, _ := strconv.ParseFloat(s, 64)
				num[j] = append(num[j], v)
				continue
			}
			if dict[j] == nil {
				dict[j] = map[string]int32{}
			}
			c, ok := dict[j][s]
			if !ok {
				c = int32(len(dict[j]))
				dict[j][string([]byte(s))] = c
			}
			cat[j] = append(cat[j], c)
		}
	}
}

// complete returns Adult's header and complete records.
func complete() ([][]string, error) {
	path, err := dataset.Path("adult/adult.csv")
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(r []string) bool { return slices.Contains(r, "?") }), nil
}

// write writes n records drawn from the rows, with jitter on the numbers; as many records as there are are written as
// they are.
func write(path string, rows [][]string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	r := rand.New(rand.NewPCG(3, 4))
	jitter := []struct {
		column int
		by     float64
	}{{0, 2}, {2, 5000}, {10, 50}, {11, 20}, {12, 2}}
	w.Write(rows[0])
	rec := make([]string, len(rows[0]))
	for i := range n {
		if n == len(rows)-1 {
			w.Write(rows[i+1])
			continue
		}
		copy(rec, rows[1+r.IntN(len(rows)-1)])
		for _, q := range jitter {
			if v, _ := strconv.ParseFloat(rec[q.column], 64); v > 0 {
				rec[q.column] = strconv.Itoa(int(max(1, v+q.by*(2*r.Float64()-1))))
			}
		}
		w.Write(rec)
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil { // or the command waits for this file's data when it flushes its own
		return err
	}
	return f.Close()
}
