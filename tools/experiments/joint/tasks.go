package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/dither-data/dither/internal/testkit/dataset"
)

// kinds are the tasks, each of several sizes.
type kind struct {
	name  string
	sizes []int
	make  func(w *workshop, size int) (*task, error)
}

var tasks = []kind{
	{"totals of two columns, pairwise masks", []int{1000, 100_000}, func(w *workshop, n int) (*task, error) {
		return w.numbers("maskedsum", 3, n, 2)
	}},
	{"totals of two columns, shares", []int{1000, 100_000}, func(w *workshop, n int) (*task, error) {
		return w.numbers("sharedsum", 3, n, 2)
	}},
	{"totals of two columns, one ring", []int{1000, 100_000}, func(w *workshop, n int) (*task, error) {
		return w.numbers("ringsum", 3, n, 2)
	}},
	{"which total is larger", []int{1000, 100_000}, (*workshop).comparison},
	{"keys that any of three has", []int{1000, 10_000}, func(w *workshop, n int) (*task, error) {
		return w.keys("setunion", 3, n, "--set", fmt.Sprint("size=", n))
	}},
	{"pseudonyms of three parties", []int{1000, 10_000}, func(w *workshop, n int) (*task, error) {
		return w.keys("pseudonyms", 3, n)
	}},
	{"keys that two have in common", []int{1000, 10_000, 100_000}, func(w *workshop, n int) (*task, error) {
		return w.keys("intersectionsize", 2, n)
	}},
	{"records that two have in common", []int{1000, 10_000}, func(w *workshop, n int) (*task, error) {
		return w.keys("intersection", 2, n)
	}},
	{"scalar product of bits", []int{10_000, 100_000, 1_000_000}, func(w *workshop, n int) (*task, error) {
		return w.vectors("scalarproduct", n, 1)
	}},
	{"scalar product of bits, with a server", []int{10_000, 100_000, 1_000_000}, func(w *workshop, n int) (*task, error) {
		return w.vectors("commodityproduct", n, 1)
	}},
	{"scalar product of bits, packed", []int{10_000, 100_000, 1_000_000}, func(w *workshop, n int) (*task, error) {
		return w.vectors("packedproduct", n, 1)
	}},
	{"scalar product of numbers below 1,024", []int{100_000}, func(w *workshop, n int) (*task, error) {
		return w.vectors("scalarproduct", n, 1023)
	}},
	{"scalar product of numbers below 1,024, packed", []int{100_000}, func(w *workshop, n int) (*task, error) {
		return w.vectors("packedproduct", n, 1023)
	}},
	{"scalar product, the demonstration", []int{32, 64}, func(w *workshop, n int) (*task, error) {
		return w.vectors("algebraicproduct", n, 1)
	}},
	{"regression of 20 columns", []int{1000, 100_000, 1_000_000}, func(w *workshop, n int) (*task, error) {
		return w.numbers("regression", 3, n, 20)
	}},
	{"rules of T10I4D100K in three parts", []int{3333, 33_333}, func(w *workshop, n int) (*task, error) {
		return w.baskets(3, n)
	}},
	{"rules of T10I4D100K in two parts", []int{5000, 50_000}, func(w *workshop, n int) (*task, error) {
		return w.baskets(2, n)
	}},
	{"regression of two parties' columns, six in all", []int{1000, 10_000}, func(w *workshop, n int) (*task, error) {
		return w.columns("verticalregression", n, "--class", "x5")
	}},
	{"the same, Powell's search", []int{1000, 10_000}, func(w *workshop, n int) (*task, error) {
		return w.columns("powellregression", n, "--class", "x5")
	}},
	{"rules of six items, k-TTP", []int{10_000}, func(w *workshop, n int) (*task, error) {
		return w.items("kttp", n, "--set", "length=3")
	}},
	{"rules of six items, maximal sets", []int{10_000, 100_000}, func(w *workshop, n int) (*task, error) {
		return w.items("maximalrules", n, "--set", "length=3")
	}},
	{"rules of two parties' items, six in all", []int{1000, 10_000}, func(w *workshop, n int) (*task, error) {
		return w.network("verticalrules", n, "--set", "length=3")
	}},
	{"tree of six columns", []int{10_000, 100_000}, func(w *workshop, n int) (*task, error) {
		return w.items("bayesnetwork", n)
	}},
	{"K2 of six columns, two parents", []int{1000, 10_000}, func(w *workshop, n int) (*task, error) {
		return w.network("k2", n)
	}},
	{"naive Bayes of six columns", []int{10_000, 100_000}, func(w *workshop, n int) (*task, error) {
		return w.items("naivebayes", n, "--class", "c5")
	}},
	{"naive Bayes of two parties' columns, six in all", []int{10_000, 100_000}, func(w *workshop, n int) (*task, error) {
		return w.network("verticalbayes", n, "--class", "c5")
	}},
	{"ID3 of two parties' columns, six in all", []int{1000, 10_000}, func(w *workshop, n int) (*task, error) {
		return w.network("verticalid3", n, "--class", "c5")
	}},
	{"four clusters of four columns", []int{10_000, 100_000}, func(w *workshop, n int) (*task, error) {
		return w.numbers("kmeans", 3, n, 4)
	}},
	{"four clusters of two parties' columns, six in all", []int{100, 300}, func(w *workshop, n int) (*task, error) {
		return w.columns("verticalkmeans", n)
	}},
	{"outliers by two parties' columns, six in all", []int{100, 200}, func(w *workshop, n int) (*task, error) {
		return w.columns("outliers", n, "--set", "distance=1500")
	}},
	{"outliers among two parties' records", []int{50, 100}, func(w *workshop, n int) (*task, error) {
		return w.numbers("pooledoutliers", 2, n, 4, "--set", "distance=1500")
	}},
	{"ID3 of Adult's categories, depth 2", []int{2000}, func(w *workshop, n int) (*task, error) { return w.adult(n, 2) }},
	{"ID3 of Adult's categories, depth 3", []int{16_280}, func(w *workshop, n int) (*task, error) {
		return w.adult(n, 3)
	}},
	{"common tree and releases of Adult", []int{10_853}, (*workshop).framework},
}

// file writes lines, and returns its path and size.
func (w *workshop) file(name string, write func(b *bufio.Writer)) (path string, size int64, err error) {
	path = filepath.Join(w.dir, name)
	f, err := os.Create(path)
	if err != nil {
		return "", 0, err
	}
	b := bufio.NewWriter(f)
	write(b)
	if err := b.Flush(); err != nil {
		return "", 0, err
	}
	s, err := f.Stat()
	if err != nil {
		return "", 0, err
	}
	return path, s.Size(), f.Close()
}

// add adds the table of a party.
func (t *task) add(w *workshop, write func(b *bufio.Writer)) error {
	path, size, err := w.file(fmt.Sprintf("table-%d.csv", len(t.files)), write)
	t.files = append(t.files, path)
	t.plain += size
	return err
}

// shared turns the bytes of the tables into those that are sent where each goes to all others.
func (t *task) shared() *task {
	tables := 0
	for _, f := range t.files {
		if f != "" {
			tables++
		}
	}
	t.plain *= int64(tables - 1)
	return t
}

// numbers are tables of whole numbers below 1,000, of which the last column is explained by the others.
func (w *workshop) numbers(protocol string, parties, n, columns int, flags ...string) (*task, error) {
	t := &task{protocol: protocol, flags: flags}
	if protocol == "regression" {
		t.flags = []string{"--class", fmt.Sprint("x", columns-1)}
	}
	draw := rand.New(rand.NewPCG(1, 1))
	for range parties {
		if err := t.add(w, func(b *bufio.Writer) { whole(b, 0, columns, columns, n, draw) }); err != nil {
			return nil, err
		}
	}
	return t.shared(), nil
}

// whole writes the columns from a on and before b of n records of whole numbers.
func whole(w *bufio.Writer, a, b, columns, n int, draw *rand.Rand) {
	put := func(value func(c int) any) {
		for c := a; c < b; c++ {
			fmt.Fprint(w, value(c), map[bool]string{true: "\n", false: ","}[c == b-1])
		}
	}
	put(func(c int) any { return fmt.Sprint("x", c) })
	put(func(int) any { return 0 }) // the range
	put(func(int) any { return 1999 })
	row := make([]int, columns)
	for range n - 2 {
		sum := 0
		for c := range columns - 1 {
			row[c] = draw.IntN(1000)
			sum += row[c]
		}
		row[columns-1] = sum/columns + draw.IntN(1000)
		put(func(c int) any { return row[c] })
	}
}

// columns are six columns of whole numbers, of which each of two parties has three.
func (w *workshop) columns(protocol string, n int, flags ...string) (t *task, err error) {
	t = &task{protocol: protocol, flags: flags}
	for k := range 2 {
		t.own(six[3*k:3*k+3], "x", party(k))
		draw := rand.New(rand.NewPCG(1, 1)) // both draw the same records
		if err := t.add(w, func(b *bufio.Writer) { whole(b, 3*k, 3*k+3, 6, n, draw) }); err != nil {
			return nil, err
		}
	}
	t.shared()
	t.describe, _, err = w.file("columns.csv", func(b *bufio.Writer) { whole(b, 0, 6, 6, n, rand.New(rand.NewPCG(1, 2))) })
	return t, err
}

// own says whose columns are.
func (t *task) own(columns []int, prefix, party string) {
	for _, c := range columns {
		t.flags = append(t.flags, "--owner", fmt.Sprintf("%s%d=%s", prefix, c, party))
	}
}

// comparison are two tables of a column.
func (w *workshop) comparison(n int) (*task, error) {
	return w.numbers("comparison", 2, n, 1)
}

// keys are tables of n keys, of which half are in the next one, too.
func (w *workshop) keys(protocol string, parties, n int, flags ...string) (*task, error) {
	t := &task{protocol: protocol, flags: append([]string{"--key", "id", "--column", "id"}, flags...)}
	for k := range parties {
		err := t.add(w, func(b *bufio.Writer) {
			fmt.Fprintln(b, "id")
			for i := range n {
				fmt.Fprintf(b, "P%08d\n", i+k*n/2)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return t.shared(), nil
}

// vectors are two columns of numbers from 0 on, of two parties.
func (w *workshop) vectors(protocol string, n, most int) (*task, error) {
	t := &task{protocol: protocol, flags: []string{"--owner", "x=a", "--owner", "y=b"}}
	draw := rand.New(rand.NewPCG(2, 2))
	for k := range 2 {
		err := t.add(w, func(b *bufio.Writer) {
			fmt.Fprintln(b, "xy"[k:k+1])
			for range n {
				fmt.Fprintln(b, draw.IntN(most+1))
			}
		})
		if err != nil {
			return nil, err
		}
	}
	t.shared()
	both, _, err := w.file("both.csv", func(b *bufio.Writer) { fmt.Fprintf(b, "x,y\n0,0\n%d,%d\n", most, most) })
	t.describe = both
	if protocol == "commodityproduct" {
		t.files, t.roles = append(t.files, ""), []string{"owner", "owner", "server"}
	}
	return t, err
}

// words writes records of columns of two values, of which each follows from the one before in three of four.
func words(b *bufio.Writer, columns []int, n int, seed uint64) {
	for k, c := range columns {
		fmt.Fprint(b, "c", c, map[bool]string{true: "\n", false: ","}[k == len(columns)-1])
	}
	draw := rand.New(rand.NewPCG(3, seed))
	for range n {
		var row [6]int
		for c := range row {
			if row[c] = draw.IntN(2); c > 0 && draw.IntN(2) == 0 {
				row[c] = row[c-1]
			}
		}
		for k, c := range columns {
			fmt.Fprint(b, []string{"no", "yes"}[row[c]], map[bool]string{true: "\n", false: ","}[k == len(columns)-1])
		}
	}
}

var six = []int{0, 1, 2, 3, 4, 5}

// items are three parties' records of six columns of two values.
func (w *workshop) items(protocol string, n int, flags ...string) (*task, error) {
	t := &task{protocol: protocol, flags: flags}
	for k := range 3 {
		if err := t.add(w, func(b *bufio.Writer) { words(b, six, n, uint64(k)) }); err != nil {
			return nil, err
		}
	}
	return t.shared(), nil
}

// network are six columns of two values, of which each of two parties has three.
func (w *workshop) network(protocol string, n int, flags ...string) (t *task, err error) {
	t = &task{protocol: protocol, flags: flags}
	for k := range 2 {
		own := six[3*k : 3*k+3]
		t.own(own, "c", party(k))
		if err := t.add(w, func(b *bufio.Writer) { words(b, own, n, 0) }); err != nil {
			return nil, err
		}
	}
	t.shared()
	t.describe, _, err = w.file("columns.csv", func(b *bufio.Writer) { words(b, six, 100, 1) })
	return t, err
}

// lines reads a public data set, without its first line where it has a header.
func lines(name string, header bool) ([]string, string, error) {
	path, err := dataset.Path(name)
	if err != nil {
		return nil, "", err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	if header {
		return all[1:], all[0], nil
	}
	return all, "", nil
}

// baskets are parts of n baskets each.
func (w *workshop) baskets(parties, n int) (*task, error) {
	all, _, err := lines("t10i4d100k/t10i4d100k.dat", false)
	if err != nil {
		return nil, err
	}
	items := []string{"--items", "items:;"}
	t := &task{protocol: "rules", run: items, flags: append([]string{"--set", "support=1", "--set", "confidence=50",
		"--set", "length=3", "--set", "size=500"}, items...)}
	put := func(part []string) func(b *bufio.Writer) {
		return func(b *bufio.Writer) {
			fmt.Fprintln(b, "items")
			for _, l := range part {
				fmt.Fprintln(b, strings.ReplaceAll(strings.TrimSpace(l), " ", ";"))
			}
		}
	}
	for k := range parties {
		if err := t.add(w, put(all[k*n:(k+1)*n])); err != nil {
			return nil, err
		}
	}
	t.shared()
	t.describe, _, err = w.file("all.csv", put(all[:parties*n]))
	return t, err
}

// parts are the categories and the class of Adult, and with numbers all its columns but the weight, in parts.
func (w *workshop) parts(t *task, n, parties int, numbers bool) error {
	all, header, err := lines("adult/adult.csv", true)
	if err != nil {
		return err
	}
	for _, name := range strings.Split(header, ",") {
		switch name {
		case "fnlwgt":
		case "age", "education_num", "capital_gain", "capital_loss", "hours_per_week":
			if numbers {
				t.flags = append(t.flags, "--column", name)
			}
		default:
			t.flags = append(t.flags, "--column", name)
		}
	}
	put := func(part []string) func(b *bufio.Writer) {
		return func(b *bufio.Writer) { fmt.Fprintln(b, header+"\n"+strings.Join(part, "\n")) }
	}
	for k := range parties {
		if err := t.add(w, put(all[k*n:(k+1)*n])); err != nil {
			return err
		}
	}
	t.shared()
	t.describe, _, err = w.file("all.csv", put(all[:parties*n]))
	return err
}

func (w *workshop) adult(n, depth int) (*task, error) {
	t := &task{protocol: "id3", flags: []string{"--class", "income", "--set", fmt.Sprint("depth=", depth)}}
	return t, w.parts(t, n, 2, false)
}

func (w *workshop) framework(n int) (*task, error) {
	t := &task{protocol: "jointframework", flags: []string{"--class", "income"}}
	return t, w.parts(t, n, 3, true)
}
