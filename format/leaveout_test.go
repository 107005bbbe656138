package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// TestLeaveOut: in every format a table is read without the columns that are to be left out, which are no more than
// noted; names of no column are nothing, and a table of no column is refused.
func TestLeaveOut(t *testing.T) {
	for _, ext := range extensions(false) {
		in := fitted(ext, small(t))
		var file bytes.Buffer
		if err := format.WriteTo(t.Context(), &file, "t"+ext, in, format.Options{}); err != nil {
			t.Fatal(ext, err)
		}
		read := func(opt format.Options) (*table.Table, *format.Info, error) {
			return format.ReadFrom(t.Context(), "t"+ext, bytes.NewReader(file.Bytes()), opt)
		}
		whole, all, err := read(format.Options{})
		if err != nil {
			t.Fatal(ext, err)
		}
		var names []string
		for j := range whole.Width() {
			names = append(names, whole.Attr(j).Name)
		}
		for j, name := range names {
			got, info, err := read(format.Options{LeaveOut: []string{"no such column", name}})
			rest := slices.Delete(seq(whole.Width()), j, j+1)
			if err != nil || !same(got, whole.Select(rest...)) {
				t.Errorf("%s without %q: %v", ext, name, err)
				continue
			}
			if !slices.Equal(info.LeftOut, []string{name}) || len(info.Notes) > len(all.Notes) {
				t.Errorf("%s without %q: it left out %q and says %v", ext, name, info.LeftOut, info.Notes)
			}
		}
		if _, _, err := read(format.Options{LeaveOut: names}); err == nil || !strings.Contains(err.Error(), "all columns") {
			t.Errorf("%s without all columns: %v", ext, err)
		}
	}
}

func seq(n int) (out []int) {
	for j := range n {
		out = append(out, j)
	}
	return out
}

// TestLeaveOutOfItems: columns are left out before those that hold items become sets.
func TestLeaveOutOfItems(t *testing.T) {
	spec := must.Get(layout.Parse("wide:has_"))(t)
	text := "age,has_a,has_b,has_c\n1,0,1,1\n2,1,0,1\n"
	got, info, err := format.ReadFrom(t.Context(), "t.csv", strings.NewReader(text),
		format.Options{Items: []layout.Spec{spec}, LeaveOut: []string{"has_c"}})
	if err != nil || got.Width() != 2 || !slices.Equal(got.Attr(1).Labels, []string{"a", "b"}) {
		t.Errorf("%v, %v, %v", got, info, err)
	}
}

// TestLeaveOutDamaged changes every byte of files in turn. Where that is refused as a fault of one column, the others
// are read without it, as they were.
func TestLeaveOutDamaged(t *testing.T) {
	in := small(t)
	for _, ext := range []string{".parquet", ".arrow"} {
		var file bytes.Buffer
		must.NoError(t, format.WriteTo(t.Context(), &file, "t"+ext, in, format.Options{}))
		read := func(data []byte, opt format.Options) (*table.Table, error) {
			got, _, err := format.ReadFrom(t.Context(), "t"+ext, bytes.NewReader(data), opt)
			return got, err
		}
		whole := must.Get(read(file.Bytes(), format.Options{}))(t)
		faults := 0
		for at := range file.Bytes() {
			data := bytes.Clone(file.Bytes())
			data[at] ^= 0xff
			_, err := read(data, format.Options{})
			if err == nil || !strings.Contains(err.Error(), "--leave-out") {
				continue
			}
			for j := range whole.Width() {
				name := whole.Attr(j).Name
				if !strings.Contains(err.Error(), fmt.Sprintf("column %q: ", name)) {
					continue
				}
				faults++
				got, err := read(data, format.Options{LeaveOut: []string{name}})
				if err != nil || !same(got, whole.Select(slices.Delete(seq(whole.Width()), j, j+1)...)) {
					t.Errorf("%s, byte %d: without %q: %v", ext, at, name, err)
				}
			}
		}
		t.Logf("%s: %d faults of one column", ext, faults)
		if faults == 0 {
			t.Errorf("%s: no byte is a fault of one column", ext)
		}
	}
}

// TestLeaveOutUnheld: a column that no table can hold is left out without a note where that was asked.
func TestLeaveOutUnheld(t *testing.T) {
	for _, text := range []string{`{"a":1,"b":{"c":2}}`, `{"a":1,"b":[[2]]}`, `{"a":1,"b":1e999}`} {
		for _, asked := range [][]string{nil, {"b"}} {
			got, info, err := format.ReadFrom(t.Context(), "t.jsonl", strings.NewReader(text+"\n"),
				format.Options{LeaveOut: asked})
			if err != nil || got.Width() != 1 || !slices.Equal(info.LeftOut, []string{"b"}) ||
				len(info.Notes) != 1-len(asked) {
				t.Errorf("%s without %q: %v, %v", text, asked, info, err)
			}
		}
	}
}

// TestUnread: the error says how the other columns are read, and keeps its cause.
func TestUnread(t *testing.T) {
	cause := errors.New("why")
	if err := dialect.Unread("a", cause); !errors.Is(err, cause) || !strings.Contains(err.Error(), `column "a": why`) {
		t.Error(err)
	}
}
