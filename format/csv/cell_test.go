package csv

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

func TestMarksAreFound(t *testing.T) {
	m := newMarks([]string{"?", "NA", "N/A", "-9", "?"})
	for text, want := range map[string]int{"?": 0, "NA": 1, "N/A": 2, "-9": 3, "": -1, "N": -1, "NAN": -1, "na": -1,
		"-": -1, "x": -1, "\xff": -1} {
		if got := m.find([]byte(text)); got != want {
			t.Errorf("%q is mark %d, want %d", text, got, want)
		}
	}
	empty := newMarks([]string{"?", "", "NA", ""})
	if got := empty.find(nil); got != 1 {
		t.Errorf("nothing is mark %d, want 1", got)
	}
	none := newMarks(nil)
	if none.find(nil) != -1 || none.find([]byte("?")) != -1 {
		t.Error("a mark is found where there is none")
	}
}

func TestTrim(t *testing.T) {
	plain, blank := &layout{delim: ',', pad: ' '}, &layout{delim: ' '}
	for _, c := range []struct {
		l          *layout
		text, want string
	}{
		{plain, "x", "x"}, {plain, "  x y ", "x y"}, {plain, "   ", ""}, {plain, "", ""}, {plain, "\tx\t", "\tx\t"},
		{plain, "\u00a0x", "\u00a0x"},
		{blank, "x", "x"}, {blank, "", ""},
	} {
		if got := string(c.l.trim([]byte(c.text))); got != c.want {
			t.Errorf("%q is trimmed to %q, want %q", c.text, got, c.want)
		}
	}
}

func TestUnquote(t *testing.T) {
	for _, c := range []struct {
		data, text string
		end        int
	}{
		{"\"\"\n", "", 2},
		{"\"a\"\n", "a", 3},
		{"\"a,b\nc\",\n", "a,b\nc", 7},
		{"\"\"\"\"\n", `"`, 4},
		{"\"a\"\"b\"\n", `a"b`, 6},
		{"\"\"\"a\"\"\"\n", `"a"`, 7},
		{"\"a\"b\"\n", "a", 3},
		{"\"a\n", "", -1},
		{"\"a\"\"\n", "", -1},
		{"\"\"\"\n", "", -1},
	} {
		buf := []byte("left from before")
		text, end, _ := unquote([]byte(c.data), 0, buf)
		if end != c.end || end >= 0 && string(text) != c.text {
			t.Errorf("%q: %q up to byte %d, want %q up to %d", c.data, text, end, c.text, c.end)
		}
	}
}

// Cells that are cut one by one are those that were put together, whatever the delimiter and the end of the line.
func TestNext(t *testing.T) {
	for _, c := range []struct {
		delim byte
		line  string
		want  []string // cells in quotes begin with one
	}{
		{',', "a,b\n", []string{"a", "b"}},
		{',', "a,b\r\n", []string{"a", "b"}},
		{',', "\n", []string{""}},
		{',', "\r\n", []string{""}},
		{',', ",\n", []string{"", ""}},
		{',', " a , b \n", []string{"a", "b"}},
		{',', `"a","b"` + "\n", []string{`"a`, `"b`}},
		{',', ` "a" , " b " ` + "\r\n", []string{`"a`, `" b `}},
		{',', `"a,b",c` + "\n", []string{`"a,b`, "c"}},
		{',', `"a""b"` + "\n", []string{`"a"b`}},
		{';', "a,b;c\n", []string{"a,b", "c"}},
		{'\t', "a\t\tb\n", []string{"a", "", "b"}},
		{' ', "a  b\n", []string{"a", "", "b"}},
		{'|', "a|\"|\"\n", []string{"a", `"|`}},
	} {
		l := &layout{delim: c.delim, pad: ' '}
		if c.delim == ' ' {
			l.pad = 0
		}
		var got []string
		var buf []byte
		for pos := 0; pos < len(c.line); pos++ {
			text, quoted, end, b := l.next([]byte(c.line), pos, buf)
			if quoted {
				got = append(got, `"`+string(text))
			} else {
				got = append(got, string(text))
			}
			pos, buf = end, b
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.line, d)
		}
	}
}

// What is quoted is unquoted to the same text, and stops where it should.
func TestQuoteAndUnquote(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		want := rapid.StringOf(rapid.SampledFrom([]rune("\"\",\n\ra é"))).Draw(t, "text")
		behind := rapid.SampledFrom([]string{"\n", ",x\n", " ,\"\"\n"}).Draw(t, "behind")
		quoted := quote(want)
		text, end, _ := unquote([]byte(quoted+behind), 0, nil)
		if string(text) != want || end != len(quoted) {
			t.Fatalf("%q is quoted as %q and unquoted to %q up to byte %d", want, quoted, text, end)
		}
	})
}

// The first records decide about a delimiter; what stands in quotes, and empty lines, say nothing.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		data  string
		cells int
		even  bool
	}{
		{"", 1, true}, {"a,b", 2, true}, {"a,b\n", 2, true}, {"a,b\n1,2\n", 2, true}, {"a,b\n1\n", 2, false},
		{"a\n1,2\n", 1, false},
		{"a,b\n\n1,2\n\r\n", 2, true}, {"\"a,b\",c\n1,2\n", 2, true}, {"a,b\n\"1\n2\",3\n", 2, true}, {"a,b\n1,2,", 2, true},
		{"a,b\n" + strings.Repeat("1,2\n", sniffedRecords) + "1\n", 2, true},
		{"a,b\n" + strings.Repeat("1,2\n", sniffedRecords-2) + "1\n", 2, false},
	} {
		if cells, even := cut([]byte(c.data), ','); cells != c.cells || even != c.even {
			t.Errorf("%.40q: %d cells, even %t, want %d, %t", c.data, cells, even, c.cells, c.even)
		}
	}
}

// Shards share one progress, which never falls and never passes the end.
func TestProgressOfShards(t *testing.T) {
	var told []int64
	p := newProgress(func(done, total int64) { told = append(told, done, total) }, 10)
	p.add(4)
	p.add(0)
	p.add(9)
	if want := []int64{4, 10, 4, 10, 10, 10}; !cmp.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	newProgress(nil, 10).add(4) // nobody listens
}

// Every task is done once, however few the workers.
func TestParallel(t *testing.T) {
	for _, n := range []int{1, 2, 7, 100} {
		for _, workers := range []int{1, 2, 3, 200} {
			done := make([]byte, n)
			parallel(n, workers, func(k int) { done[k]++ })
			if !bytes.Equal(done, bytes.Repeat([]byte{1}, n)) {
				t.Errorf("%d tasks, %d workers: done %v times", n, workers, done)
			}
		}
	}
}
