package reading_test

import (
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
)

// TestBlankReadsNoWords: where a column becomes numbers, the note that it is read as categories goes by what it is
// about, whatever its words, and a note with the same words about something else stays.
func TestBlankReadsNoWords(t *testing.T) {
	tb, err := table.New(table.CatColumn("n", []string{"1", "2", "none"}, []int32{0, 1, 2}),
		table.CatColumn("m", []string{"x"}, []int32{0, 0, 0}))
	must.NoError(t, err)
	info := &format.Info{}
	info.NoteText("n", message.Text("in any words"))
	info.NoteText("m", message.Text("of another column"))
	info.Note(message.Text("it is read as categories"))
	tb, err = reading.Blank(tb, map[string][]string{"n": {"none"}}, format.Options{}, info)
	if err != nil || tb.Attr(0).Kind != table.Numeric {
		t.Fatal(tb.Attr(0).Kind, err)
	}
	if len(info.Notes) != 3 || info.Notes[0].AsText != "m" || info.Notes[1].String() != "it is read as categories" {
		t.Errorf("%q", info.Notes)
	}
}
