package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The kinds of leaks that many tables can have.

func copied(table string) leak {
	return leak{table: table, what: "3 % of the people as they are", plant: copies(0.03), measures: []string{"lookup"}}
}

func near(table string) leak {
	return leak{
		table:    table,
		what:     "20 % of the people, numbers moved by 1 % of the range",
		plant:    nearCopies(0.2),
		measures: []string{"found"},
	}
}

func strange(table string) leak {
	return leak{
		table:    table,
		what:     "the 2 % most unusual people as they are",
		plant:    unusual(0.02),
		measures: []string{"lookup"},
	}
}

func whole(table string, columns ...string) leak {
	return leak{
		table:    table,
		what:     "columns left intact: " + list(columns),
		plant:    intact(columns...),
		measures: []string{"found", "lookup"},
	}
}

func noise(table string) leak {
	return leak{
		table:    table,
		what:     "noise of 2 % of the range in every number",
		plant:    weakNoise(0.02),
		measures: []string{"found"},
	}
}

func swapped(table string) leak {
	return leak{
		table:    table,
		what:     "the values of 80 % of the people exchanged, the rest left",
		plant:    fewSwapped(0.8),
		measures: []string{"found", "lookup"},
	}
}

func means(table string) leak {
	return leak{
		table:    table,
		what:     "each number by the mean of 3 neighbours",
		plant:    triples,
		measures: []string{"found"},
	}
}

// wholeRows is what moved leaks have in common.
const wholeRows = "whole rows, each in somebody else's record"

func moved(table string) leak {
	return leak{table: table, what: wholeRows, plant: elsewhere(), measures: []string{"replicateduniques"}}
}

func movedBut(table, column string) leak {
	return leak{
		table:    table,
		what:     wholeRows + ", but for " + column,
		plant:    elsewhere(column),
		measures: []string{"replicateduniques"},
	}
}

func movedNearly(table string) leak {
	return leak{
		table:    table,
		what:     wholeRows + ", numbers moved by 0.5 % of the range",
		plant:    nearlyElsewhere(0.005),
		measures: []string{"replicateduniques"},
	}
}

func sorted(table, column string, among int) leak {
	return leak{
		table:    table,
		what:     "records sorted by " + column + " and kept in order",
		plant:    inOrder(column, among),
		measures: []string{"roworder"},
		policy:   declared("order: false"),
	}
}

// declared is the policy with an intruder who knows all, and this besides.
func declared(besides string) string {
	return "version: 1\nintruders:\n  - name: declared\n    knows: [all]\n    " + besides + "\n"
}

// weak is a technique that leaks with these parameters.
func weak(table, method string, set map[string]string) leak {
	return leak{
		table:    table,
		what:     fmt.Sprintf("%s with %s", method, settings(set)),
		method:   method,
		set:      set,
		measures: []string{"found", "lookup"},
	}
}

// exchanging is a technique that leaks by what it exchanges whole.
func exchanging(table, method string, set map[string]string) leak {
	l := weak(table, method, set)
	l.measures = []string{"replicateduniques"}
	return l
}

func settings(set map[string]string) string {
	if len(set) == 0 {
		return "its defaults"
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(set)) {
		out = append(out, name+"="+set[name])
	}
	return strings.Join(out, ", ")
}
