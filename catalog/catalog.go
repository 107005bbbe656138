// Package catalog lists everything that dither offers and finds it by any published name. The lists are generated from
// the folders of the techniques, measures, miners and generators: adding one needs no edit here.
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

// byName joins the entries that stand alone and those of families in the order of their names. Of package slices, each
// kind of entry would have a sort of its own in every program.
func byName[E interface{ Named() string }](single []E, families ...[]E) []E {
	all := slices.Concat(single, slices.Concat(families...))
	sort.Slice(all, func(i, j int) bool { return all[i].Named() < all[j].Named() })
	return all
}

// Add adds techniques and measures to the catalogue, as package catalog/all does while a program is initialised.
func Add(m []protect.Method, of []measure.Measure) {
	methods, measures = byName(methods, m), byName(measures, of)
}

// Methods returns the techniques, by name.
func Methods() []protect.Method {
	out := make([]protect.Method, len(methods))
	for k, m := range methods {
		out[k] = bycolumn.Of(m)
	}
	return out
}

// Measures returns the measures, by name.
func Measures() []measure.Measure { return slices.Clone(measures) }

// Miners returns the miners, by name.
func Miners() []mine.Miner { return miners() }

// Generators returns the generators, by name: those of package generate and those of the folders below it.
func Generators() []generate.Generator {
	return byName(generate.Generators(), generators())
}

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
			return find("technique", "dither methods", methods, func(m *protect.Method) *card.Card { return &m.Card }, name)
		}
		m, err := method(base)
		if err != nil {
			return m, err
		}
		return within.Of(m), nil
	}
	m, err := find("technique", "dither methods", methods, func(m *protect.Method) *card.Card { return &m.Card }, name)
	if list := split(name); err != nil && len(list) > 1 {
		return joined(list)
	}
	return m, err
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
	return find("measure", "dither measures", measures, func(m *measure.Measure) *card.Card { return &m.Card }, name)
}

// Miner finds a miner by name, title or alias.
func Miner(name string) (mine.Miner, error) {
	return find("miner", "dither miners", miners(), func(m *mine.Miner) *card.Card { return &m.Card }, name)
}

// Generator finds a generator by name, title or alias.
func Generator(name string) (generate.Generator, error) {
	return find(
		"generator",
		"dither generators",
		Generators(),
		func(g *generate.Generator) *card.Card { return &g.Card },
		name,
	)
}

// Reconstructions returns the reconstructions, by name.
func Reconstructions() []reconstruct.Reconstruction { return reconstructions() }

// Reconstruction finds a reconstruction by name, title or alias.
func Reconstruction(name string) (reconstruct.Reconstruction, error) {
	return find(
		"reconstruction",
		"dither reconstruct --help",
		reconstructions(),
		func(r *reconstruct.Reconstruction) *card.Card { return &r.Card },
		name,
	)
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
	if slices.Contains(apart, strings.ToLower(name)) {
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
