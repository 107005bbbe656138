package xlsx

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
)

// TestFirstRow: a first row that is a record is refused, or read as one; rows above the names are left out, and a first
// column without a name gets one.
func TestFirstRow(t *testing.T) {
	people := cells("32|m|8020", "77|f|8020", "68|m|6020", "43|m|6020")
	numbered := []string{"c1: 32 77 68 43", `c2: "m" "f" "m" "m"`, "c3: 8020 8020 6020 6020"}
	named := []string{"32: 77 68 43", `m: "f" "m" "m"`, "8020: 8020 6020 6020"}
	for _, c := range []struct {
		sheet string
		opt   dialect.Options
		want  []string // nil where it is refused
	}{
		{people, dialect.Options{}, nil},
		{people, dialect.Options{Header: dialect.NoHeader}, numbered},
		{people, dialect.Options{Header: dialect.HasHeader}, named},
		{cells("made in May", "a|b", "1|x", "2|y"), dialect.Options{Skip: 1}, []string{"a: 1 2", `b: "x" "y"`}},
		{cells("|a|b", "0|5|x", "1|7|y"), dialect.Options{}, []string{"row: 0 1", "a: 5 7", `b: "x" "y"`}},
		{cells("|row|b", "|5|x", "1|7|y"), dialect.Options{}, []string{"row1: ? 1", "row: 5 7", `b: "x" "y"`}},
		{cells("age|sex", "32|m", "77|f"), dialect.Options{}, []string{"age: 32 77", `sex: "m" "f"`}},
	} {
		got, _, err := Read(ctx, workbook(t, one, "", "", c.sheet), c.opt)
		if c.want == nil {
			if !errors.Is(err, dialect.ErrHeader) {
				t.Errorf("%+v: %v", c.opt, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", c.opt, err)
			continue
		}
		if d := cmp.Diff(c.want, formattest.Shown(got)); d != "" {
			t.Errorf("%+v (-want +got):\n%s", c.opt, d)
		}
	}
}
