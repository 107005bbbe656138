package main

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
)

//go:embed text.md
var text string

// tally is what the calls of some releases come to.
type tally struct {
	name               string
	releases, calls    int
	lo, hi             int     // bounds that hold
	worst              int     // calls of one release whose upper bound held, the fewest
	inside, pairs, far int     // pairs of calls
	width, short       float64 // sums over the calls
}

func (t *tally) add(r *result) {
	t.releases++
	held := 0
	for _, c := range r.calls {
		lo, hi := c.covers()
		t.calls++
		if lo {
			t.lo++
		}
		if hi {
			t.hi++
			held++
		}
		t.width += c.hi - c.lo
		t.short += c.share - c.truth
	}
	if t.releases == 1 || held < t.worst {
		t.worst = held
	}
	inside, pairs := agree(r.calls)
	t.inside, t.pairs, t.far = t.inside+inside, t.pairs+pairs, t.far+2*apart(r.calls)
}

// page writes the text with the tallies in place of their marks.
func page(w io.Writer, results []result) error {
	all, alike, others := &tally{name: "all"}, &tally{name: "nearly equal attackers"}, &tally{name: "others"}
	by := map[string]*tally{}
	for k := range results {
		r := &results[k]
		if r.calls == nil {
			continue
		}
		if by[r.technique] == nil {
			by[r.technique] = &tally{name: r.technique}
		}
		group := others
		if r.near {
			group = alike
		}
		for _, t := range []*tally{all, group, by[r.technique]} {
			t.add(r)
		}
	}
	var rows strings.Builder
	list := []*tally{all, alike, others}
	for _, name := range techniques {
		if by[name] != nil {
			list = append(list, by[name])
		}
	}
	for _, t := range list {
		t.row(&rows)
	}
	_, err := strings.NewReplacer(
		"{{rows}}", strings.TrimSpace(rows.String()),
		"{{releases}}", fmt.Sprint(all.releases),
		"{{alike}}", fmt.Sprint(alike.releases),
		"{{calls}}", fmt.Sprint(len(slices.MaxFunc(results, byCalls).calls)),
		"{{people}}", fmt.Sprint(people),
		"{{half}}", fmt.Sprint(asked/2),
		"{{upper}}", percent(all.hi, all.calls),
		"{{near}}", percent(alike.hi, alike.calls),
		"{{lower}}", percent(all.lo, all.calls),
		"{{inside}}", percent(all.inside, all.pairs),
		"{{apart}}", percent(all.far, all.pairs),
	).WriteString(w, text)
	return err
}

func byCalls(a, b result) int { return len(a.calls) - len(b.calls) }

func (t *tally) row(w io.Writer) {
	n := float64(max(1, t.calls))
	fmt.Fprintf(w, "| %s | %d | %s | %d | %s | %.1f | %+.1f | %s | %s |\n", t.name, t.releases, percent(t.hi, t.calls),
		t.worst, percent(t.lo, t.calls), 100*t.width/n, 100*t.short/n, percent(t.inside, t.pairs), percent(t.far, t.pairs))
}

func percent(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, of))) }
