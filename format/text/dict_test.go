package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// A dictionary numbers texts as a map does, however many there are.
func TestDict(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		var d Dict
		twin := map[string]int32{}
		var want []string
		for k := range rapid.IntRange(0, 400).Draw(t, "texts") {
			text := strings.Repeat(
				"ab",
				rapid.IntRange(0, 3).Draw(t, "length"),
			) + fmt.Sprint(rapid.IntRange(0, 200).Draw(t, "number"))
			if k%50 == 3 {
				text = ""
			}
			code, known := twin[text]
			if !known {
				code = int32(len(want))
				twin[text], want = code, append(want, text)
			}
			bytesOf := []byte(text)
			if got := d.Code(bytesOf); got != code {
				t.Fatalf("%q has code %d, want %d", text, got, code)
			}
			for i := range bytesOf {
				bytesOf[i] = '#' // the caller's buffer is used again
			}
		}
		if diff := cmp.Diff(want, d.Labels()); diff != "" {
			t.Fatalf("labels (-want +got):\n%s", diff)
		}
		for code, text := range want {
			if d.Label(int32(code)) != text {
				t.Fatalf("label %d is %q, want %q", code, d.Label(int32(code)), text)
			}
		}
	})
}

// Among 400,000 texts, short and long ones, each keeps its code.
func TestManyTexts(t *testing.T) {
	var d Dict
	const n = 400_000
	text := func(k int) []byte { return strconv.AppendInt([]byte("a long one"[:10*(k%2)]), int64(k), 36) }
	for range 2 {
		for k := range n {
			if got := d.Code(text(k)); got != int32(k) {
				t.Fatalf("text %d has code %d", k, got)
			}
		}
	}
}

// Joined dictionaries number the texts in the order in which they come, each once.
func TestJoin(t *testing.T) {
	parts := []*Dict{{}, {}, {}}
	for k, texts := range [][]string{{"b", "", "a"}, nil, {"c", "a", ""}} {
		for _, s := range texts {
			parts[k].Code([]byte(s))
		}
	}
	all, codes := Join(parts)
	if d := cmp.Diff([][]int32{{0, 1, 2}, {}, {3, 2, 1}}, codes); d != "" ||
		!slices.Equal(all.Labels(), []string{"b", "", "a", "c"}) {
		t.Errorf("%q (-want +got):\n%s", all.Labels(), d)
	}
}
