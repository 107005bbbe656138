package desk

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/param"
)

// Entry is one entry of the catalogue.
type Entry struct {
	card.Card
	Side   string    `json:"side,omitempty"`
	Better string    `json:"better,omitempty"`
	Unit   string    `json:"unit,omitempty"`
	Params param.Set `json:"parameters"`
}

// Part is a part of the catalogue.
type Part struct {
	Name string // of the part: methods
	What string // it lists: technique
	all  func() []Entry
	find func(string) (string, error)
}

// Methods, Measures and Miners are the parts of the catalogue.
var (
	Methods = Part{"methods", "technique", func() (es []Entry) {
		for _, m := range catalog.Methods() {
			es = append(es, Entry{Card: m.Card, Params: m.New().Params()})
		}
		return es
	}, func(n string) (string, error) { m, err := catalog.Method(n); return m.Name, err }}
	Measures = Part{"measures", "measure", func() (es []Entry) {
		for _, m := range catalog.Measures() {
			es = append(es, Entry{Card: m.Card, Side: string(m.Side), Better: string(m.Better), Unit: m.Unit, Params: m.New().Params()})
		}
		return es
	}, func(n string) (string, error) { m, err := catalog.Measure(n); return m.Name, err }}
	Miners = Part{"miners", "miner", func() (es []Entry) {
		for _, m := range catalog.Miners() {
			es = append(es, Entry{Card: m.Card, Params: m.New().Params()})
		}
		return es
	}, func(n string) (string, error) { m, err := catalog.Miner(n); return m.Name, err }}
)

// Entries lists the part.
func (p Part) Entries() []Entry { return p.all() }

// Cards lists what the entries say of themselves.
func (p Part) Cards() (cards []card.Card) {
	for _, e := range p.all() {
		cards = append(cards, e.Card)
	}
	return cards
}

// Find returns the entry of any published name.
func (p Part) Find(name string) (Entry, error) {
	found, err := p.find(name)
	if err != nil {
		return Entry{}, usage(err)
	}
	for _, e := range p.all() {
		if e.Name == found {
			return e, nil
		}
	}
	panic("desk: the catalogue finds what it does not list: " + found)
}

// Document is the whole part: dither/methods/1, dither/measures/1 or dither/miners/1.
func (p Part) Document() any {
	return map[string]any{"schema": "dither/" + p.Name + "/1", p.Name: p.all()}
}
