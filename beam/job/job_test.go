package job

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/beam/store/storetest"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/table"
)

const seed = "00112233445566778899aabbccddeeff00112233445566778899aabbccddee01\n"

// unlimited says that releases are not held against limits, for tests of how they are made.
var unlimited = policy.Policy{Limits: "none"}

// invented is a table of invented people as lines of CSV: missing marks of several kinds, of which neither the first
// nor the shortest is the most frequent, decimals that are zeros, dates, a code of two kinds of look, and a class.
func invented(rows int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	lines := []string{"age,income,height,sex,job,ward,born,class\n"}
	for i := range rows {
		age, mark := fmt.Sprint(18+r.IntN(70)), []string{"", "?"}[min(1, i*4/rows)]
		if r.IntN(40) == 0 {
			age = mark
		}
		income := fmt.Sprintf("%.1f", float64(int(1000+r.ExpFloat64()*2500)))
		if i > rows/2 && r.IntN(3) == 0 {
			income = fmt.Sprintf("%.2f", 1000+r.ExpFloat64()*2500)
		}
		job := []string{"nurse", "clerk", "driver", "cook", "\"smith, b\""}[r.IntN(5)]
		if r.IntN(50) == 0 {
			job = "NA"
		}
		ward := fmt.Sprint(1 + r.IntN(4))
		if i > rows*3/4 && r.IntN(4) == 0 {
			ward = "5b"
		}
		class := "no"
		if r.IntN(100) < 20+r.IntN(40) {
			class = "yes"
		}
		lines = append(
			lines,
			fmt.Sprintf(
				"%s,%s,%.4g,%s,%s,%s,%04d-%02d-%02d,%s\n",
				age,
				income,
				1.5+r.Float64()/2,
				[]string{"f", "m"}[r.IntN(2)],
				job,
				ward,
				1930+r.IntN(70),
				1+r.IntN(12),
				1+r.IntN(28),
				class,
			),
		)
	}
	return lines
}

// cut writes the lines as so many uneven shards, one of which has but a record.
func cut(t *testing.T, dir string, lines []string, shards int) (paths []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(shards), 7))
	ends := []int{len(lines)}
	if shards > 1 {
		ends = append(ends, 2)
	}
	for len(ends) < shards {
		if e := 2 + r.IntN(len(lines)-2); !slices.Contains(ends, e) {
			ends = append(ends, e)
		}
	}
	slices.Sort(ends)
	lo := 1
	for k, hi := range ends {
		path := filepath.Join(dir, fmt.Sprintf("part-%03d.csv", k))
		save(t, path, lines[0]+strings.Join(lines[lo:hi], ""))
		paths, lo = append(paths, path), hi
	}
	return paths
}

func save(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// laptop protects the table on one machine, without limits, and keeps the plan and the seed.
func laptop(
	t *testing.T,
	dir string,
	lines []string,
	method string,
	set map[string]string,
) (release, plan, seedFile string) {
	t.Helper()
	release, plan, seedFile, err := protected(t, dir, lines, method, set)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return release, plan, seedFile
}

// protected is laptop for a technique that the table may not be for, with more that is said.
func protected(
	t *testing.T,
	dir string,
	lines []string,
	method string,
	set map[string]string,
	more ...policy.Policy,
) (release, plan, seedFile string, err error) {
	t.Helper()
	in, out := filepath.Join(dir, "whole.csv"), filepath.Join(dir, "release.csv")
	save(t, in, strings.Join(lines, ""))
	plan, seedFile = filepath.Join(dir, "plan.json"), filepath.Join(dir, "seed")
	save(t, seedFile, seed)
	d, said := &desk.Desk{}, policy.Policy{Limits: "none", Class: "class",
		Method: policy.Method{Name: method, Set: policy.Texts(set)}}
	for k := range more {
		said = *said.With(&more[k])
	}
	p, err := d.Protect(
		t.Context(),
		desk.ProtectRequest{
			Source:   desk.Source{Path: in, Said: said},
			Release:  out,
			SeedFile: seedFile,
			PlanOut:  plan,
		},
	)
	switch {
	case err != nil:
		return "", "", "", err
	case p.Broken != nil:
		return "", "", "", errors.New("the release is withheld")
	}
	return load(t, out), plan, seedFile, nil
}

// stage is a stage of a job, and how many elements it has.
type stage struct {
	name string
	n    func() int
	work func(k int) error
}

// stagesOf are the stages, in their order.
func stagesOf(ctx context.Context, q *Job, folder string) []stage {
	columns, shards, one := 0, func() int { return len(q.Shards) }, func() int { return 1 }
	of := func(work func(context.Context, string, int) error) func(int) error {
		return func(k int) error { return work(ctx, folder, k) }
	}
	once := func(work func(context.Context, string) error) func(int) error {
		return func(int) error { return work(ctx, folder) }
	}
	stages := []stage{
		{"read", shards, of(Read)},
		{"merge", one, func(int) (err error) { columns, err = Merge(ctx, folder); return err }},
		{"pack", shards, of(Pack)},
		{"units", one, once(Units)},
	}
	for p := range q.Passes() + 1 {
		stages = append(stages, stage{"ask", one, func(int) error { return Ask(ctx, folder, p) }})
		if p == q.Passes() {
			break
		}
		stages = append(stages,
			stage{"take", shards, func(k int) error { return Take(ctx, folder, p, k) }},
			stage{"sum", shards, func(k int) error { return Sum(ctx, folder, p, k) }})
	}
	return append(stages, []stage{
		{"fit", one, once(Fit)},
		{"hash", func() int { return columns }, of(Hash)},
		{"meet", shards, of(Meet)},
		{"deal", shards, of(Deal)},
		{"apply", shards, of(Apply)},
		{"judge", one, once(Judge)},
		{"measure", one, once(Measure)},
		{"shuffle", shards, of(Shuffle)},
		{"finish", one, once(Finish)},
	}...)
}

// run runs the stages in a shuffled order of their elements. Plan is where the plan is to be kept; empty for nowhere.
func run(ctx context.Context, q *Job, output, plan string, r *rand.Rand) (*Result, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	folder, err := Begin(q, output)
	if err != nil {
		return nil, err
	}
	defer End(folder)
	for _, stage := range stagesOf(ctx, q, folder) {
		for _, k := range r.Perm(stage.n()) {
			for range 1 + r.IntN(8)/7 { // a runner may run an element again
				if err := stage.work(k); err != nil {
					return nil, err
				}
			}
		}
	}
	result, err := Outcome(folder)
	if err == nil && plan != "" {
		err = KeepPlan(folder, plan)
	}
	if err != nil {
		return result, err
	}
	return result, Place(folder, output)
}

// joined is the release of all parts, in their order, with one header.
func joined(t *testing.T, output string) string {
	t.Helper()
	parts, err := filepath.Glob(filepath.Join(output, "part-*-of-*.csv"))
	if err != nil || len(parts) == 0 {
		t.Fatalf("%s has no parts: %v", output, err)
	}
	var all bytes.Buffer
	for k, path := range parts {
		text := load(t, path)
		if _, body, ok := strings.Cut(text, "\n"); ok && k > 0 {
			text = body
		}
		all.WriteString(text)
	}
	return all.String()
}

// What the records of the whole table decide is refused, with what to do instead, before any shard is read.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	lines := invented(600)
	for _, method := range []string{"kanonymise", "mdav", "rankswap", "shuffle"} {
		_, plan, seedFile := laptop(t, t.TempDir(), lines, method, nil)
		q := &Job{Shards: []string{filepath.Join(dir, "none.csv")}, Plan: plan, SeedFile: seedFile}
		if err := q.Check(); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "one machine") {
			t.Errorf("%s: %v", method, err)
		}
	}
	_, plan, seedFile := laptop(t, dir, lines, "pram", nil)
	shards := cut(t, t.TempDir(), lines, 3)
	for _, c := range []struct {
		name, says string
		q          Job
	}{
		{"no seed", "--seed-file", Job{Shards: shards, Plan: plan}},
		{"no plan", "--plan", Job{Shards: shards, SeedFile: seedFile}},
		{"both", "--plan", Job{Shards: shards, SeedFile: seedFile, Plan: plan, Method: "pram"}},
		{"no shards", "quote", Job{Plan: plan, SeedFile: seedFile}},
		{"two of one name", "names of their own",
			Job{Shards: []string{"a/x.csv", "b/x.csv"}, Plan: plan, SeedFile: seedFile}},
		{"a workbook", "Parquet", Job{Shards: []string{"x.xlsx"}, Plan: plan, SeedFile: seedFile}},
		{"not fitted from shards", "dither protect --plan-out",
			Job{Shards: shards, SeedFile: seedFile, Method: "forestframework"}},
		{"a measure that needs all records", "dither evaluate",
			Job{Shards: shards, SeedFile: seedFile, Plan: plan, Measures: []string{"segments", "accuracy"}}},
		{"no measure", "measure", Job{Shards: shards, SeedFile: seedFile, Plan: plan, Measures: []string{"nothing"}}},
		{"no delimiter", "comma, semicolon, tab",
			Job{Shards: shards, SeedFile: seedFile, Plan: plan, Delimiter: "||"}},
		{"no memory", "2GiB", Job{Shards: shards, SeedFile: seedFile, Plan: plan, Memory: -1}},
	} {
		if err := c.q.Check(); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// What is found in the shards is refused, nothing is released, nothing is overwritten, and no message holds a value.
func TestNothingHalf(t *testing.T) {
	dir := t.TempDir()
	lines := invented(300)
	_, plan, seedFile := laptop(t, dir, lines, "pram", nil)
	r := rand.New(rand.NewPCG(5, 5))
	in := t.TempDir()
	_, there := storetest.S3(t)
	for _, c := range []struct{ name, header, line, says string }{
		{"another column", "name," + lines[0], "Ann," + lines[1], "other columns"},
		{"an unknown category", lines[0], strings.Replace(lines[1], lines[1][strings.LastIndex(lines[1], ",")+1:],
			"secretvalue\n", 1), "not among the"},
		{"no number", lines[0], "secretvalue" + lines[1][strings.Index(lines[1], ","):], "expected numbers"},
	} {
		shards := cut(t, in, lines, 3)
		save(t, shards[1], c.header+c.line)
		for _, place := range []string{dir, there} {
			q := &Job{Shards: shards, Plan: plan, SeedFile: seedFile, Said: unlimited}
			_, err := run(t.Context(), q, store.Join(place, "out"), "", r)
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secretvalue") {
				t.Errorf("%s: %v", c.name, err)
			}
			for _, pattern := range []string{"*out*", "*out*/*", "*out*/*/*"} {
				if left, err := store.List(t.Context(), store.Join(place, pattern)); len(left) > 0 || err != nil {
					t.Errorf("%s: left behind: %v, %v", c.name, left, err)
				}
			}
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "out"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t.Context(), &Job{Shards: cut(t, in, lines, 3), Plan: plan, SeedFile: seedFile},
		filepath.Join(dir, "out"), "", r); !errors.Is(
		err,
		ErrUsage,
	) {
		t.Errorf("an output that is there: %v", err)
	}
}

// Stages that are still at work when the working folder is removed leave nothing behind, neither on a disk nor in a
// store.
func TestEnd(t *testing.T) {
	for round := range 100 {
		dir := t.TempDir()
		if round%2 == 1 {
			dir = fmt.Sprintf("memfs://bucket%s/%d", dir, round)
		}
		folder, err := store.Folder(dir, "working-")
		if err != nil {
			t.Fatal(err)
		}
		began := make(chan bool)
		stop, done := make(chan bool), make(chan bool)
		if err := store.Write(t.Context(), store.Join(folder, jobFile), store.Bytes([]byte("{}"))); err != nil {
			t.Fatal(err)
		}
		go func() {
			defer close(done)
			for k := 0; ; k++ {
				select {
				case <-stop:
					return
				default:
					_ = write(folder, fmt.Sprint("file", k), k)
				}
				if k == 3 {
					close(began)
				}
			}
		}()
		<-began
		err = End(folder)
		close(stop)
		<-done
		left, _ := store.List(t.Context(), store.Join(folder, "*"))
		more, _ := store.List(t.Context(), store.Join(dir, "*"))
		if left = append(left, more...); err != nil || left != nil {
			t.Fatalf("left behind %q: %v", left, err)
		}
	}
}

// What a stage says of a wrong call is that to the user who began the job, too, and the first that goes wrong is what
// is said.
func TestFailure(t *testing.T) {
	folder := t.TempDir()
	if err := Failure(folder); err != nil {
		t.Errorf("nothing failed: %v", err)
	}
	wrong := usage("there is no %d %%", 5)
	if err := Failed(folder, wrong); err != wrong {
		t.Errorf("the stage fails with %v", err)
	}
	_ = Failed(folder, errors.New("later"))
	if err := Failure(folder); !errors.Is(err, ErrUsage) || err.Error() != wrong.Error() {
		t.Errorf("%v, expected %v", err, wrong)
	}
}

// Shards of Parquet give the release of one machine: the same values and types.
func TestParquet(t *testing.T) {
	dir, lines := t.TempDir(), invented(1200)
	want, plan, seedFile := laptop(t, dir, lines, "framework", nil)
	whole, _, err := format.Read(t.Context(), filepath.Join(dir, "whole.csv"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var shards []string
	for k, ends := range [][2]int{{0, 500}, {500, 501}, {501, 1200}} {
		path := filepath.Join(dir, fmt.Sprintf("part-%d.parquet", k))
		if _, err := format.Write(t.Context(), path, whole.Slice(ends[0], ends[1]), format.Options{}); err != nil {
			t.Fatal(err)
		}
		shards = append(shards, path)
	}
	output := filepath.Join(dir, "out")
	r, err := run(
		t.Context(),
		&Job{Shards: shards, Plan: plan, SeedFile: seedFile, Said: unlimited},
		output,
		"",
		rand.New(rand.NewPCG(1, 1)),
	)
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Certificate; c == nil || c.Stayed != 1200 {
		t.Errorf("the certificate is %+v", c)
	}
	var parts []*table.Table
	for k, path := range shards {
		p, _, err := format.Read(t.Context(), filepath.Join(output, partFile(k, len(shards), path)), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, p)
	}
	compare, _, err := format.ReadFrom(t.Context(), "release.csv", strings.NewReader(want), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for j := range compare.Width() {
		a := compare.Column(j)
		row := 0
		for k, p := range parts {
			b := p.Column(j)
			for i := range b.Len() {
				if x, y := cell(&a, row), cell(&b, i); x != y {
					t.Fatalf("column %s, part %d, row %d: %s, expected %s", a.Name, k, i, y, x)
				}
				row++
			}
		}
	}
}

// cell is a value as text.
func cell(c *table.Column, i int) string {
	switch {
	case c.MissingAt(i):
		return "missing"
	case c.Kind == table.Numeric:
		return fmt.Sprint(c.Num[i])
	}
	return c.Labels[c.Cat[i]]
}
