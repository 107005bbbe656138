package dialect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// TestLikeRecord: names that are values of their columns are a record, names that are none are not, and of real headers
// none is taken for a record.
func TestLikeRecord(t *testing.T) {
	num := func(v ...float64) table.Column { return table.NumColumn("", 0, v) }
	cat := func(labels string, codes ...int32) table.Column {
		return table.CatColumn("", strings.Split(labels, " "), codes)
	}
	ages, sexes := num(31, 40, 52, 18), cat("m f", 0, 1, 0, 0)
	codes := make([]float64, 60)
	for i := range codes {
		codes[i] = float64(i % 2)
	}
	for _, c := range []struct {
		names string
		cols  []table.Column
		want  bool
	}{
		{"32 m", []table.Column{ages, sexes}, true},
		{"32 other", []table.Column{ages, sexes}, true},
		{"17 m", []table.Column{ages, sexes}, true}, // beside the others
		{"- m", []table.Column{ages, sexes}, true},  // a missing value
		{"<5 m", []table.Column{ages, sexes}, true}, // which is no name either
		{"age sex", []table.Column{ages, sexes}, false},
		{"age m", []table.Column{ages, sexes}, false},
		{"P0007 Miller", []table.Column{cat("P0001 P0002 P0003", 0, 1, 2), cat("Smith Jones Kim", 0, 1, 2)}, true},
		{"q1", []table.Column{cat("a1 a2", 0, 1, 0, 1, 0, 1, 0, 1, 0, 1)}, false},
		{"name", []table.Column{cat("Smith Jones Kim", 0, 1, 2)}, false},
		{"1980-01-02", []table.Column{table.DateColumn("", calendar.ISO, []float64{1, 2})}, true},
		{"born", []table.Column{table.DateColumn("", calendar.ISO, []float64{1, 2})}, false},
		{"country 2019 2020 2021", []table.Column{cat("CH DE", 0, 1), num(5, 8), num(6, 9), num(7, 1)}, false},
		{"country 1990 2000", []table.Column{cat("CH DE", 0, 1), num(5e6, 8), num(6e6, 9)}, false},
		{"1971 1999", []table.Column{num(1950, 1980), num(1990, 2001)}, true}, // years above years
		{"1 2 3 4 5 6 7", []table.Column{ages, ages, ages, ages, ages, ages, ages}, false},
		{"0 1 2 3", []table.Column{num(codes...), num(codes...), cat("2 7", 0, 1), num(3, 8)}, false}, // pandas
		{"\x00 1 2 3 4", []table.Column{ages, num(codes...), num(codes...), cat("3 7", 0, 1), num(4, 8)}, false},
		{"1 2 4 3", []table.Column{num(codes...), num(2, 8), cat("4 7", 0, 1), num(3, 8)}, true},
		{"0 1 2", []table.Column{num(codes...), num(codes...), num(2, 8)}, true},
		{"101 205 77", []table.Column{num(codes...), num(codes...), num(codes...)}, false},
		{"1 0 1", []table.Column{num(codes...), num(codes...), num(codes...)}, true},
		{"\x001 m", []table.Column{ages, sexes}, true},
	} {
		if got := LikeRecord(strings.Split(c.names, " "), c.cols, '.'); got != c.want {
			t.Errorf("%q: like a record: %t", c.names, got)
		}
	}
}

// TestNamesOfNumbersAndRows: names that the reader gives do not meet those that are there.
func TestNamesOfNumbersAndRows(t *testing.T) {
	got := fmt.Sprint(NumberedName(0), NumberedName(11), RowName(nil), RowName([]string{"row", "row1"}))
	if got != "c1 c12 row row2" && got != "c1c12rowrow2" {
		t.Error(got)
	}
}
