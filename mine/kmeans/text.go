package kmeans

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/dither-data/dither/internal/portable"
)

// The most clusters that a text shows, and how many of them beside each other.
const (
	shown   = 40
	abreast = 8
)

// Text shows the clusters: how many records they have, and their centroids in the units of the columns.
func (m *Model) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d clusters of %d records by %s, ", len(m.Centroids), len(m.Of), m.by())
	how := "stopped"
	if m.Settled {
		how = "settled"
	}
	fmt.Fprintf(&b, "%s after %d iterations, sum of squared distances %s in scaled units\n", how, m.Iterations,
		figure(m.SSE))
	n := min(shown, len(m.Centroids))
	for first := 0; first < n; first += abreast {
		b.WriteByte('\n')
		m.page(&b, first, min(n, first+abreast))
	}
	if rest := len(m.Centroids) - n; rest > 0 {
		fmt.Fprintf(&b, "\nand %d more\n", rest)
	}
	return b.String()
}

// by names the column, where there is one only: clusters are then intervals of it.
func (m *Model) by() string {
	if len(m.Columns) == 1 {
		return "one column only, " + short(m.Attrs[m.Columns[0]].Name)
	}
	return fmt.Sprintf("%d columns", len(m.Columns))
}

// page shows the clusters first to last-1 beside each other.
func (m *Model) page(b *strings.Builder, first, last int) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, cell func(c int) string) {
		fmt.Fprint(w, short(name), "\t")
		for c := first; c < last; c++ {
			fmt.Fprint(w, cell(c), "\t")
		}
		fmt.Fprintln(w)
	}
	row("cluster", strconv.Itoa)
	row("records", func(c int) string { return strconv.Itoa(m.Sizes[c]) })
	for k, j := range m.Columns {
		a := &m.Attrs[j]
		row(a.Name, func(c int) string { return a.Mean(m.Centroid(c)[k], figure) })
	}
	w.Flush() // to memory: it never fails
}

// short cuts a name to 30 characters.
func short(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if r := []rune(name); len(r) > 30 {
		return string(r[:29]) + "…"
	}
	return name
}

// figure writes a number in six digits or so, without an exponent where that is short.
func figure(v float64) string {
	a := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case a < 1e-3 || a >= 1e9:
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, 5-int(math.Floor(portable.Log10(a)))), 64)
}
