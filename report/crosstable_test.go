package report

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure/clusterings"
)

func labelled(t testing.TB, before, after []int32, k int) *clusterings.Comparison {
	t.Helper()
	return must.Get(clusterings.Compare(before, after, k))(t)
}

// inWords is a table as text, a row to a line, the records that stayed in brackets.
func inWords(t document.Table) string {
	var b strings.Builder
	for _, r := range t.Rows {
		for k, c := range r.Cells {
			s := c.Says.String()
			switch {
			case k == 0:
				s += ":"
			case k+1 == len(r.Cells):
				s = " = " + s + "\n"
			case strings.HasSuffix(c.Look, " stay"):
				s = " [" + s + "]"
			default:
				s = " " + s
			}
			b.WriteString(s)
		}
	}
	var heads []string
	for _, c := range t.Columns[1 : len(t.Columns)-1] {
		heads = append(heads, c.Title.String())
	}
	return b.String() + strings.Join(heads, " ") + ": " + strings.Join(cellTexts(*t.Foot)[1:], " ")
}

// crossed is the table of a comparison.
func crossed(c *clusterings.Comparison) document.Table {
	return tablesOf(crossTable(message.Text("of"), c)...)[0]
}

func TestCrossTable(t *testing.T) {
	for name, c := range map[string]struct {
		before, after []int32
		k             int
		want          string
	}{
		"renamed": {[]int32{0, 0, 0, 1, 1}, []int32{1, 1, 0, 0, 0}, 2, "1: [2] 1 = 3\n2: 0 [2] = 2\n1 2: 2 3 5"},
		"outliers": {[]int32{0, 0, 1, -1, -1}, []int32{0, -1, 1, -1, 1}, 2, "1: [1] 0 1 = 2\n2: 0 [1] 0 = 1\nnone: 0 1 " +
			"[1] = 2\n1 2 none: 1 2 2 5"},
		"empty":       {[]int32{2, 2, 0}, []int32{2, 0, 0}, 3, "1: [1] 0 = 1\n3: 1 [1] = 2\n1 3: 2 1 3"},
		"new cluster": {[]int32{0, 0, 0}, []int32{0, 0, 1}, 2, "1: [2] 1 = 3\n2: 0 [0] = 0\n1 2: 2 1 3"},
		"only none":   {[]int32{-1}, []int32{-1}, 1, "none: [1] = 1\nnone: 1 1"},
	} {
		if got := inWords(crossed(labelled(t, c.before, c.after, c.k))); got != c.want {
			t.Errorf("%s:\n%s\nexpected\n%s", name, got, c.want)
		}
	}
	if crossTable(message.Sentence{}, &clusterings.Comparison{Clusters: 2}) != nil {
		t.Error("a comparison without counts has a table")
	}
}

// TestCrossTableDepth: colours go by the share of the row, and no record is without one.
func TestCrossTableDepth(t *testing.T) {
	before, after := make([]int32, 1000), make([]int32, 1000)
	after[0] = 1
	for i := range 300 {
		after[i+1] = 2
	}
	row := crossed(labelled(t, before, after, 3)).Rows[0].Cells[1:]
	if row[0].Look != "s7 stay" || row[1].Look != "s1" && row[2].Look != "s1" ||
		row[1].Look != "s3" && row[2].Look != "s3" {
		t.Errorf("%+v", row)
	}
}

// TestManyClusters adds up the table of more clusters than it has rows by hand.
func TestManyClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for _, k := range []int{mostClusters, mostClusters + 1, 40} {
		before, after := make([]int32, 4000), make([]int32, 4000)
		for i := range before {
			before[i] = int32(min(r.IntN(k), r.IntN(k)))
			if after[i] = int32(k) - 1 - before[i]; r.IntN(4) == 0 {
				after[i] = int32(r.IntN(k))
			}
		}
		c := labelled(t, before, after, k)
		table, note := crossed(c), textOf(crossTable(message.Text("of"), c)...)
		if sums := cellTexts(*table.Foot); len(table.Rows) != mostClusters || len(table.Columns) != mostClusters+2 ||
			sums[mostClusters+1] != "4,000" {
			t.Fatalf("%d clusters: %d rows, %v", k, len(table.Rows), sums)
		}
		last := cellTexts(table.Rows[mostClusters-1])
		if (last[0] == "others") != (k > mostClusters) || strings.Contains(note, "counted together") != (k > mostClusters) {
			t.Errorf("%d clusters: row %q, %s", k, last[0], note)
		}
		if k == mostClusters {
			continue
		}
		var own []int32 // clusters that have a row
		for _, row := range table.Rows[:mostClusters-1] {
			g := must.Get(strconv.Atoi(cellTexts(row)[0]))(t)
			own = append(own, int32(g-1))
		}
		in, stay := 0, 0
		for i, g := range before {
			back := int32(slices.Index(c.Match, int(after[i])))
			if !slices.Contains(own, g) && !slices.Contains(own, back) {
				in++
				if back == g {
					stay++
				}
			}
		}
		if want := strconv.Itoa(in); strings.ReplaceAll(last[mostClusters], ",", "") != want ||
			!strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(note, ",", "")), " "),
				want+" records in them both times "+strconv.Itoa(stay)+" stayed") {
			t.Errorf("%d clusters: %+v, %s, expected %d and %d", k, last, note, in, stay)
		}
	}
}
