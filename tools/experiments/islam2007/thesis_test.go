package main

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestThesisIsRead reads all matrices of section 7.3; after mending each is symmetric, has a unit diagonal and, up to
// the rounding of its cells, no negative eigenvalue.
func TestThesisIsRead(t *testing.T) {
	for set, want := range map[string]struct {
		columns int
		titles  string
	}{
		"adult": {6, "original, Framework 1, Framework 2, Random Framework 1, Extended Framework 1, Extended Framework 2, " +
			"Extended Framework 3, " +
			"Extended Framework 4, Extended Framework 5, Random Extended Framework 1, Random Extended Framework 2"},
		"wbc": {9, "original, Framework 1, Extended Framework 1, Extended Framework 2, Random Extended Framework 1"},
	} {
		ms, err := thesisMoments(set)
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, m := range ms {
			titles = append(titles, m.title())
			if len(m.mean) != want.columns {
				t.Errorf("%s, %s: %d means, expected %d", set, m.title(), len(m.mean), want.columns)
			}
			s := mat.NewSymDense(len(m.corr), nil)
			for i, row := range m.corr {
				for j, v := range row {
					if v != m.corr[j][i] || i == j && v != 1 || i != j && math.Abs(v) >= 1 {
						t.Errorf("%s, %s: cell (%d,%d) is %v, its mirror %v", set, m.title(), i+1, j+1, v, m.corr[j][i])
					}
					s.SetSym(i, j, v)
				}
			}
			var e mat.EigenSym
			if !e.Factorize(s, false) || e.Values(nil)[0] < -0.005*float64(len(m.corr)) { // cells are off by up to 0.005
				t.Errorf("%s, %s: the smallest eigenvalue is %v", set, m.title(), e.Values(nil)[0])
			}
		}
		if got := strings.Join(titles, ", "); got != want.titles {
			t.Errorf("%s: %s", set, got)
		}
	}
}

// TestMended names the cells of Islam 2007, section 7.3, in which a printed matrix is not symmetric, and how they are
// read.
func TestMended(t *testing.T) {
	var got []string
	for _, set := range []string{"adult", "wbc"} {
		ms, err := thesisMoments(set)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ms {
			for _, c := range m.mended {
				got = append(got, fmt.Sprintf("%s %v", m.title(), c))
				if m.corr[c.row-1][c.column-1] != c.above || m.corr[c.column-1][c.row-1] != c.above {
					t.Errorf("%s: cells (%d,%d) are not %v", m.title(), c.row, c.column, c.above)
				}
			}
		}
	}
	want := []string{
		"original {3 6 0.152 0.151}",
		"Random Framework 1 {1 5 0.01 0.011}", "Random Framework 1 {1 6 -0.004 -0.005}", "Random Framework 1 {3 6 0.001 " +
			"0.002}",
		"Extended Framework 1 {3 4 0.148 0.048}", "Extended Framework 1 {4 6 0.142 -0.142}",
		"Extended Framework 2 {1 2 -0.059 -0.06}", "Extended Framework 3 {1 3 0.155 0.154}",
		"Random Extended Framework 1 {3 4 0.108 0.109}",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("mended are\n%s", strings.Join(got, "\n"))
	}
	ms, _ := thesisMoments("adult")
	note := mendedNote(ms)
	for _, want := range []string{"0.148, not 0.048, in cell (3,4) of Extended Framework 1", "in 7 other cells"} {
		if !strings.Contains(note, want) {
			t.Errorf("the note is %q, expected %q in it", note, want)
		}
	}
	if note := mendedNote(ms[1:3]); note != "" {
		t.Errorf("the note on symmetric matrices is %q", note)
	}
}

// TestLargestChange compares the Framework's matrix with the original: the correlation of capital_gain and capital_loss
// goes from -0.032 to 0.295; that of age and capital_gain, 0.245 in the fifth run of the Extended Framework, was 0.082.
func TestLargestChange(t *testing.T) {
	ms, err := thesisMoments("adult")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		of, without int
		want        float64
	}{{0, 0, 0}, {1, 0, 0.327}, {1, 1, 0.327}, {1, 4, 0.058}, {8, 0, 0.163}, {8, 1, 0.044}} {
		if got := largestChange(ms[x.of].corr, ms[0].corr, x.without); math.Abs(got-x.want) > 1e-12 {
			t.Errorf("%s without %d columns: %v, expected %v", ms[x.of].title(), x.without, got, x.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, block := range []string{"s A 1", "s A 1\n1 2\n1 0", "s A 1\n1 2\n1 0\n0 1 2", "s A 1\n1 2\n1 0\n0 x",
		"s A 1\n1 2\n1 0\n0 1\n0 1"} {
		if _, err := parseMoments(block); err == nil || !strings.HasPrefix(err.Error(), "s A 1: ") {
			t.Errorf("%q: error %v", block, err)
		}
	}
}
