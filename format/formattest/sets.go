package formattest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
)

func (s *suite) setsOnly() bool { return s.f.Holds == dialect.SetsOnly }

// small is a table with everything that files are damaged in.
func (s *suite) small() *table.Table {
	if !s.setsOnly() {
		return small()
	}
	n := s.files.Items
	return must(s.sets([][]int32{{0, 1}, nil, {}, {2}}, [][]int32{{2}, {}, {0, 1}, {}}, n[:3]))
}

// big has enough records for readers and writers to share the work.
func (s *suite) big() *table.Table {
	if !s.setsOnly() {
		return big()
	}
	return must(s.drawSets(rand.New(rand.NewPCG(1, 2)), long.Of(50_000, 200_000)))
}

// cases are the tables that the format must keep.
func (s *suite) cases() map[string]*table.Table {
	if !s.setsOnly() {
		return cases()
	}
	all := s.files.Items
	return map[string]*table.Table{
		"small":           s.small(),
		large:             s.big(),
		"every name":      must(s.sets([][]int32{ordered(len(all)), {0}}, nil, all)),
		"one by one":      must(s.sets(singly(len(all)), nil, all)),
		"all unknown":     must(s.sets([][]int32{{}, {}}, [][]int32{ordered(len(all)), {0}}, all)),
		"missing":         must(s.sets([][]int32{nil, nil}, nil, nil)),
		"without an item": must(s.sets([][]int32{{}, {}, {}}, nil, nil)),
		"first and last":  must(s.sets([][]int32{{}, {0}, {}}, nil, all[:1])),
	}
}

func singly(n int) [][]int32 {
	out := make([][]int32, n)
	for i := range out {
		out[i] = []int32{int32(i)}
	}
	return out
}

// sets is the one column of the format, whose name is its own.
func (s *suite) sets(present, unknown [][]int32, labels []string) table.Column {
	return table.SetColumn("items", labels, table.SetsOf(present, unknown))
}

// draw returns a random table.
func (s *suite) draw(r *rand.Rand) *table.Table {
	if !s.setsOnly() {
		return draw(r)
	}
	return must(s.drawSets(r, 1+r.IntN(12)))
}

func (s *suite) drawSets(r *rand.Rand, rows int) table.Column {
	labels := slices.Clone(s.files.Items)
	r.Shuffle(len(labels), func(a, b int) { labels[a], labels[b] = labels[b], labels[a] })
	present, unknown := make([][]int32, rows), make([][]int32, rows)
	for i := range rows {
		if r.IntN(9) == 0 {
			continue
		}
		present[i] = []int32{}
		for _, v := range r.Perm(len(labels))[:r.IntN(min(4, len(labels)))] {
			if r.IntN(8) == 0 {
				unknown[i] = append(unknown[i], int32(v))
			} else {
				present[i] = append(present[i], int32(v))
			}
		}
	}
	return s.sets(present, unknown, labels)
}

// lostLabels checks that the order of labels is lost where that is declared.
func (s *suite) lostLabels() error {
	data, err := s.write(must(s.sets([][]int32{{2}, {1, 2}}, nil, s.files.Items[:3])), dialect.Options{})
	if err != nil {
		return err
	}
	got, _, err := s.read(data, dialect.Options{})
	if err != nil {
		return err
	}
	if kept := slices.Equal(got.Attr(0).Labels, s.files.Items[:3]); kept == (s.f.Loses&dialect.LosesLabels != 0) {
		return fmt.Errorf("labels are kept: %t; declared lost: %s", kept, s.f.Loses)
	}
	return nil
}

// refusedSets checks that what no file can hold is refused before anything is written, without a value in the message.
func (s *suite) refusedSets() error {
	one := func(name string) *table.Table { return must(s.sets([][]int32{{0}}, nil, []string{name})) }
	tables := map[string]*table.Table{
		"beside a number": must(s.sets([][]int32{{0}}, nil, s.files.Items[:1]), table.NumColumn("n", 1, []float64{1})),
		"two columns": must(s.sets([][]int32{{0}}, nil, s.files.Items[:1]),
			table.SetColumn("n", nil, table.SetsOf([][]int32{{}}, nil))),
		"a number":  must(table.NumColumn("n", 1, []float64{1})),
		"labels":    must(table.CatColumn("n", []string{"x"}, []int32{0})),
		"not UTF-8": one("\xff"),
	}
	for _, name := range s.files.NoItems {
		tables[fmt.Sprintf("the item %q", name)] = one(name)
	}
	for what, t := range tables {
		var out bytes.Buffer
		err := s.f.Write(context.Background(), &out, t, dialect.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), `column "`) || strings.Contains(err.Error(), "\n") {
			return fmt.Errorf("%s, which no file can hold: %v", what, err)
		}
		if out.Len() > 0 {
			return fmt.Errorf("%s: %d bytes were written before an error that could be foreseen", what, out.Len())
		}
	}
	return nil
}

// besideOthers takes sets there and back, beside numbers and labels and alone, where the format holds them.
func (s *suite) besideOthers() error {
	if s.f.Holds != dialect.SetsToo {
		return nil
	}
	if len(s.files.Items) < 5 || len(s.files.NoItems) == 0 {
		return errors.New("the test gives no five items, or none that is refused")
	}
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		t := draw(r)
		c := s.drawSets(r, t.Rows())
		two := c
		two.Name = "more of them"
		all, err := table.New(slices.Concat([]table.Column{c}, t.Columns(), []table.Column{two})...)
		if err != nil {
			return err
		}
		for _, t := range []*table.Table{all, must(c)} {
			if err := s.trip(t); err != nil {
				return fmt.Errorf("seed %d: %w", seed, err)
			}
		}
	}
	for _, name := range s.files.NoItems {
		t := must(table.NumColumn("n", 1, []float64{1}),
			s.sets([][]int32{{1}}, [][]int32{{0}}, []string{s.files.Items[0], name}))
		var out bytes.Buffer
		err := s.f.Write(context.Background(), &out, t, s.ask(t))
		if err == nil || !strings.HasPrefix(err.Error(), `column "items" `) || out.Len() > 0 {
			return fmt.Errorf("the item %q, which no file can hold: %d bytes, %v", name, out.Len(), err)
		}
	}
	return nil
}
