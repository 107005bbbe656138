// Package catalog finds everything that dither offers by any published name. It holds no entries of its own: packages
// catalog/techniques and catalog/measures add those for tables of records, catalog/mining adds miners, generators and
// reconstructions, and catalog/all adds all that there is, once they are imported. So a package that looks entries up
// depends on none of them. The lists are generated from the folders of the techniques, measures, miners and generators:
// adding one needs no edit here.
package catalog

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/bycolumn"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/protect/within"
	"github.com/dither-data/dither/reconstruct"
)

// Entries are those of a catalogue.
type Entries struct {
	Methods         []protect.Method
	Measures        []measure.Measure
	Miners          []mine.Miner
	Generators      []generate.Generator
	Reconstructions []reconstruct.Reconstruction
}

// entries are those that were added, each kind by name.
var entries Entries

// Add adds entries to the catalogue, as packages that hold lists do while a program is initialised.
func Add(e Entries) {
	entries = Entries{
		byName(entries.Methods, e.Methods),
		byName(entries.Measures, e.Measures),
		byName(entries.Miners, e.Miners),
		byName(entries.Generators, e.Generators),
		byName(entries.Reconstructions, e.Reconstructions),
	}
}

// byName joins two lists in the order of their names. Of package slices, each kind of entry would have a sort of its
// own in every program.
func byName[E interface{ Named() string }](some, others []E) []E {
	all := slices.Concat(some, others)
	sort.Slice(all, func(i, j int) bool { return all[i].Named() < all[j].Named() })
	return all
}

// Methods returns the techniques, by name.
func Methods() []protect.Method {
	out := make([]protect.Method, len(entries.Methods))
	for k, m := range entries.Methods {
		out[k] = bycolumn.Of(m)
	}
	return out
}

// Measures returns the measures, by name.
func Measures() []measure.Measure { return slices.Clone(entries.Measures) }

// Miners returns the miners, by name.
func Miners() []mine.Miner { return slices.Clone(entries.Miners) }

// Generators returns the generators, by name.
func Generators() []generate.Generator { return slices.Clone(entries.Generators) }

// Reconstructions returns the reconstructions, by name.
func Reconstructions() []reconstruct.Reconstruction { return slices.Clone(entries.Reconstructions) }

// Method finds a technique by name, title or alias, in any letter case. A name that ends with within.Suffix is that of
// the technique inside segments, and one that joins several with stages.Joint or a plus sign is that of these one after
// another.
func Method(name string) (protect.Method, error) {
	m, err := method(name)
	if err != nil {
		return m, err
	}
	return bycolumn.Of(m), nil
}

// method finds a technique; only of several one after another do those that work by column take the columns to change.
func method(name string) (protect.Method, error) {
	if base, ok := inside(name); ok && base != "" && len(split(name)) == 1 {
		if _, twice := inside(base); twice {
			return findMethod(name)
		}
		m, err := method(base)
		if err != nil {
			return m, err
		}
		return within.Of(m), nil
	}
	m, err := findMethod(name)
	if list := split(name); err != nil && len(list) > 1 {
		return joined(list)
	}
	return m, err
}

func findMethod(name string) (protect.Method, error) {
	of := func(m *protect.Method) *card.Card { return &m.Card }
	return find("technique", "dither methods", entries.Methods, of, name)
}

// split returns the names of the techniques of a name that joins several, by stages.Joint or by a plus sign.
func split(name string) []string {
	return strings.Split(strings.ReplaceAll(strings.ToLower(name), "+", stages.Joint), stages.Joint)
}

func joined(names []string) (protect.Method, error) {
	list := make([]protect.Method, len(names))
	for k, n := range names {
		var err error
		if list[k], err = Method(strings.TrimSpace(n)); err != nil {
			return list[k], err
		}
	}
	return stages.Of(list...), nil
}

// inside returns the name without within.Suffix, in any letter case; false where it does not end with it.
func inside(name string) (base string, ok bool) {
	k := len(name) - len(within.Suffix)
	if k < 0 || !strings.EqualFold(name[k:], within.Suffix) {
		return name, false
	}
	return name[:k], true
}

// Measure finds a measure by name, title or alias.
func Measure(name string) (measure.Measure, error) {
	of := func(m *measure.Measure) *card.Card { return &m.Card }
	return find("measure", "dither measures", entries.Measures, of, name)
}

// Miner finds a miner by name, title or alias.
func Miner(name string) (mine.Miner, error) {
	return find("miner", "dither miners", entries.Miners, func(m *mine.Miner) *card.Card { return &m.Card }, name)
}

// Generator finds a generator by name, title or alias.
func Generator(name string) (generate.Generator, error) {
	return find("generator", "dither generators", entries.Generators,
		func(g *generate.Generator) *card.Card { return &g.Card }, name)
}

// Reconstruction finds a reconstruction by name, title or alias.
func Reconstruction(name string) (reconstruct.Reconstruction, error) {
	return find("reconstruction", "dither reconstruct --help", entries.Reconstructions,
		func(r *reconstruct.Reconstruction) *card.Card { return &r.Card }, name)
}

func find[T any](what, verb string, all []T, cardOf func(*T) *card.Card, name string) (T, error) {
	var names, others []string
	for i := range all {
		c := cardOf(&all[i])
		if c.Answers(name) {
			return all[i], nil
		}
		names, others = append(names, c.Name), append(others, c.Aliases...)
	}
	var none T
	if slices.Contains(published[what], strings.ToLower(name)) {
		return none, fmt.Errorf("the %s %s is not in this program: import catalog/all", what, name)
	}
	if near := Elsewhere(name); near != "" {
		return none, &card.Unknown{What: what, Name: name, Hint: ": " + near}
	}
	if hint := spelling.Hint(name, append(names, others...)); hint != "" { // of names as near as each other the first
		return none, &card.Unknown{What: what, Name: name, Hint: hint}
	}
	return none, &card.Unknown{What: what, Name: name, Hint: fmt.Sprintf("; %q lists them", verb)}
}
