package main

import (
	"encoding/json"
	"io"
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

// The JSON documents. Their schema field is stable: a change that breaks a reader gets a new number.

// number is a float64 that JSON can hold: NaN and the infinities become null.
type number float64

// MarshalJSON writes the number or null.
func (n number) MarshalJSON() ([]byte, error) {
	if f := float64(n); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return json.Marshal(f)
	}
	return []byte("null"), nil
}

type partDoc struct {
	Name  string `json:"name"`
	Score number `json:"score"`
}

type measureDoc struct {
	Name   string            `json:"name"`
	Side   measure.Side      `json:"side"`
	Better measure.Direction `json:"better"`
	Unit   string            `json:"unit"`
	// Intruder is whom the figure is against; absent when it depends on none.
	Intruder string    `json:"intruder,omitempty"`
	Score    *number   `json:"score,omitempty"`
	Lo       *number   `json:"lo,omitempty"`
	Hi       *number   `json:"hi,omitempty"`
	Parts    []partDoc `json:"parts,omitempty"`
	Notes    []string  `json:"notes,omitempty"`
	Detail   any       `json:"detail,omitempty"`
	Error    string    `json:"error,omitempty"`
}

func measureDocs(ms []study.Measured) []measureDoc {
	docs := []measureDoc{}
	for _, m := range ms {
		d := measureDoc{Name: m.Name, Side: m.Side, Better: m.Better, Unit: m.Unit, Intruder: m.Intruder, Error: m.Err}
		if m.Err == "" {
			s, lo, hi := number(m.Value.Score), number(m.Value.Lo), number(m.Value.Hi)
			d.Score, d.Lo, d.Hi, d.Notes, d.Detail = &s, &lo, &hi, m.Value.Notes, m.Value.Detail
			for _, p := range m.Value.Parts {
				d.Parts = append(d.Parts, partDoc{p.Name, number(p.Score)})
			}
		}
		docs = append(docs, d)
	}
	return docs
}

type changeDoc struct {
	Column  string `json:"column"`
	Kind    string `json:"kind"`
	Role    string `json:"role"`
	Action  string `json:"action"`
	Changed number `json:"changed"` // share of the records, null for a dropped column
}

func changeDocs(cs []study.Change) []changeDoc {
	docs := []changeDoc{}
	for _, c := range cs {
		docs = append(docs, changeDoc{c.Column, c.Kind.String(), c.Role, c.Action, number(c.Changed)})
	}
	return docs
}

// printJSON prints one document, indented.
func printJSON(w io.Writer, doc any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}
