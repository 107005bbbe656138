package pseudonym

import (
	"crypto/hmac"
	"crypto/sha256"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// column is the column of pseudonyms by a source that has a seed.
func column(c table.Column, src rng.Source) table.Column {
	out, err := Column(c, src)
	if err != nil {
		panic(err)
	}
	return out
}

func source(b byte) rng.Source { return rng.New([32]byte{b}) }

func text(c table.Column, i int) string {
	if c.Cat[i] < 0 {
		return "?"
	}
	return c.Labels[c.Cat[i]]
}

// twin writes the definition out for one value.
func twin(src rng.Source, value string) string {
	mac := hmac.New(sha256.New, key(src))
	mac.Write([]byte(value))
	return encoding.EncodeToString(mac.Sum(nil)[:16])
}

func TestColumnAgainstItsDefinition(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfNDistinct(rapid.String(), 1, 8, rapid.ID[string]).Draw(t, "labels")
		codes := rapid.SliceOfN(rapid.Int32Range(-1, int32(len(labels)-1)), 0, 20).Draw(t, "codes")
		src := source(rapid.ByteMin(1).Draw(t, "seed"))
		in := table.CatColumn("id", labels, codes)
		in.Role = table.Identifier
		before := slices.Clone(codes)
		out := column(in, src)
		if !slices.Equal(before, codes) {
			t.Fatal("the input was changed")
		}
		if out.Name != "id" || out.Role != table.Identifier || out.Kind != table.Categorical || out.Ordered {
			t.Fatalf("attribute is %+v", out.Attribute)
		}
		if !slices.IsSorted(out.Labels) {
			t.Fatal("labels are not sorted: their order tells about the originals")
		}
		seen := map[int32]bool{}
		for i, v := range codes {
			want := "?"
			if v >= 0 {
				want = twin(src, labels[v])
				seen[v] = true
			}
			if got := text(out, i); got != want {
				t.Fatalf("row %d: got %q, want %q", i, got, want)
			}
		}
		if len(out.Labels) != len(seen) {
			t.Fatalf("%d labels for %d values in use", len(out.Labels), len(seen))
		}
	})
}

func TestNumbersMeetTheirText(t *testing.T) {
	num := table.NumColumn("id", 1, []float64{17, math.NaN(), 4, 17})
	cat := table.CatColumn("other", []string{"4", "17"}, []int32{1, -1, 0, 1})
	a, b := column(num, source(1)), column(cat, source(1))
	for i := range 4 {
		if text(a, i) != text(b, i) {
			t.Errorf("row %d: %q from the number, %q from its text", i, text(a, i), text(b, i))
		}
	}
	if text(a, 1) != "?" {
		t.Error("a missing value got a pseudonym")
	}
}

func TestRunsCannotBeJoined(t *testing.T) {
	in := table.CatColumn("id", []string{"ann"}, []int32{0})
	a, b := text(column(in, source(1)), 0), text(column(in, source(2)), 0)
	if a == b {
		t.Error("two secrets gave the same pseudonym")
	}
	if len(a) != 26 || strings.Trim(a, "abcdefghijklmnopqrstuvwxyz234567") != "" {
		t.Errorf("pseudonym %q is not 26 characters of lower-case base32", a)
	}
}

func TestEmptyColumns(t *testing.T) {
	for _, c := range []table.Column{table.CatColumn("id", nil, []int32{}), table.NumColumn("id", 1, []float64{}),
		table.NumColumn("id", 1, []float64{math.NaN()})} {
		out := column(c, source(1))
		if len(out.Labels) != 0 || len(out.Cat) != max(len(c.Num), len(c.Cat)) {
			t.Errorf("%+v became %+v", c, out)
		}
	}
}

// A million distinct identifiers take about 8 times as long as slices.Sort on a million random float64.
func BenchmarkColumn(b *testing.B) {
	const n = 1_000_000
	labels, codes := make([]string, n), make([]int32, n)
	for i := range labels {
		labels[i], codes[i] = "patient-"+strconv.Itoa(i), int32(i)
	}
	in := table.CatColumn("id", labels, codes)
	r := source(1).Rand()
	random := make([]float64, n)
	for i := range random {
		random[i] = r.Float64()
	}
	b.Run("column", func(b *testing.B) {
		for b.Loop() {
			column(in, source(1))
		}
		yardstick.Report(b)
	})
	b.Run("sort", func(b *testing.B) {
		for b.Loop() {
			slices.Sort(slices.Clone(random))
		}
		yardstick.Report(b)
	})
}

// TestSets gives every item its pseudonym: that of the same text as an identifier.
func TestSets(t *testing.T) {
	src := rng.New([32]byte{1})
	c := table.SetColumn("cards", []string{"unused", "x", "y"},
		table.SetsOf([][]int32{{2}, nil, {1, 2}}, [][]int32{nil, nil, nil}))
	one := column(table.CatColumn("card", []string{"x", "y"}, []int32{0, 1}), src)
	out := column(c, src)
	if out.Kind != table.SetValued || !slices.Equal(out.Labels, one.Labels) || !out.MissingAt(1) {
		t.Fatalf("got %+v", out)
	}
	if y := out.Sets.Present.Row(0); len(y) != 1 || y[0] != one.Cat[1] || len(out.Sets.Present.Row(2)) != 2 {
		t.Errorf("got %v", out.Sets)
	}
}
