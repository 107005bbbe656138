package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// portion is a record of Tables 5.1 and 5.2 with what they print: experience and wage, by the tree and after
// microaggregation.
type portion struct {
	experience, wage [2]float64
}

// table51 are the nineteen records, which are the first of the file, in its order.
var table51 = []portion{
	{
		[2]float64{29.57, 18.5},
		[2]float64{4.38, 4.375},
	}, {[2]float64{29.57, 43}, [2]float64{8.36, 6.03}}, {[2]float64{14.86, 2.5}, [2]float64{10.62, 6.73}},
	{
		[2]float64{14.86, 2.5},
		[2]float64{10.62, 6.73},
	}, {[2]float64{14.86, 22.5}, [2]float64{10.62, 6.73}}, {[2]float64{16.8, 9.67}, [2]float64{10.62, 12.3}},
	{
		[2]float64{29.57, 28},
		[2]float64{8.38, 6.03},
	}, {[2]float64{16.8, 9.67}, [2]float64{10.62, 19.47}}, {[2]float64{16.8, 9.67}, [2]float64{10.62, 12.3}},
	{
		[2]float64{16.8, 9},
		[2]float64{10.62, 6.73},
	}, {[2]float64{14.86, 22.5}, [2]float64{10.62, 12.3}}, {[2]float64{14.86, 22.5}, [2]float64{10.62, 12.3}},
	{
		[2]float64{29.57, 28},
		[2]float64{8.38, 6.03},
	}, {[2]float64{29.57, 28}, [2]float64{8.38, 6.03}}, {[2]float64{16.8, 29}, [2]float64{8.38, 19.98}},
	{
		[2]float64{14.86, 22.5},
		[2]float64{14.75, 14.75},
	}, {[2]float64{29.57, 43}, [2]float64{8.38, 6.03}}, {[2]float64{16.8, 26}, [2]float64{14.75, 14.75}},
	{[2]float64{29.57, 18.5}, [2]float64{4.38, 4.375}},
}

// reading is the partition that the figures of Table 5.1 come from: the tree of a confidential attribute tests the two
// other attributes, each once, the one of larger variance (on the scale 0 to 1) first, at the middle of its range in
// the whole table; a node of fewer than stop records is not divided.
type reading struct {
	columns [][]float64
	scaled  []float64 // variances
	middle  []float64
}

const stop = 7

func newReading(columns [][]float64) *reading {
	r := &reading{columns: columns}
	for _, v := range columns {
		lo, hi := v[0], v[0]
		for _, x := range v {
			lo, hi = min(lo, x), max(hi, x)
		}
		r.middle = append(r.middle, (lo+hi)/2)
		r.scaled = append(r.scaled, stat.Variance(v, nil)/((hi-lo)*(hi-lo)))
	}
	return r
}

// leaves returns the leaf of every record in the tree of an attribute.
func (r *reading) leaves(of int) []int {
	var order []int // the others, the largest variance first
	for j := range r.columns {
		if j != of {
			order = append(order, j)
		}
	}
	if r.scaled[order[0]] < r.scaled[order[1]] {
		order[0], order[1] = order[1], order[0]
	}
	leaf := make([]int, len(r.columns[of]))
	count := map[int]int{0: len(leaf)}
	for _, j := range order {
		next := map[int]int{}
		for i := range leaf {
			if count[leaf[i]] < stop {
				leaf[i] = 4 * leaf[i]
			} else if r.columns[j][i] <= r.middle[j] {
				leaf[i] = 4*leaf[i] + 1
			} else {
				leaf[i] = 4*leaf[i] + 2
			}
			next[leaf[i]]++
		}
		count = next
	}
	return leaf
}

// means returns every record's mean of an attribute in its leaf.
func (r *reading) means(of int) []float64 {
	leaf := r.leaves(of)
	sum, n := map[int]float64{}, map[int]float64{}
	for i, v := range r.columns[of] {
		sum[leaf[i]] += v
		n[leaf[i]]++
	}
	out := make([]float64, len(leaf))
	for i, l := range leaf {
		out[i] = sum[l] / n[l]
	}
	return out
}

// portions returns the first records of Wages, with education, experience and wage.
func portions(s *set) (*table.Table, error) {
	var cols []int
	for _, name := range []string{"education", "experience", "wage"} {
		j := s.table.Find(name)
		if j < 0 {
			return nil, fmt.Errorf("there is no column %q", name)
		}
		cols = append(cols, j)
	}
	t := s.table.Select(cols...).Slice(0, len(table51))
	out := t.Columns()
	for j := range out {
		if out[j].Role = 0; j > 0 {
			out[j].Role = table.Confidential
		}
	}
	return table.New(out...)
}

// ours are the settings of the perturbation tree that stand beside the paper's.
var ours = []method{
	{
		name: "a tree of its own for each attribute, by the others",
		of:   "perturbationtree",
		set:  map[string]string{"leafMax": "7", "partition": "each", "by": "all"},
	},
	{
		name: "the same, microaggregated",
		of:   "perturbationtree",
		set:  map[string]string{"leafMax": "7", "partition": "each", "by": "all", "inside": "microaggregate", "k": "2"},
	},
}

// printPortion prints Tables 5.1 and 5.2 beside what we get.
func printPortion(ctx context.Context, w io.Writer, s *set) error {
	t, err := portions(s)
	if err != nil {
		return err
	}
	r := newReading([][]float64{t.Num(0), t.Num(1), t.Num(2)})
	read := [2][]float64{r.means(1), r.means(2)}
	var released [2]*table.Table
	for k := range ours {
		out, err := ours[k].release(ctx, t, 0, 0)
		if err != nil {
			return err
		}
		released[k] = out.Released
	}
	fmt.Fprintf(w, "| education | experience | Table 5.1 | reading | ours | Table 5.2 | ours | wage | Table 5.1 | "+
		"reading | ours | Table 5.2 | ours |\n|%s\n",
		strings.Repeat("--:|", 13))
	off, alone := 0, 0
	for i, p := range table51 {
		fmt.Fprintf(w, "| %g |", t.Num(0)[i])
		for k, printed := range [][2]float64{p.experience, p.wage} {
			x := t.Num(k + 1)[i]
			mark := ""
			if math.Abs(printed[0]-read[k][i]) > 0.0051 {
				mark, off = " *", off+1
			}
			same := ""
			if printed[1] == x {
				same, alone = " =", alone+1
			}
			fmt.Fprintf(
				w,
				" %g | %g%s | %.2f | %.2f | %g%s | %.2f |",
				x,
				printed[0],
				mark,
				read[k][i],
				released[0].Num(k + 1)[i],
				printed[1],
				same,
				released[1].Num(k + 1)[i],
			)
		}
		fmt.Fprintln(w)
	}
	var said strings.Builder
	fmt.Fprintf(&said, "\n%d of the %d values of Table 5.1 are the means of the reading; the others (*) are one "+
		"record's experience, which is in the other leaf, and a wage "+
		"printed as 8.36 in one row and 8.38 in the others, where the mean is %.3f. In Table 5.2 %d values (=) are those "+
		"of the original.\n",
		2*len(table51)-off, 2*len(table51), read[1][1], alone)
	fmt.Fprint(w, rerun.Wrap(said.String()))
	return nil
}
