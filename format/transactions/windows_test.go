package transactions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// plain deletes, of the lines of every window, the marked items: those of the list whose place and line add up to an
// odd number, where a line has two of the list or more.
func plain(lines []string, list []uint32, window int) (out string, d Deletion) {
	for n, line := range lines {
		line, cr := strings.CutSuffix(line, "\r")
		var have []uint32
		for _, word := range strings.Fields(line) {
			var id uint32
			if _, err := fmt.Sscanf(word, "%d", &id); err == nil && slices.Contains(list, id) && !slices.Contains(have, id) {
				have = append(have, id)
			}
		}
		lost := 0
		words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
		kept := slices.DeleteFunc(slices.Clone(words), func(word string) bool {
			var id uint32
			_, err := fmt.Sscanf(word, "%d", &id)
			return err == nil && len(have) > 1 && slices.Contains(list, id) && (slices.Index(list, id)+n%window)%2 == 1
		})
		for _, id := range have {
			if len(have) > 1 && (slices.Index(list, id)+n%window)%2 == 1 {
				lost++
			}
		}
		if lost > 0 {
			line = strings.Join(kept, " ")
			d.Changed++
		}
		d.Items, d.Lines = d.Items+lost, d.Lines+1
		if out += line; cr {
			out += "\r"
		}
		out += "\n"
	}
	return out, d
}

func oddOnes(w *Window) []bool {
	gone := make([]bool, len(w.Items))
	for i := range w.Size {
		for k := w.Start[i]; k < w.Start[i+1] && w.Start[i+1]-w.Start[i] > 1; k++ {
			gone[k] = (int(w.Items[k])+i)%2 == 1
		}
	}
	return gone
}

// TestDelete: what is deleted, and what stays as it was written, is that of a loop over words, whatever the windows and
// the pieces in which the file comes.
func TestDelete(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"1", "2", "3", "65539", "?2", "007", "4", "40"})
		var lines []string
		for range rapid.IntRange(0, 12).Draw(t, "lines") {
			line := strings.Join(rapid.SliceOfN(word, 0, 5).Draw(t, "line"),
				rapid.SampledFrom([]string{" ", "  ", "\t"}).Draw(t, "between"))
			lines = append(lines, line+rapid.SampledFrom([]string{"", " ", "\r"}).Draw(t, "end"))
		}
		list := []uint32{1, 2, 3, 7, 40}
		window := rapid.IntRange(1, 13).Draw(t, "window")
		want, did := plain(lines, list, window)
		text := strings.Join(lines, "\n")
		if len(lines) > 0 && (lines[len(lines)-1] == "" || rapid.Bool().Draw(t, "ended")) {
			text += "\n"
		}
		var in io.Reader = strings.NewReader(text)
		if rapid.Bool().Draw(t, "in pieces") {
			in = iotest.OneByteReader(in)
		}
		var out bytes.Buffer
		got := must.Get(Delete(context.Background(), &out, in, list, window, oddOnes, nil))(t)
		if out.String() != want || got != did {
			t.Fatalf("%q by %d: %q, %+v, want %q, %+v", text, window, out.String(), got, want, did)
		}
	})
}

// TestDeleteSizes tells how many different items a line has for sure, listed or not.
func TestDeleteSizes(t *testing.T) {
	var sizes []int32
	_, err := Delete(
		t.Context(),
		io.Discard,
		strings.NewReader("5 5 4\n\n?\n9 ?8 1\n"),
		[]uint32{1},
		9,
		func(w *Window) []bool {
			sizes = slices.Clone(w.Size)
			return nil
		},
		nil,
	)
	if want := []int32{2, 0, 0, 2}; err != nil || !slices.Equal(sizes, want) {
		t.Errorf("sizes %v, want %v; %v", sizes, want, err)
	}
}

// TestDeleteFaults: a fault names its line in the file, the first of several, whatever the windows; so does what
// reading and writing meet.
func TestDeleteFaults(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"1 2\n\n3 x\ny\n", "line 3, byte 3: an item is a whole number"},
		{"1\n2\n3\n-4\n", "line 4, byte 1"},
		{"1\n9999999999\n", "line 2, byte 1: an item is a whole number from 0 to 2147483647"},
		{"1\n? 2\n", "line 2, byte 1"},
		{"1\n?x\n", "line 2, byte 1"},
	} {
		for window := 1; window < 5; window++ {
			_, err := Delete(t.Context(), io.Discard, strings.NewReader(x.text), []uint32{1}, window, oddOnes, nil)
			if err == nil || !strings.HasPrefix(err.Error(), x.want) {
				t.Errorf("%q by %d: %v, want %s", x.text, window, err, x.want)
			}
		}
	}
	broken := errors.New("the disk is full")
	if _, err := Delete(t.Context(), io.Discard, io.MultiReader(strings.NewReader("1\n2\n"), iotest.ErrReader(broken)),
		nil, 1, oddOnes, nil); !errors.Is(err, broken) {
		t.Errorf("reading: %v", err)
	}
	if _, err := Delete(t.Context(), failing{broken}, strings.NewReader("1\n2\n"), nil, 1, oddOnes, nil); !errors.Is(
		err, broken) {
		t.Errorf("writing: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Delete(ended, io.Discard, strings.NewReader("1\n2\n"), nil, 1, oddOnes, nil); !errors.Is(err,
		context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// BenchmarkDelete copies a million transactions without an item here and there: on two quiet cores 0.11 s, where
// slices.Sort of 1,000,000 random float64 took 0.11 s.
func BenchmarkDelete(b *testing.B) {
	var text []byte
	for i := range 1_000_000 {
		for k := range 10 {
			text = fmt.Appendf(text, "%d ", 100*k+(i*(k+3))%97)
		}
		text[len(text)-1] = '\n'
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		must.Get(Delete(b.Context(), io.Discard, bytes.NewReader(text), []uint32{3, 105, 210}, 40_000, oddOnes, nil))(b)
	}
}
