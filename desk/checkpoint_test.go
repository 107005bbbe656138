package desk

import (
	"bytes"
	"errors"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/stats/mannwhitney"
	"github.com/dither-data/dither/internal/system/filelock"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// someCells are finished runs with everything that a checkpoint must bring back: a run that failed, a measure that
// failed, one that does not apply, no number, parts, notes and samples.
func someCells() []study.Cell {
	return []study.Cell{
		{
			Fold:    1,
			Repeat:  1,
			Seconds: 0.25,
			Scores: []study.Score{
				{
					Score: 1,
					Lo:    0.5,
					Hi:    1.5,
					Parts: []measure.Part{{Key: "a", Name: message.Name("a"), Score: 2}, {Key: "b", Of: "x", Score: math.Inf(1)}},
					Notes: []message.Sentence{measure.Sample(10, 30)},
				},
			},
		},
		{Setting: 1, Fold: 1, Repeat: 1, Err: "no tree"},
		{Setting: 1, Fold: 2, Repeat: 1, Scores: []study.Score{{Err: message.Text("no pairs")}}},
		{
			Setting: 1,
			Fold:    2,
			Repeat:  2,
			Scores: []study.Score{
				{Err: message.Text("no records"), Skip: true, Samples: []mannwhitney.Sample{{Name: "s", Values: []float64{1, 2}}}},
			},
		},
	}
}

func keeping(t *testing.T) *study.CompareRequest {
	t.Helper()
	bias := must.Get(catalog.Measure("bias"))(t)
	return &study.CompareRequest{Version: "dither test", Measures: []study.Spec{{Measure: bias}}, Folds: 2, Repeats: 2}
}

// keep opens a checkpoint, adds cells to it and closes it.
func keep(t *testing.T, path string, cells []study.Cell) (had []study.Cell) {
	t.Helper()
	q := keeping(t)
	c := must.Get(openCheckpoint(path, q))(t)
	for _, cell := range cells {
		must.NoError(t, q.Finished(cell))
	}
	if got := int(c.lines.Load()); got != len(q.Done)+len(cells) {
		t.Errorf("the checkpoint says that it keeps %d runs, of %d", got, len(q.Done)+len(cells))
	}
	must.NoError(t, c.file.Close())
	return q.Done
}

// sameCells compares cells as they are written: JSON knows no NaN, which is not itself.
func sameCells(t *testing.T, a, b []study.Cell) bool {
	t.Helper()
	text := func(cells []study.Cell) (all []byte) {
		for _, c := range cells {
			line := must.Get(study.EncodeCell(c))(t)
			all = append(all, line...)
		}
		return all
	}
	return bytes.Equal(text(a), text(b))
}

// TestTorn tears a checkpoint at every byte: the whole runs before the tear are there, what is left of the next is cut
// off, and the comparison that adds the others ends with the same file.
func TestTorn(t *testing.T) {
	f := newFolder(t)
	cells := someCells()
	if had := keep(t, f.path("whole"), cells); had != nil {
		t.Fatalf("a new checkpoint has %d runs", len(had))
	}
	whole := f.read(t, "whole")
	for cut := 0; cut <= len(whole); cut += long.Of(13, 1) {
		path := f.put(t, "torn", whole[:cut])
		finished := max(0, bytes.Count([]byte(whole[:cut]), []byte("\n"))-1)
		if had := keep(t, path, nil); !sameCells(t, had, cells[:finished]) {
			t.Fatalf("torn at byte %d it has %d runs, expected %d", cut, len(had), finished)
		}
		if kept := f.read(t, "torn"); !strings.HasSuffix(kept, "\n") || kept != whole[:len(kept)] ||
			bytes.Count([]byte(kept), []byte("\n")) != finished+1 {
			t.Fatalf("torn at byte %d it is left with %d bytes", cut, len(kept))
		}
		keep(t, path, cells[finished:])
		if f.read(t, "torn") != whole {
			t.Fatalf("torn at byte %d it does not end with the same bytes", cut)
		}
	}
	if had := keep(t, f.path("whole"), nil); !reflect.DeepEqual(had, cells) {
		t.Errorf("runs come back as %+v", had)
	}
}

// TestSpoiled changes every byte of the header of a checkpoint, and puts a wrong line in its midst: it is refused with
// the line, and keeps its bytes.
func TestSpoiled(t *testing.T) {
	f := newFolder(t)
	keep(t, f.path("whole"), someCells())
	whole := f.read(t, "whole")
	header := bytes.IndexByte([]byte(whole), '\n')
	spoil := func(what, text string, says string) {
		t.Helper()
		_, err := openCheckpoint(f.put(t, "spoiled", text), keeping(t))
		failed(t, what, err, "spoiled: line "+says)
		if f.read(t, "spoiled") != text {
			t.Errorf("%s: what is no checkpoint of the comparison is written to", what)
		}
	}
	for i := range header {
		text := []byte(whole)
		text[i] ^= 1
		spoil("a changed header", string(text), "1")
	}
	lines := bytes.SplitAfter([]byte(whole), []byte("\n"))
	for i := 1; i < len(lines)-1; i++ {
		spoil("a line that is none", string(bytes.Join(slices.Insert(slices.Clone(lines), i, []byte("{\n")), nil)), "")
	}
	other := keeping(t)
	other.Folds = 3
	if _, err := openCheckpoint(f.path("whole"), other); !errors.Is(err, study.ErrOtherRequest) ||
		f.read(t, "whole") != whole {
		t.Errorf("another comparison goes on from it: %v", err)
	}
	must.NoError(t, os.Mkdir(f.path("folder"), 0o755))
	_, err := openCheckpoint(f.path("folder"), keeping(t))
	failed(t, "a folder", err, "folder")
}

// TestOneAtATime: a second comparison on one checkpoint is refused and changes nothing, and one after the first has
// ended goes on.
func TestOneAtATime(t *testing.T) {
	f := newFolder(t)
	first, err := openCheckpoint(f.path("cells"), keeping(t))
	must.NoError(t, err)
	before := f.read(t, "cells")
	if long.Enabled() { // it waits for a second
		_, err = openCheckpoint(f.path("cells"), keeping(t))
		failed(t, "a checkpoint in use", err, "another run is at work")
	} else {
		other := must.Get(os.Open(f.path("cells")))(t)
		defer other.Close()
		if err := filelock.Try(other); !errors.Is(err, filelock.ErrLocked) {
			t.Errorf("a checkpoint in use is not locked: %v", err)
		}
	}
	if f.read(t, "cells") != before {
		t.Error("a comparison that was refused changed the checkpoint")
	}
	must.NoError(t, first.file.Close())
	keep(t, f.path("cells"), someCells())
}

// TestLostCell: a run that cannot be kept fails the comparison, which would otherwise not go on from there.
func TestLostCell(t *testing.T) {
	f := newFolder(t)
	q := keeping(t)
	c := must.Get(openCheckpoint(f.path("cells"), q))(t)
	c.file.Close()
	if q.Finished(someCells()[0]) == nil {
		t.Error("a run that was not written counts as kept")
	}
}
