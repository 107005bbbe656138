package formattest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// declaration checks what the format says of itself.
func (s *suite) declaration() error {
	if err := s.f.Check(); err != nil {
		return err
	}
	if !s.setsOnly() && (s.files.Dates == nil || s.files.Nameless == nil) {
		return errors.New("the test gives no file with dates, or none with a column without a name")
	}
	if (s.setsOnly() || s.f.Write == nil) && len(s.files.More) == 0 {
		return errors.New("the test gives no file")
	}
	if s.f.Write == nil && s.files.Twins == nil {
		return errors.New("the test gives no file with two columns of one name, and there is no writer to make one")
	}
	if s.f.Looks == nil {
		return nil
	}
	some := append([][]byte{s.files.Dates}, s.files.More...)
	for _, data := range [][]byte{nil, {0}, []byte("a,b\n1,2\n"), []byte("some words"), some[len(some)-1][:1]} {
		if s.f.Looks(data) {
			return fmt.Errorf("%q looks like the beginning of a file", data)
		}
	}
	return nil
}

// tables takes the tables there and back.
func (s *suite) tables() error {
	all := s.cases()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name == large && !long.Enabled() {
			continue // which another check takes there and back
		}
		err := s.trip(all[name])
		if name == longTexts && s.f.Loses&dialect.LosesLong != 0 {
			if err == nil || !strings.Contains(err.Error(), "column \"") {
				return fmt.Errorf("%s, which are declared lost: %v", name, err)
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (s *suite) randomTables() error {
	for seed := range long.Of[uint64](50, 300) {
		if err := s.trip(s.draw(rand.New(rand.NewPCG(seed, 1)))); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return nil
}

// refused are the losses of what is not written at all.
const refused = dialect.LosesZeros | dialect.LosesEmpty | dialect.LosesBlanks | dialect.LosesRange

// losses checks that the format keeps all that it does not declare lost, and loses what it declares.
func (s *suite) losses() error {
	if s.setsOnly() {
		return s.lostLabels()
	}
	for _, c := range []struct {
		loss dialect.Loss
		col  table.Column
		kept func(got table.Column) bool
	}{
		{dialect.LosesKinds, table.CatColumn("a", []string{"1", "2"}, []int32{0, 1, 0}),
			func(got table.Column) bool { return got.Kind == table.Categorical }},
		{dialect.LosesLabels, table.CatColumn("a", []string{"z", "y", "x"}, []int32{2, 0}),
			func(got table.Column) bool { return slices.Equal(got.Labels, []string{"z", "y", "x"}) }},
		{dialect.LosesDates, table.CatColumn("a", []string{"2020-01-31", "1999-12-01"}, []int32{0, 1, 0}),
			func(got table.Column) bool { return got.Kind == table.Categorical }},
		{dialect.LosesNotations, table.DateColumn("a", "dd.mm.yyyy", []float64{12, 40}),
			func(got table.Column) bool { return got.Dates == "dd.mm.yyyy" }},
		{dialect.LosesZeros, table.CatColumn("a", []string{"x\x00y"}, []int32{0}),
			func(got table.Column) bool { return slices.Equal(got.Labels, []string{"x\x00y"}) }},
		{dialect.LosesEmpty, table.NumColumn("a", 1, []float64{}), func(table.Column) bool { return true }},
		{dialect.LosesNames, table.NumColumn("a b", 1, []float64{1}),
			func(got table.Column) bool { return got.Name == "a b" }},
		{dialect.LosesBlanks, table.CatColumn("a", []string{"x "}, []int32{0}),
			func(got table.Column) bool { return slices.Equal(got.Labels, []string{"x "}) }},
		{dialect.LosesRange, table.NumColumn("a", 0, []float64{1e300}),
			func(got table.Column) bool { return got.Num[0] == 1e300 }},
	} {
		declared := s.f.Loses&c.loss != 0
		data, err := s.write(must(c.col), dialect.Options{})
		kept := false
		if err == nil {
			got, _, err := s.read(data, dialect.Options{})
			if err != nil {
				return err
			}
			kept = c.kept(got.Column(0))
		} else if c.loss&refused == 0 {
			return err
		}
		if declared == kept {
			return fmt.Errorf("declared lost: %t, kept: %t: %s", declared, kept, c.loss)
		}
	}
	return nil
}

// dates checks that dates are numbers of days in the notation of ISO 8601, also when they are written and read again.
func (s *suite) dates() error {
	if s.setsOnly() {
		return nil
	}
	t, info, err := s.read(bytes.Clone(s.files.Dates), dialect.Options{})
	for range 2 {
		if err != nil {
			return err
		}
		j := t.Find("day")
		if j < 0 || t.Attr(j).Dates != calendar.ISO || t.Rows() != 3 {
			return errors.New("the file with dates has no column of three days")
		}
		c := t.Column(j)
		for i, want := range []string{"20455", "nothing", "-1"} {
			if got := cell(&c, i); got != want {
				return fmt.Errorf("day %d is %s, expected %s", i+1, got, want)
			}
		}
		if s.f.Write == nil {
			return nil
		}
		var data []byte
		if data, err = s.write(t, info.Like(dialect.Options{})); err == nil {
			t, info, err = s.read(data, dialect.Options{})
		}
	}
	return nil
}

// names checks that a name that stands twice, and a missing one, are refused.
func (s *suite) names() error {
	if s.setsOnly() {
		return nil
	}
	twins := bytes.Clone(s.files.Twins)
	if twins == nil {
		data, err := s.write(must(table.NumColumn("twin1", 1, []float64{1}), table.NumColumn("twin2", 1, []float64{2})),
			dialect.Options{})
		if err != nil {
			return err
		}
		if twins = bytes.ReplaceAll(data, []byte("twin2"), []byte("twin1")); bytes.Equal(twins, data) {
			return errors.New("the names of columns do not stand in the file")
		}
	}
	if _, _, err := s.read(twins, dialect.Options{}); err == nil || !strings.Contains(err.Error(), `"twin1"`) {
		return fmt.Errorf("two columns of one name: %v", err)
	}
	if _, _, err := s.read(bytes.Clone(s.files.Nameless), dialect.Options{}); err == nil ||
		!strings.Contains(err.Error(), "name") {
		return fmt.Errorf("a column without a name: %v", err)
	}
	return nil
}

// refusals checks that what no file can hold is refused before anything is written.
func (s *suite) refusals() error {
	if s.setsOnly() {
		return s.refusedSets()
	}
	odd := []table.Column{
		table.NumColumn("a", 1, []float64{1, math.Inf(1)}), table.NumColumn("a", 0, []float64{math.Inf(-1)}),
		table.CatColumn("a", []string{"x", "\xff"}, []int32{0, 1}), table.NumColumn("a\xff", 1, []float64{1}),
	}
	if s.f.Holds == dialect.NoSets {
		odd = append(odd, tabletest.Baskets("a", 3)) // of a kind that the format does not know
	}
	for _, c := range odd {
		var out bytes.Buffer
		err := s.f.Write(context.Background(), &out, must(table.NumColumn("sound", 1, make([]float64, c.Len())), c),
			dialect.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("column %q ", c.Name)) ||
			strings.Contains(err.Error(), "\n") {
			return fmt.Errorf("column %q, which no file can hold: %v", c.Name, err)
		}
		if out.Len() > 0 {
			return fmt.Errorf("%d bytes were written before an error that could be foreseen", out.Len())
		}
	}
	return nil
}

// sample returns a sound file, what is in it, and how it is read: a table that is written, or for a format without a
// writer the last file that the test gives.
func (s *suite) sample(make func() *table.Table) (data []byte, t *table.Table, opt dialect.Options, err error) {
	if s.f.Write == nil {
		data = s.files.More[len(s.files.More)-1]
		t, _, err = s.read(bytes.Clone(data), s.files.Options)
		return data, t, s.files.Options, err
	}
	t = make()
	opt = s.ask(t)
	opt.Progress = func(int64, int64) {}
	data, err = s.write(t, opt)
	return data, t, opt, err
}

// ownership checks that data are not written to, nor held by the table.
func (s *suite) ownership() error {
	was, t, opt, err := s.sample(s.small)
	if err != nil {
		return err
	}
	data := slices.Clip(bytes.Clone(was))
	got, _, err := s.read(data, opt)
	if err != nil {
		return err
	}
	if !bytes.Equal(data, was) {
		return errors.New("the reader wrote to its data")
	}
	for i := range data {
		data[i] = '#'
	}
	if err := s.same(t, got); err != nil {
		return fmt.Errorf("the table changes with the data it was read from: %w", err)
	}
	return nil
}

// cores checks that neither the bytes nor the table depend on the number of cores.
func (s *suite) cores() error {
	t := s.big()
	var first []byte
	for _, n := range []int{1, 2, 5}[:long.Of(2, 3)] {
		err := func() error {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
			data, err := s.write(t, s.ask(t))
			if err != nil {
				return err
			}
			if first == nil {
				first = data
			}
			if !bytes.Equal(first, data) {
				return errors.New("other bytes")
			}
			got, _, err := s.read(data, s.ask(t))
			if err != nil {
				return err
			}
			return s.same(t, got)
		}()
		if err != nil {
			return fmt.Errorf("%d cores: %w", n, err)
		}
	}
	return nil
}

// progress checks that it never falls and never passes its end.
func (s *suite) progress() (err error) {
	data, t, opt, fault := s.sample(s.big)
	var last, calls int64
	opt.Progress = func(done, total int64) {
		if calls++; done < last || done > total {
			err = fmt.Errorf("progress went from %d to %d of %d", last, done, total)
		}
		last = done
	}
	if fault == nil && s.f.Write != nil {
		if _, fault = s.write(t, opt); fault == nil && calls == 0 {
			fault = errors.New("no progress was told while writing")
		}
	}
	if last, calls = 0, 0; fault == nil {
		_, _, fault = s.read(data, opt)
	}
	if fault == nil && calls == 0 {
		fault = errors.New("no progress was told while reading")
	}
	return errors.Join(fault, err)
}

// cancelled checks that a context that has ended ends the work.
func (s *suite) cancelled() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, make := range []func() *table.Table{s.small, s.big}[:long.Of(1, 2)] {
		data, t, opt, err := s.sample(make)
		if err != nil {
			return err
		}
		if s.f.Write != nil {
			var out bytes.Buffer
			if err := s.f.Write(ctx, &out, t, opt); !errors.Is(err, context.Canceled) {
				return fmt.Errorf("a cancelled writer says %v", err)
			}
			if out.Len() >= len(data) {
				return errors.New("a cancelled writer wrote everything")
			}
		}
		if _, _, err := s.f.Read(ctx, data, opt); !errors.Is(err, context.Canceled) {
			return fmt.Errorf("a cancelled reader says %v", err)
		}
	}
	return nil
}

var errDisk = errors.New("the disk is full")

// disk takes so many bytes.
type disk struct{ left int }

// Write fails once the disk is full.
func (d *disk) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return max(0, len(p)+d.left), errDisk
	}
	return len(p), nil
}

// fullDisk checks that an error of the disk ends the writing, wherever it comes.
func (s *suite) fullDisk() error {
	for _, make := range []func() *table.Table{s.small, s.big}[:long.Of(1, 2)] {
		t := make()
		data, err := s.write(t, s.ask(t))
		if err != nil {
			return err
		}
		for _, left := range []int{0, 1, len(data) / 2, len(data) - 1} {
			if err := s.f.Write(context.Background(), &disk{left}, t, s.ask(t)); !errors.Is(err, errDisk) {
				return fmt.Errorf("a disk with room for %d of %d bytes: %v", left, len(data), err)
			}
		}
	}
	return nil
}

// pieces checks that the pieces of a file, put together, are what is read whole.
func (s *suite) pieces() error {
	if s.f.Pieces == nil {
		return nil
	}
	none := func() *table.Table { return must(table.NumColumn("n", 1, []float64{})) }
	for _, make := range []func() *table.Table{small, none, big}[:long.Of(2, 3)] {
		t := make()
		opt := s.ask(t)
		data, err := s.write(t, opt)
		if err != nil {
			return err
		}
		whole, _, err := s.read(bytes.Clone(data), opt)
		if err != nil {
			return err
		}
		for _, rows := range []int{1 + t.Rows()/7, t.Rows() + 1} {
			if err := s.together(data, whole, rows, opt); err != nil {
				return fmt.Errorf("pieces of %d rows: %w", rows, err)
			}
		}
	}
	return nil
}

func (s *suite) together(data []byte, whole *table.Table, rows int, opt dialect.Options) error {
	at, labels := 0, make([][]string, whole.Width())
	for p, err := range s.f.Pieces(context.Background(), bytes.NewReader(data), int64(len(data)), rows, opt) {
		if err != nil {
			return err
		}
		if p.Rows() > rows || at+p.Rows() > whole.Rows() || p.Width() != whole.Width() {
			return fmt.Errorf("a piece has %d columns of %d rows, behind %d rows of %d", p.Width(), p.Rows(), at, whole.Rows())
		}
		part := whole.Slice(at, at+p.Rows())
		for j := range p.Width() {
			w, g := part.Column(j), p.Column(j)
			if len(g.Labels) < len(labels[j]) || !slices.Equal(g.Labels[:len(labels[j])], labels[j]) {
				return fmt.Errorf("column %q: the labels do not go on from those of the piece before", w.Name)
			}
			labels[j] = g.Labels
			for i := range p.Rows() {
				if cell(&w, i) != cell(&g, i) || w.Name != g.Name || w.Kind != g.Kind {
					return fmt.Errorf("column %q differs in row %d", w.Name, at+i+1)
				}
			}
		}
		at += p.Rows()
	}
	if at != whole.Rows() {
		return fmt.Errorf("they hold %d rows, expected %d", at, whole.Rows())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, err := range s.f.Pieces(ctx, bytes.NewReader(data), int64(len(data)), rows, opt) {
		if err != nil {
			return ifNot(err, context.Canceled)
		}
	}
	return errors.New("a cancelled reader went on to the end")
}

// ifNot returns an error unless err is the one that is meant.
func ifNot(err, want error) error {
	if errors.Is(err, want) {
		return nil
	}
	return fmt.Errorf("got %w, expected %w", err, want)
}
