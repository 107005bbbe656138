package hierarchy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

func TestPrefix(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   string // the labels of every level above the values
	}{
		{[]string{"10115", "10117", "10245", "80331"}, "1011* 1024* 8033*|10*** 80***|*"},
		{[]string{"E11.9", "E11.2", "E10", "I10"}, "E11* E10 I10|E1* I1*|*"},
		{[]string{"a1"}, "*"},
	} {
		h := Prefix("x", c.values)
		if err := h.Check(); err != nil {
			t.Fatalf("%v: %v", c.values, err)
		}
		var got []string
		for _, names := range h.Names[1:] {
			got = append(got, strings.Join(names, " "))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: %s, want %s", c.values, s, c.want)
		}
	}
}

// TestPrefixAgainstTwin: on every level values are together that begin alike, and a label is how they begin.
func TestPrefixAgainstTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfNDistinct(rapid.StringMatching("[A-C][0-2]{2}(\\.[0-3])?"), 1, 30,
			rapid.ID[string]).Draw(t, "values")
		h := Prefix("x", values)
		must.NoError(t, h.Check())
		last := len(values) + 1
		for level := range h.Names {
			group := h.Raise(0, level)
			if n := len(h.Names[level]); level > 0 && n >= last && !(n == 1 && last == 1) {
				t.Fatalf("level %d joins nothing: %q", level, h.Names)
			} else {
				last = n
			}
			for i, v := range values {
				label := h.Names[level][group[i]]
				if begin := strings.TrimRight(label, Top); !strings.HasPrefix(v, begin) {
					t.Fatalf("%q is in %q", v, label)
				}
				for k, w := range values {
					begin := strings.TrimRight(label, Top)
					if same := group[i] == group[k]; same != (v == w || label != v && strings.HasPrefix(w, begin) &&
						h.Names[level][group[k]] == label) {
						t.Fatalf("%q and %q on level %d", v, w, level)
					}
				}
			}
		}
		if len(h.Names[h.Height()]) != 1 {
			t.Fatalf("the top has %d groups", len(h.Names[h.Height()]))
		}
	})
}

func TestAreCodes(t *testing.T) {
	codes := []string{"01067", "01069", "01097", "01099", "02625", "02681", "02692", "02694"}
	for what, c := range map[string]struct {
		values []string
		want   bool
	}{
		"postcodes": {codes, true}, "few": {codes[:7], false},
		"words":     {[]string{"ab12", "cd", "ef", "gh", "ij", "kl", "mn", "op"}, false},
		"ranges":    {[]string{"10-19", "20-29", "30-39", "40-49", "50-59", "60-69", "70-79", "80-89"}, false},
		"unrelated": {[]string{"AB12", "CD34", "EF56", "GH78", "IJ90", "KL12", "MN34", "OP56"}, false},
	} {
		if AreCodes(c.values) != c.want {
			t.Errorf("%s: %v", what, !c.want)
		}
	}
}

// TestListed: a hierarchy that lists numbers groups them as the one that cuts them, and can be written and read.
func TestListed(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		num := rapid.SliceOfN(
			rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-40, 400).Draw(t, "v")) / 2 }), 1,
			40).Draw(t, "num")
		c := table.NumColumn("x", 0.5, num)
		cut := Build(&c)
		list := must.Get(cut.Listed(&c))(t)
		var out bytes.Buffer
		must.NoError(t, list.Write(&out))
		again, err := Parse("x", &out)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(list) {
			t.Fatalf("%v, %v", again, err)
		}
		for level := 1; level <= cut.Height(); level++ {
			want, err := cut.Groups(&c, level)
			got, wrong := list.Groups(&c, level)
			if err != nil || wrong != nil {
				t.Fatal(err, wrong)
			}
			for i := range num {
				if cut.Names[level][want[i]] != list.Names[level][got[i]] {
					t.Fatalf("%v on level %d: %q, %q", num[i], level, cut.Names[level][want[i]], list.Names[level][got[i]])
				}
			}
		}
		half := &Hierarchy{Names: [][]string{list.Names[0][:len(list.Names[0])/2]}}
		gap := half.Gap(&c)
		wantRecords := 0
		for _, v := range num {
			if !slices.Contains(half.Names[0], string(table.AppendNumber(nil, v, 0.5))) {
				wantRecords++
			}
		}
		if gap.Values != len(list.Names[0])-len(half.Names[0]) || gap.Records != wantRecords {
			t.Fatalf("%d values in %d records are not listed, expected %d", gap.Values, gap.Records, wantRecords)
		}
	})
}
