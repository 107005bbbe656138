package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/tools/internal/rerun"
)

// claim is a row of Table 3.1 whose technique makes a release: the tasks it names, and why a task that it names may be
// lost here.
type claim struct {
	title, technique, attributes string
	tasks                        []int
	why                          string
}

var table31 = []claim{
	{"Randomized Noise [3]", "agrawalsrikant", "numerical", []int{rules},
		"the claim is of trees that are grown after reconstruction by the public noise model " +
			"([agrawalsrikant.md](agrawalsrikant.md)); here a tree reads the release as it is"},
	{"Correlated Noise [73]", "gadp", "numerical", []int{clusters, rules},
		"the numbers are drawn anew from means and covariances that do not know the class, as Wilson & Rosen found " +
			"([wilsonrosen2002.md](wilsonrosen2002.md)), and a normal law has no clusters"},
	{"Decision Tree Noise [28]", "rpt", "both", []int{rules},
		"the classes of small leaves are permuted, and a tree of so few records turns with them"},
	{"Randomized Response [26]", "mrr", "binary", []int{rules},
		"the claim is of trees of estimated counts; here a tree reads the release as it is"},
	{"Randomized Response [121]", "zhuliu", "numerical", []int{distributions},
		"the claim is of densities that are reconstructed by the public noise model; here the release is read as it is"},
	{"Association Rules [83]", "swa", "boolean", []int{associations},
		"the rules to hide are among those that are lost, and sets that share items with them go too"},
}

// printThesis holds the thesis's Table 3.1 against the marks.
func printThesis(w io.Writer, sets []*set, rows []row) {
	fmt.Fprint(w, "\n## Against the thesis's Table 3.1\n\n", rerun.Wrap("The thesis names for eleven techniques what "+
		"they were made for. Five rows, outlier detection [106], association rules [104], the secure toolkit [17] and SMC "+
		"[104, 51], are protocols between parties: they release a result and no table, so they keep exactly that result "+
		"([joint.md](joint.md)). Its column on centralised and distributed data has the same two answers here: a technique "+
		"takes a table in one place. The six others make releases:\n"), "\n")
	fmt.Fprintln(w, "| thesis | here | attributes: thesis | changed here | tasks: thesis | kept here | partly | "+
		"lost |\n|---|---|---|---|---|---|---|---|")
	var why strings.Builder
	for k := range table31 {
		c := &table31[k]
		i := slices.IndexFunc(rows, func(r row) bool { return r.Name == c.technique })
		if i < 0 {
			continue
		}
		r := &rows[i]
		of := func(m mark) string {
			var names []string
			for kind, name := range kindNames {
				if r.mark(sets, kind) == m {
					names = append(names, name)
				}
			}
			return strings.Join(names, ", ")
		}
		var tasks []string
		for _, kind := range c.tasks {
			tasks = append(tasks, kindNames[kind])
		}
		fmt.Fprintf(w, "| %s | `%s` | %s | %s | %s | %s | %s | %s |\n", c.title, c.technique, c.attributes, r.changed(),
			strings.Join(tasks, ", "), of(kept), of(partly), of(lost))
		why.WriteString(c.differs(func(kind int) mark { return r.mark(sets, kind) }))
	}
	fmt.Fprint(w, "\nWhere they differ, and why:\n\n", rerun.Wrap(why.String()))
}

// differs says which tasks the thesis names that are not kept, with why, and which are kept that it does not name.
func (c *claim) differs(of func(kind int) mark) string {
	var not, more []string
	for kind, name := range kindNames {
		switch m, named := of(kind), slices.Contains(c.tasks, kind); {
		case named && m == partly:
			not = append(not, name+" are kept partly")
		case named && m == lost:
			not = append(not, name+" are lost")
		case named && m == none:
			not = append(not, name+" are on no table that it takes")
		case !named && m == kept:
			more = append(more, name)
		}
	}
	switch {
	case len(not) == 0 && len(more) == 0:
		return fmt.Sprintf("- %s: no difference.\n", c.title)
	case len(not) == 0:
		return fmt.Sprintf("- %s: it keeps what the thesis names, and besides %s.\n", c.title, strings.Join(more, ", "))
	}
	out := fmt.Sprintf("- %s: %s: %s.", c.title, strings.Join(not, " and "), c.why)
	if len(more) > 0 {
		out += " It keeps what the thesis does not name: " + strings.Join(more, ", ") + "."
	}
	return out + "\n"
}
