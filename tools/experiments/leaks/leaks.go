package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// leak is one leak in one table.
type leak struct {
	table, what string
	plant       func(*scene) // nil for none
	// policy is the YAML that declares the intruder, where the leak needs one, and the roles.
	policy string
	// measures are those that the leak is there to be noticed by; one of them must be over its limit.
	measures []string
	// columns of the hospital file that the release would not have by default: a custodian asked for them
	keep    []string
	apart   []string // columns that the original has and the release has not
	holdout bool     // half of the people are held out
	// method makes the release, where it is a technique of dither that leaks, with these parameters.
	method string
	set    map[string]string
}

// leaks reports whether there is a leak.
func (l *leak) leaks() bool { return l.plant != nil || l.method != "" }

// tables names the public tables with their classes; a table with more records is cut to so many.
var tables = []struct{ name, class string }{
	{"abalone", "rings"},
	{"adult", "income"},
	{"breast-cancer", "class"},
	{"bupa", "drinks"},
	{"cmc", "contraceptive_method"},
	{"crx", "class"},
	{"heart-c", "num"},
	{"mammography", "severity"},
	{"wages", "union"},
	{"wbc", "class"},
	{"hospital", "readmitted"},
}

// mostRecords is the size to which large tables are cut, so that the page takes minutes.
const mostRecords = 2000

// source returns a table; the first records of a large one.
func source(ctx context.Context, l *leak, draw *rand.Rand) (*table.Table, error) {
	if l.table == "hospital" {
		rows := 1
		if strings.HasPrefix(l.what, severalRows) {
			rows = 20
		}
		t := hospital(mostRecords/rows, rows, draw)
		return rerun.Select(t, func(a *table.Attribute) bool {
			return a.Kind == table.Numeric || !identifying[a.Name] || slices.Contains(l.keep, a.Name) ||
				slices.Contains(l.apart, a.Name)
		}), nil
	}
	t, err := rerun.Read(ctx, l.table+"/"+l.table+".csv", "id")
	if err != nil {
		return nil, err
	}
	return t.Slice(0, min(t.Rows(), mostRecords)), nil
}

// identifying are the columns of the hospital file that no release has unless the leak is that it does.
var identifying = map[string]bool{"name": true, "birth_date": true, "notes": true}

// key draws what is random in a leak.
func key(l *leak, run int) *rand.Rand {
	return rng.New(sha256.Sum256(fmt.Appendf(nil, "%s|%s|%d", l.table, l.what, run))).Rand()
}

const severalRows = "several rows of one person"

// leaks lists them all: every table without a leak, then the leaks.
func leaks() []leak {
	var out []leak
	for _, t := range tables {
		out = append(out, leak{table: t.name, what: "none"})
	}
	in := func(kind func(table string) leak, tables ...string) {
		for _, t := range tables {
			out = append(out, kind(t))
		}
	}
	in(copied, "abalone", "adult", "cmc", "crx", "wages", "hospital")
	in(near, "abalone", "adult", "bupa", "heart-c", "wages", "hospital")
	in(strange, "adult", "crx", "heart-c", "wbc", "hospital")
	out = append(
		out,
		whole("abalone", "whole_weight"),
		whole("adult", "fnlwgt"),
		whole("bupa", "mcv", "gammagt", "sgpt"),
		whole("heart-c", "chol", "thalach"),
		whole("wages", "age", "education", "experience", "occupation"),
		whole("hospital", "age", "sex", "postcode", "ward"),
		whole("cmc", "wife_age", "wife_education", "husband_education", "number_of_children_ever_born",
			"husband_occupation"),
	)
	in(noise, "abalone", "adult", "bupa", "crx", "hospital")
	in(swapped, "breast-cancer", "wbc", "mammography")
	in(means, "abalone", "heart-c", "bupa")
	in(moved, "abalone", "adult", "cmc", "heart-c", "wages", "wbc", "breast-cancer", "mammography", "crx", "hospital")
	out = append(
		out,
		movedBut("abalone", "rings"),
		movedBut("heart-c", "chol"),
		movedBut("wbc", "class"),
		movedBut("wages", "union"),
		movedBut("adult", "fnlwgt"),
		movedBut("cmc", "wife_religion"),
		movedBut("hospital", "income"),
	)
	in(movedNearly, "bupa", "abalone", "adult", "heart-c")
	return append(append(out, special...), texts()...)
}

// special are the leaks that few tables can have: those of the hospital file, and those for which an intruder is
// declared.
var special = []leak{
	{
		table:    "hospital",
		what:     "which of 14 laboratory values are missing",
		plant:    keptGaps,
		measures: []string{"found", "gaplinkage"},
	},
	{
		table:    "hospital",
		what:     "free text with telephone numbers",
		plant:    intact("notes"),
		keep:     []string{"notes"},
		measures: []string{"text", "name"},
	},
	{
		table:    "hospital",
		what:     "dates of birth",
		plant:    intact("birth_date"),
		keep:     []string{"birth_date"},
		measures: []string{"birth"},
	},
	{
		table:    "hospital",
		what:     "names",
		plant:    intact("name"),
		keep:     []string{"name"},
		measures: []string{"name"},
	},
	sorted("hospital", "income", 40),
	sorted("wages", "wage", 20),
	sorted("abalone", "rings", 40),
	{
		table:    "hospital",
		what:     severalRows + ", half of the postcodes exchanged",
		plant:    exchanged("postcode", 0.5),
		apart:    []string{"name"},
		measures: []string{"repeatedrecords"},
		policy:   declared("person: name"),
	},
	{
		table:    "adult",
		what:     "half of the people held out, 20 % of the others nearly as they are",
		plant:    nearCopies(0.2),
		holdout:  true,
		measures: []string{"membership", "found"},
	},
	{
		table:    "cmc",
		what:     "the plan of a forest of 8 trees with small leaves leaked",
		method:   "forestframework",
		set:      map[string]string{"trees": "8", "minLeaf": "5"},
		measures: []string{"leakedplan"},
		policy:   declared("plan: true"),
	},
	weak("bupa", "linfapt", map[string]string{"spread": "1"}),
	weak("abalone", "rankswap", map[string]string{"p": "0.5"}),
	weak("adult", "mdav", nil),
	weak("breast-cancer", "pram", map[string]string{"keep": "0.95"}),
	exchanging("breast-cancer", "recordswap", map[string]string{
		"rate":    "1",
		"swap":    "age,menopause,tumor_size,inv_nodes,node_caps,deg_malig,breast,breast_quad,irradiat",
		"keys":    "class",
		"similar": "class",
	}),
}
