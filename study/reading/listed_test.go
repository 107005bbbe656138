package reading_test

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Values that a hierarchy does not list are named by where they first stand: by the line where records are lines.
func TestListedNamesPlaces(t *testing.T) {
	h := &hierarchy.Hierarchy{Attribute: "ward", Names: [][]string{{"east", "north, old"}, {"*"}}}
	tab := func(codes ...int32) *table.Table {
		return tabletest.Of(t, table.CatColumn("ward", []string{"east", "North,old", "south", "west", "up"}, codes))
	}
	for _, c := range []struct {
		name string
		t    *table.Table
		info dialect.Info
		want string
	}{
		{"all are listed", tab(0, -1, 0), dialect.Info{FirstLine: 2}, ""},
		{"one", tab(0, 1, 1), dialect.Info{FirstLine: 2}, `w.csv does not list 1 value of column "ward", in 2 records: it ` +
			`first stands in line 3 (but "north, old" is listed, which differs in blanks or letter case only); `},
		{"records that are left out", tab(0, 0, 0, 2).Slice(2, 4), dialect.Info{FirstLine: 2}, "in line 5; "},
		{"two, of a workbook", tab(3, 0, 2), dialect.Info{}, "in 2 records: they first stand in row 1 and row 3; "},
		{"four", tab(3, 2, 2, 1, 4), dialect.Info{FirstLine: 1},
			"in 5 records: the first 3 stand in line 1, line 2 and line 4 (but"},
		{"lines of sets", tab(2), dialect.Info{FirstLine: 2, Items: []layout.Spec{{}}}, "in row 1; "},
	} {
		err := reading.Listed(h, c.t, 0, "w.csv", &c.info)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
