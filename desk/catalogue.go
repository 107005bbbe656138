package desk

import (
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
)

// Entry is one entry of the catalogue.
type Entry struct {
	card.Card
	Side   string    `json:"side"`   // of a measure: risk or utility
	Better string    `json:"better"` // of a measure: higher or lower
	Unit   string    `json:"unit"`   // of a measure
	Params param.Set `json:"parameters"`
	// Purpose is what one takes a technique for; of a measure its side. Usual says why a technique is one to try first;
	// empty for the others.
	Purpose string `json:"purpose"`
	Usual   string `json:"usual"`
}

// Part is a part of the catalogue.
type Part struct {
	Name string // of the part: methods
	What string // it lists: technique
	one  func() Entry
	all  func() []Entry
	find func(string) (Entry, error)
}

// Methods, Measures, Miners and Generators are the parts of the catalogue.
var (
	Methods    = part("methods", "technique", catalog.Methods, catalog.Method, ofMethod)
	Measures   = part("measures", "measure", catalog.Measures, catalog.Measure, ofMeasure)
	Miners     = part("miners", "miner", catalog.Miners, catalog.Miner, ofMiner)
	Generators = part("generators", "generator", catalog.Generators, catalog.Generator, ofGenerator)
)

func part[T any](name, what string, all func() []T, find func(string) (T, error), entry func(T) Entry) Part {
	return Part{name, what, func() Entry { return entry(all()[0]) }, func() (es []Entry) {
		for _, x := range all() {
			es = append(es, entry(x))
		}
		return es
	}, func(n string) (Entry, error) {
		x, err := find(n)
		if err != nil {
			return Entry{}, usage(err)
		}
		return entry(x), nil
	}}
}

func ofMethod(m protect.Method) Entry {
	return Entry{Card: m.Card, Params: m.New().Params(), Purpose: string(m.Purpose), Usual: m.Usual}
}

func ofMeasure(m measure.Measure) Entry {
	side := string(m.Side)
	return Entry{
		Card:    m.Card,
		Side:    side,
		Better:  string(m.Better),
		Unit:    m.Unit.String(),
		Params:  m.New().Params(),
		Purpose: strings.ToUpper(side[:1]) + side[1:],
	}
}

func ofMiner(m mine.Miner) Entry { return Entry{Card: m.Card, Params: m.New().Params()} }

func ofGenerator(g generate.Generator) Entry { return Entry{Card: g.Card, Params: g.New().Params()} }

// Entries lists the part.
func (p Part) Entries() []Entry { return p.all() }

// First returns the first entry. It costs far less than all.
func (p Part) First() Entry { return p.one() }

// Cards lists what the entries say of themselves.
func (p Part) Cards() (cards []card.Card) {
	for _, e := range p.all() {
		cards = append(cards, e.Card)
	}
	return cards
}

// Find returns the entry of any published name.
func (p Part) Find(name string) (Entry, error) { return p.find(name) }

// Document is a list of entries of the part.
func (p Part) Document(es []Entry) any {
	return map[string]any{"schema": schemaOf(p.Name), p.Name: append([]Entry{}, es...)}
}

// EntryDocument is one entry of the catalogue, whole.
type EntryDocument struct {
	Schema string `json:"schema"`
	Entry
}

// Document is the entry by itself.
func (e Entry) Document() EntryDocument { return EntryDocument{schemaOf("entry"), e} }
