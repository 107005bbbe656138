package dialect

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

func TestLike(t *testing.T) {
	info := &Info{
		Delimiter:    ';',
		DecimalComma: true,
		Missing:      "-",
		CRLF:         true,
		BOM:          true,
		Types:        map[string]string{"a": "int32"},
	}
	for _, c := range []struct {
		name      string
		opt, want Options
	}{
		{"nothing set", Options{}, Options{Delimiter: ';', DecimalComma: true, MissingOut: "-",
			Missing: []string{"", "?", "NA", "NaN", "-"}, CRLF: true, BOM: true, Types: info.Types}},
		{"delimiter and mark", Options{Delimiter: ',', MissingOut: "*", Missing: []string{"*"}},
			Options{Delimiter: ',', MissingOut: "*", Missing: []string{"*"}, CRLF: true, BOM: true, Types: info.Types}},
	} {
		if d := cmp.Diff(c.want, info.Like(c.opt)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	marks := &Info{
		Missing:      "-9",
		MissingMarks: map[string]string{"a": "", "b": "-9", "c": "999"},
		Decimals:     map[string]int{"a": 1},
	}
	want := Options{
		MissingOut:   "-9",
		MissingMarks: marks.MissingMarks,
		Missing:      []string{"", "?", "NA", "NaN", "-9", "999"},
		Decimals:     marks.Decimals,
	}
	if d := cmp.Diff(want, marks.Like(Options{})); d != "" {
		t.Errorf("marks and decimals of columns (-want +got):\n%s", d)
	}
	if got := marks.Like(Options{MissingOut: "*"}); got.MissingMarks != nil {
		t.Errorf("the mark * is asked for, and columns keep %v", got.MissingMarks)
	}
	none := &Info{Delimiter: ','}
	if got := none.Like(Options{Missing: []string{"-9", "-8"}}).MissingOut; got != "-9" {
		t.Errorf("a file without missing values, marks -9 and -8: %q is written", got)
	}
	if len(DefaultMissing) != 4 {
		t.Error("Like wrote into the default marks")
	}
}

func TestForce(t *testing.T) {
	nan := math.NaN()
	tb := must.Get(table.New(table.NumColumn("n", 0.5, []float64{2, nan, 0.5}),
		table.CatColumn("c", []string{"1.50", "7"}, []int32{1, 0, -1}),
		table.CatColumn("d", []string{"x"}, []int32{0, 0, 0})))(t)
	// e is no column
	opt := Options{
		Kinds: map[string]table.Kind{"n": table.Categorical, "c": table.Numeric, "d": table.Categorical, "e": table.Numeric},
	}
	info := new(Info)
	got := must.Get(opt.Force(tb, info))(t)
	if a := got.Attr(0); a.Kind != table.Categorical || !cmp.Equal(a.Labels, []string{"0.5", "2.0"}) ||
		!cmp.Equal(got.Cat(0), []int32{1, -1, 0}) {
		t.Errorf("numbers as categories: %+v, %v", a, got.Cat(0))
	}
	if a := got.Attr(1); a.Step != 0.1 || info.Decimals["c"] != 2 ||
		!cmp.Equal(got.Num(1), []float64{7, 1.5, nan}, cmpopts.EquateNaNs()) {
		t.Errorf("labels as numbers: %+v, %v", a, got.Num(1))
	}
	for name, want := range map[string]string{
		"d": `column "d" holds something else than a number, expected numbers or missing values`,
	} {
		opt := Options{Kinds: map[string]table.Kind{name: table.Numeric}}
		if _, err := opt.Force(tb, info); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
