package main

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/generate"
)

//go:embed text.md
var text string

// leaf1 are the thesis's counts in leaf 1 of figure 6.9, by code: Toyota, Ford, Nissan, Holden.
var leaf1 = [4]float64{62, 132, 48, 5}

// print writes the page.
func print(w io.Writer, tables []found) {
	fmt.Fprint(w, text)
	pairsFound(w, tables)
	goodCustomers(w, tables)
	clusters(w, tables)
	laws(w)
	meaningless(w, tables)
	differences(w, tables)
}

// count returns how many tables have a property.
func count(tables []found, has func(*found) bool) (n int) {
	for k := range tables {
		if has(&tables[k]) {
			n++
		}
	}
	return n
}

// spread writes the median of some figures, and the 5 % and 95 % points; empty when there are none.
func spread(v []float64) string {
	if len(v) == 0 {
		return ""
	}
	slices.Sort(v)
	at := func(share float64) float64 { return v[int(math.Round(share*float64(len(v)-1)))] }
	return fmt.Sprintf("%.0f (%.0f to %.0f)", at(0.5), at(0.05), at(0.95))
}

func name(p int) string { return pairs[p][0] + "-" + pairs[p][1] }

func pairsFound(w io.Writer, tables []found) {
	fmt.Fprintf(w, "\n## Which pairs are found\n\nIn how many of %d tables. Strengths are those of the strongest leaf: "+
		"median, 5 %% and 95 %% points over the tables.\n\n", len(tables))
	fmt.Fprint(w, "| pair |")
	for _, r := range rules {
		fmt.Fprintf(w, " DETECTIVE, %s: strong | strength | weak |", r.name)
	}
	fmt.Fprint(w, " CACTUS: in one cluster | similar with respect to |\n|---|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for p := range pairs {
		fmt.Fprintf(w, "| %s |", name(p))
		for v := range rules {
			var strength []float64
			for k := range tables {
				if s := tables[k].trees[v].strong[p]; s > 0 {
					strength = append(strength, s)
				}
			}
			weak := count(tables, func(f *found) bool { return f.trees[v].weak[p] })
			fmt.Fprintf(w, " %d | %s | %d |", len(strength), spread(strength), weak)
		}
		var within []string
		for _, a := range []string{"Country of Origin", "Profession", "Status"} {
			if n := count(tables, func(f *found) bool { return slices.Contains(f.within[p], a) }); n > 0 {
				within = append(within, fmt.Sprintf("%s %d", a, n))
			}
		}
		fmt.Fprintf(
			w,
			" %d | %s |\n",
			count(tables, func(f *found) bool { return f.together[p] }),
			strings.Join(within, ", "),
		)
	}
}

// strengths are the products of the counts of cars by code, in the order of pairs.
func strengths(cars [4]float64) (out [6]float64) {
	for p, names := range pairs {
		out[p] = cars[slices.Index(generate.CSCars, names[0])] * cars[slices.Index(generate.CSCars, names[1])]
	}
	return out
}

func goodCustomers(w io.Writer, tables []found) {
	law := strengths(goodCars(rows))
	fmt.Fprint(w, "\n## Leaf 1: the good customers\n\n")
	for v, r := range rules {
		fmt.Fprintf(
			w,
			"By %s the good customers are one leaf in %d of %d trees; %d trees have all tests of figure 6.9.\n",
			r.name,
			count(tables, hasLeaf1(v)),
			len(tables),
			count(tables, func(f *found) bool { return f.trees[v].figure }),
		)
	}
	fmt.Fprint(w, "The strengths in that leaf, over the tables that have it, beside the thesis's counts multiplied and "+
		"the law of the generator.\n\n")
	fmt.Fprint(w, "| pair | the thesis | the law's mean |")
	for _, r := range rules {
		fmt.Fprintf(w, " %s |", r.name)
	}
	fmt.Fprint(w, "\n|---|--:|--:|--:|--:|\n")
	thesis := strengths(leaf1)
	for p := range pairs {
		// counts of a multinomial law have that negative covariance
		fmt.Fprintf(w, "| %s | %.0f | %.0f |", name(p), thesis[p], law[p]*(rows-1)/rows)
		for v := range rules {
			var strength []float64
			for k := range tables {
				if hasLeaf1(v)(&tables[k]) {
					strength = append(strength, strengths(tables[k].trees[v].leaf1)[p])
				}
			}
			fmt.Fprintf(w, " %s |", spread(strength))
		}
		fmt.Fprintln(w)
	}
	for v, r := range rules {
		ordered := count(tables, func(f *found) bool {
			s := strengths(f.trees[v].leaf1)
			return s[0] > s[1] && s[1] > s[2] && s[2] > max(s[3], s[4], s[5])
		})
		third := count(tables, func(f *found) bool {
			s := strengths(f.trees[v].leaf3)
			return s[3] > 0 && s[3] == slices.Max(s[:])
		})
		fmt.Fprintf(w, "\nBy %s the three strongest pairs of the leaf are the thesis's, in its order, in %d of %d; Toyota "+
			"and Holden are the strongest pair of leaf 3\n"+
			"in %d of the %d trees with the tests of figure 6.9.\n", r.name, ordered, count(tables, hasLeaf1(v)), third,
			count(tables, func(f *found) bool { return f.trees[v].figure }))
	}
}

func hasLeaf1(v int) func(*found) bool {
	return func(f *found) bool { return f.trees[v].leaf1 != [4]float64{} }
}

func clusters(w io.Writer, tables []found) {
	fmt.Fprintf(w, "\n## The clusters of CACTUS, by delta\n\nIn how many of %d tables the cluster of Table 6.3 is found "+
		"and in how many no cluster, and the mean number of clusters; as published, by\n"+
		"distinguishing sets, and for comparison all clusters by the definition.\n\n", len(tables))
	fmt.Fprint(w, "| delta | Table 6.3 | no cluster | clusters | all: Table 6.3 | no cluster | clusters |\n"+
		"|--:|--:|--:|--:|--:|--:|--:|\n")
	order := slices.Clone(deltas)
	slices.Sort(order)
	for _, d := range order {
		k := slices.Index(deltas, d)
		fmt.Fprintf(w, "| %.1f |", d)
		for i := range projections {
			mean := 0.0
			for t := range tables {
				mean += float64(tables[t].clusters[i][k]) / float64(len(tables))
			}
			fmt.Fprintf(w, " %d | %d | %.2f |", count(tables, func(f *found) bool { return f.printed[i][k] }),
				count(tables, func(f *found) bool { return f.clusters[i][k] == 0 }), mean)
		}
		fmt.Fprintln(w)
	}
}

func laws(w io.Writer) {
	fmt.Fprint(w, "\n## The law behind it\n\nHow many times as many customers have both values as if all pairs were "+
		"equally likely, by the generator's law, not by a table. Above delta a\nconnection is strong.\n\n")
	columns := []struct {
		column int
		labels []string
	}{{country, generate.CSCountries}, {profession, generate.CSProfessions}, {status, generate.CSStatuses}}
	head, line := "| car make |", "|---|"
	for _, c := range columns {
		for _, l := range c.labels {
			head += " " + l + " |"
			line += "--:|"
		}
	}
	fmt.Fprintf(w, "%s\n%s\n", head, line)
	for m, label := range generate.CSCars {
		fmt.Fprintf(w, "| %s |", label)
		for _, c := range columns {
			for v := range c.labels {
				fmt.Fprintf(w, " %.2f |", connection(car, int32(m), c.column, int32(v)))
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(
		w,
		"\nThe other connections of the cluster in Table 6.3: USA-Good %.2f, England-Good %.2f, "+
			"USA-Scientist and England-Scientist %.2f, Scientist-Good %.2f.\n",
		connection(
			country,
			0,
			status,
			good,
		),
		connection(country, 1, status, good),
		connection(country, 0, profession, 0),
		connection(profession, 0, status, good),
	)
}

func meaningless(w io.Writer, tables []found) {
	fmt.Fprint(w, "\n## The two columns that mean nothing\n\n")
	for v, r := range rules {
		astray := count(tables, func(f *found) bool { return f.trees[v].astray > 0 })
		records := 0.0
		for k := range tables {
			records += tables[k].trees[v].astray / float64(max(astray, 1))
		}
		fmt.Fprintf(w, "By %s %d of %d trees for the car make test *Parents' Country* or *Favorite City* somewhere; %.0f "+
			"of the %d records reach such a test there, on average.\n",
			r.name, astray, len(tables), records, rows)
	}
	kept, similar := [2]float64{}, 0.0
	for k := range tables {
		similar += float64(tables[k].similar) / float64(len(tables))
		for i, n := range tables[k].kept {
			kept[i] += float64(n) / float64(len(tables))
		}
	}
	fmt.Fprintf(w, "When CACTUS keeps the two columns, delta 1.2, a table has %.0f similar pairs of values and %.1f "+
		"clusters by definition on average, %.2f of\n"+
		"which distinguishing sets of at most two values find.\n", similar, kept[1], kept[0])
}

func differences(w io.Writer, tables []found) {
	n := len(tables)
	fmt.Fprint(w, "\n## What differs, and why\n\n")
	nissan := count(tables, func(f *found) bool { return len(f.within[1]) > 0 && len(f.within[2]) > 0 })
	fmt.Fprintf(w, "- **CACTUS finds more than the thesis says.** The thesis reads similarity off the clusters; so "+
		"read, it is Toyota-Ford in %d of %d tables and no\n"+
		"  other pair in %d. But by its own definition in section 6.3, values strongly connected to a common value are "+
		"similar, and so Nissan is similar to Ford and to\n"+
		"  Toyota in %d tables: most drivers of all three are scientists.\n",
		count(tables, func(f *found) bool { return f.together[0] }), n,
		count(tables, func(f *found) bool { return !slices.Contains(f.together[1:], true) }), nissan)
	all := count(tables, func(f *found) bool { return !slices.Contains(f.trees[0].strong[:], 0) })
	fmt.Fprintf(w, "- **DETECTIVE finds nearly every pair.** Leaves are seldom pure: all six pairs are strongly similar "+
		"in some leaf in %d of %d tables. Which pairs are found\n"+
		"  says little; their strength tells them apart, and the leaf. CACTUS counts common values, few here, and has the "+
		"whole table for its only segment.\n", all, n)
	fmt.Fprint(w, "- **Holden is seen by DETECTIVE only.** A fifth of the customers are from Australia, where all "+
		"Holdens are: over the whole table no connection of Holden is as\n"+
		"  frequent as chance, within a leaf Holden is. That is what the thesis means by similarity within a horizontal "+
		"segment.\n")
	fmt.Fprintf(w, "- **CACTUS hangs on delta.** The cluster of Table 6.3 needs all its connections, of which "+
		"Toyota-Good and England-Good are the weakest; with delta 1.2 it is found in\n"+
		"  %d of %d tables, with 1.4 in %d, with 2, a usual value, in %d. DETECTIVE asks for no such bound, but its trees "+
		"have their own: the thesis's tree is one of several\n"+
		"  that tables of 399 records give.\n", printed(tables, 1.2), n, printed(tables, 1.4), printed(tables, 2))
	fmt.Fprint(w, "- **Columns that mean nothing** do appear in some of DETECTIVE's trees, by chance; the thesis's tree "+
		"had none. In CACTUS they break the cluster into many, as the\n"+
		"  thesis says; distinguishing sets mostly miss those, for no small set of values distinguishes them.\n")
}

func printed(tables []found, delta float64) int {
	k := slices.Index(deltas, delta)
	return count(tables, func(f *found) bool { return f.printed[0][k] })
}
