package desk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/dither-data/dither/internal/drift"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study"
)

// The JSON documents. Their schema field is stable: a change that breaks a reader gets a new number.

// WriteJSON writes one document, indented. What could steer a terminal, or turn the direction of writing, is escaped.
func WriteJSON(w io.Writer, document any) error {
	safe, err := encoded(document, " ")
	if err == nil {
		_, err = w.Write(safe)
	}
	return err
}

// encoded returns a value as safe JSON, with a line feed at the end.
func encoded(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	var safe []byte
	rest := b.Bytes()
	for k := bytes.IndexFunc(rest, steers); k >= 0; k = bytes.IndexFunc(rest, steers) {
		r, n := utf8.DecodeRune(rest[k:])
		safe, rest = fmt.Appendf(append(safe, rest[:k]...), `\u%04x`, r), rest[k+n:] // it is in a string: all else is ASCII
	}
	return append(safe, rest...), nil
}

// steers reports whether a character means something to a terminal or turns the direction of writing. The encoder has escaped those below the blank.
func steers(r rune) bool {
	return r >= 0x7f && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

// Number is a float64 that JSON can hold: NaN and the infinities become null.
type Number float64

// MarshalJSON writes the number or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if f := float64(n); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return json.Marshal(f)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads what MarshalJSON writes; null is NaN.
func (n *Number) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

// InspectDocument is dither/inspect/1. It is as confidential as the table.
type InspectDocument struct {
	Schema   string               `json:"schema"`
	File     study.File           `json:"file"`
	Notes    []string             `json:"notes,omitempty"`
	Profile  *profile.Profile     `json:"profile"`
	Roles    []profile.Suggestion `json:"roles"`
	Exposure *profile.Exposure    `json:"exposure"`
}

// Document is what inspecting a table found.
func (i *Inspection) Document() InspectDocument {
	return InspectDocument{"dither/inspect/1", i.File, i.Notes(), i.Profile, i.Roles, i.Exposure}
}

// ProtectDocument is dither/protect/1.
type ProtectDocument struct {
	Schema       string            `json:"schema"`
	Version      string            `json:"version"`
	Original     study.File        `json:"original,omitzero"` // absent from a public one
	Released     study.File        `json:"released"`
	Method       string            `json:"method"`
	Paper        string            `json:"paper"`
	Parameters   []param.Value     `json:"parameters,omitempty"`     // absent from a public one
	Commitment   string            `json:"seedCommitment,omitempty"` // absent from a public one
	Columns      []ChangeDocument  `json:"columns"`
	Notes        []string          `json:"notes,omitempty"`
	Corrections  []string          `json:"corrections,omitempty"` // absent from a public one
	Measures     []MeasureDocument `json:"measures"`
	NotProtected []string          `json:"notProtected"`
	Files        Files             `json:"files"`
	Drift        *drift.Report     `json:"drift,omitempty"` // of a plan that was applied; absent from a public one
	Written      bool              `json:"written"`         // false for a release that is withheld: released.name is then what was asked for, and there is no such file
	Verdict      *study.Verdict    `json:"verdict,omitempty"`
}

// Document is what was done and measured.
func (p *Protection) Document() ProtectDocument {
	o, files := p.Outcome, p.Files
	if p.public {
		o, files.Plan = study.Published(o), ""
	}
	return ProtectDocument{"dither/protect/1", o.Version, o.OriginalFile, o.ReleasedFile, o.Method.Name, o.Method.Paper, o.Params, o.Commitment,
		changes(o.Changes), o.Notes, o.Corrections, MeasureDocuments(o.Measures), study.Texts(o.NotProtected), files, o.Drift, files.Release != "", o.Verdict}
}

// EvaluateDocument is dither/evaluate/1.
type EvaluateDocument struct {
	Schema      string            `json:"schema"`
	Version     string            `json:"version"`
	Original    study.File        `json:"original,omitzero"` // absent from a public one
	Released    study.File        `json:"released"`
	Holdout     *study.File       `json:"holdout,omitempty"`
	Notes       []string          `json:"notes,omitempty"`       // absent from a public one
	Corrections []string          `json:"corrections,omitempty"` // absent from a public one
	Measures    []MeasureDocument `json:"measures"`
	Verdict     *study.Verdict    `json:"verdict,omitempty"`
}

// Document is what was measured.
func (e *Evaluation) Document() EvaluateDocument {
	o := e.Outcome
	if e.public {
		o = study.Published(o)
	}
	return EvaluateDocument{"dither/evaluate/1", o.Version, o.OriginalFile, o.ReleasedFile, o.HoldoutFile, o.Notes, o.Corrections, MeasureDocuments(o.Measures), o.Verdict}
}

// AttackDocument is dither/attack/1. It is confidential.
type AttackDocument struct {
	Schema   string            `json:"schema"`
	Version  string            `json:"version"`
	Original study.File        `json:"original"`
	Released study.File        `json:"released"`
	Holdout  *study.File       `json:"holdout,omitempty"`
	Attacks  []study.Attack    `json:"attacks"`
	Measures []MeasureDocument `json:"measures"`
	Verdict  *study.Verdict    `json:"verdict,omitempty"`
}

// Document is what each intruder can do.
func (r *Raid) Document() AttackDocument {
	o := r.Outcome
	return AttackDocument{"dither/attack/1", o.Version, o.OriginalFile, o.ReleasedFile, o.HoldoutFile, r.Attacks, MeasureDocuments(o.Measures), o.Verdict}
}

// PartDocument is one part of a measure.
type PartDocument struct {
	Key   measure.Key `json:"key"`          // which figure of the measure it is: stable, where the name is for people
	Of    string      `json:"of,omitempty"` // what it is of, where there are several of a key: a column, the number of a tree
	Name  string      `json:"name"`
	Score Number      `json:"score"`
}

// MeasureDocument is one measure; without a score its error says why there is none.
type MeasureDocument struct {
	Name   string            `json:"name"`
	Side   measure.Side      `json:"side"`
	Better measure.Direction `json:"better"`
	Unit   string            `json:"unit"`
	// Intruder is whom the figure is against; absent when it depends on none.
	Intruder string         `json:"intruder,omitempty"`
	Score    *Number        `json:"score,omitempty"`
	Lo       *Number        `json:"lo,omitempty"`
	Hi       *Number        `json:"hi,omitempty"`
	Parts    []PartDocument `json:"parts,omitempty"`
	Notes    []string       `json:"notes,omitempty"`
	Detail   any            `json:"detail,omitempty"`
	Error    string         `json:"error,omitempty"`
}

// MeasureDocuments are measures as documents hold them.
func MeasureDocuments(ms []study.Measured) []MeasureDocument {
	docs := []MeasureDocument{}
	for _, m := range ms {
		d := MeasureDocument{Name: m.Name, Side: m.Side, Better: m.Better, Unit: m.Unit.Text, Intruder: m.Intruder, Error: m.Err}
		if m.Err == "" {
			s, lo, hi := Number(m.Value.Score), Number(m.Value.Lo), Number(m.Value.Hi)
			d.Score, d.Lo, d.Hi, d.Notes, d.Detail = &s, &lo, &hi, m.Value.Notes, m.Value.Detail
			d.Parts = parts(m.Value.Parts)
		}
		docs = append(docs, d)
	}
	return docs
}

func parts(ps []measure.Part) (docs []PartDocument) {
	for _, p := range ps {
		docs = append(docs, PartDocument{p.Key, p.Of, p.Name, Number(p.Score)})
	}
	return docs
}

// ChangeDocument says what was done to one column.
type ChangeDocument struct {
	Column  string `json:"column"`
	Kind    string `json:"kind"`
	Role    string `json:"role"`
	Action  string `json:"action"`
	Changed Number `json:"changed"` // share of the records, null for a dropped column
}

func changes(cs []study.Change) []ChangeDocument {
	docs := []ChangeDocument{}
	for _, c := range cs {
		docs = append(docs, ChangeDocument{c.Column, c.Kind.String(), c.Role, c.Action, Number(c.Changed)})
	}
	return docs
}
