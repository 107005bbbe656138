package report

import (
	"os"
	"runtime"
	"testing"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// A report on tables that are larger than the memory is that on tables on the heap, and nothing on the heap is as long
// as the tables meanwhile.
func TestLargerThanTheMemory(t *testing.T) {
	long.Only(t, "a million records")
	in, err := mmap.New(t.TempDir(), 1<<40, func(err error) { t.Error(err) })
	if err != nil && (runtime.GOOS == "linux" || os.Getenv("CI") == "true") {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
	defer in.Close()
	const rows = 1 << 20
	here := sample(t, rows, 3, 2, func(s string) string { return s })
	for j := range here.Released.Width() {
		// of other categories than the original
		if here.Released, err = here.Released.WithColumn(j, here.Released.Column(j).Compact()); err != nil {
			t.Fatal(err)
		}
	}
	day := *here.Original.Attr(2)
	day.Dates, day.Step = "yyyy-mm-dd", 1
	here.Original, here.Released = here.Original.WithAttr(2, day), here.Released.WithAttr(2, day)
	there := *here
	for _, tab := range []**table.Table{&there.Original, &there.Released} {
		if *tab, err = tabletest.Into(in, *tab); err != nil {
			t.Fatal(err)
		}
	}
	for _, opt := range []Options{{}, {Public: true}} {
		want := render(t, here, opt)
		var got string
		where, most := tabletest.Largest(func() { got = render(t, &there, opt) })
		if got != want {
			t.Errorf("%+v: another report", opt)
		}
		if most >= rows {
			t.Errorf("%+v: %stakes %d bytes of the heap for %d records", opt, where, most, rows)
		}
	}
}

// Where some people are tried, what is said of single ones is of them.
func TestSomePeople(t *testing.T) {
	o := sample(t, 50, 2, 1, func(s string) string { return s })
	o.Some = o.Original.Gather([]int{7, 30, 41})
	b := believed{row: 1, p: []float64{0.5, 0.25}, own: 0}
	if got := suspects("x", o, b); len(got) != 1 || got[0].Title.String() != "Who is the person in row 31?" {
		t.Errorf("the second of three people is %+v", got)
	}
	if got := suspects("x", o, believed{row: 3, p: b.p}); got != nil {
		t.Errorf("the fourth of three people is %+v", got)
	}
	if (&study.Outcome{Original: o.Original}).Judged() != o.Original || o.Judged() != o.Some {
		t.Error("the people who are tried are others")
	}
}

// believed is a detail made by hand.
type believed struct {
	row, own int
	p        []float64
}

func (b believed) Believed() (row int, p []float64, own int) { return b.row, b.p, b.own }
