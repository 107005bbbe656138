package desk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/internal/text/filled"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
)

// The JSON documents. Their schema field is stable: a change that breaks a reader gets a new number. Keys are present
// when what they hold is empty; what a public document withholds is absent there, and its tag has omitzero.

// WriteJSON writes one document, indented. What could steer a terminal, or turn the direction of writing, is escaped.
func WriteJSON(w io.Writer, document any) error {
	safe, err := encoded(document, " ")
	if err == nil {
		_, err = w.Write(safe)
	}
	return err
}

// encoded returns a value as safe JSON, with a line feed at the end. A list or map that is nil is written as an empty
// one.
func encoded(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false)
	if err := e.Encode(filled.Copy(value, false)); err != nil {
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

// steers reports whether a character means something to a terminal or turns the direction of writing. The encoder has
// escaped those below the blank.
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

// InspectDocument is what inspecting a table found. It is as confidential as the table.
type InspectDocument struct {
	Schema  string               `json:"schema"`
	File    study.File           `json:"file"`
	Notes   []message.Words      `json:"notes"` // on how the file was read
	Profile *profile.Profile     `json:"profile"`
	Roles   []profile.Suggestion `json:"roles"` // one for every column
	// what holds between columns in every record
	Relations []study.Relation   `json:"relations"`
	Exposure  *profile.Exposure  `json:"exposure"` // of the quasi-identifiers
	Document  *document.Document `json:"document"` // all that the text says
}

// Document is what inspecting a table found.
func (i *Inspection) Document() InspectDocument {
	return whole(InspectDocument{schemaOf("inspect"), i.File, i.Notes(), i.Profile, i.Roles, i.Relations.Document(),
		i.Exposure, report.ProfileDocument(i.File.Name, i.Profile, i.Roles, i.Exposure)})
}

// ProtectDocument is what was done to a table and measured of the release.
type ProtectDocument struct {
	Schema     string             `json:"schema"`
	Version    string             `json:"version"`           // of the program
	Original   study.File         `json:"original,omitzero"` // absent from a public one
	Released   study.File         `json:"released"`
	Method     string             `json:"method"`                  // the technique
	Paper      string             `json:"paper"`                   // author, year, section or equation
	Parameters []param.Value      `json:"parameters,omitzero"`     // absent from a public one
	Commitment string             `json:"seedCommitment,omitzero"` // hash that fixes the seed; absent from a public one
	Columns    []ChangeDocument   `json:"columns"`
	Notes      []message.Sentence `json:"notes,omitzero"` // absent from a public one
	// how a user of the release corrects for the noise; absent from a public one
	Corrections  []message.Sentence `json:"corrections,omitzero"`
	Measures     []MeasureDocument  `json:"measures"`
	NotProtected []message.Sentence `json:"notProtected"` // what the release does not protect against
	Files        FilesDocument      `json:"files"`
	// of a plan that was applied, else null; absent from a public one
	Drift Kept[*drift.Report] `json:"drift,omitzero"`
	// of a technique that searches levels of generalisation, else null; absent from a public one
	Solution Kept[*protect.Solution] `json:"solution,omitzero"`
	// false for a release that is withheld: released.name is then what was asked for, and there is no such file
	Written  bool               `json:"written"`
	Verdict  *study.Verdict     `json:"verdict"`
	Document *document.Document `json:"document"` // what text and page say, but the drawings of columns
}

// Document is what was done and measured.
func (p *Protection) Document() ProtectDocument {
	o, told := p.Outcome, modelOf(p.Outcome, report.Options{Public: p.Public})
	if p.Public {
		o = study.Published(o)
	}
	files := FilesDocument{
		p.Files.Release,
		p.Files.Report,
		Kept[string]{p.Files.Plan, p.Public},
		p.Files.Law,
		p.Files.Record,
		p.Files.Sensitive,
	}
	d := ProtectDocument{
		schemaOf("protect"),
		o.Version,
		o.OriginalFile,
		o.ReleasedFile,
		o.Method.Name,
		o.Method.Paper,
		o.Params,
		o.Commitment,
		changes(o.Changes),
		o.Notes,
		o.Corrections,
		measures(o.Measures, p.Public),
		study.Texts(o.NotProtected),
		files,
		Kept[*drift.Report]{o.Drift, p.Public},
		Kept[*protect.Solution]{o.Solution, p.Public},
		files.Release != "",
		o.Verdict,
		told,
	}
	if p.Public {
		return d
	}
	return whole(d)
}

// FilesDocument says where what was made is; empty for what was not.
type FilesDocument struct {
	Release string       `json:"release"` // empty when it was withheld
	Report  string       `json:"report"`
	Plan    Kept[string] `json:"plan,omitzero"` // absent from a public one
	Law     string       `json:"law"`
	Record  string       `json:"record"`
	// the second table of a release that went out as two; absent from any other
	Sensitive string `json:"sensitiveTable,omitempty"`
}

// EvaluateDocument is what was measured of a release that is there already.
type EvaluateDocument struct {
	Schema   string             `json:"schema"`
	Version  string             `json:"version"`           // of the program
	Original study.File         `json:"original,omitzero"` // absent from a public one
	Released study.File         `json:"released"`
	Holdout  Kept[*study.File]  `json:"holdout,omitzero"` // absent from a public one
	Notes    []message.Sentence `json:"notes,omitzero"`   // absent from a public one
	// how a user of the release corrects for the noise; absent from a public one
	Corrections []message.Sentence `json:"corrections,omitzero"`
	Measures    []MeasureDocument  `json:"measures"`
	Verdict     *study.Verdict     `json:"verdict"` // null where no limits were asked for
	// Document is what text and page say, but the drawings of columns.
	Document *document.Document `json:"document"`
}

// modelOf is what there is to say of an outcome. Its tables fit each other, since both were loaded to be compared.
func modelOf(o *study.Outcome, opt report.Options) *document.Document {
	d, err := report.Model(o, opt)
	if err != nil {
		panic("desk: " + err.Error())
	}
	return d
}

// Document is what was measured.
func (e *Evaluation) Document() EvaluateDocument {
	o, told := e.Outcome, modelOf(e.Outcome, report.Options{Public: e.Public})
	if e.Public {
		o = study.Published(o)
	}
	d := EvaluateDocument{
		schemaOf("evaluate"),
		o.Version,
		o.OriginalFile,
		o.ReleasedFile,
		Kept[*study.File]{o.HoldoutFile, e.Public},
		o.Notes,
		o.Corrections,
		measures(o.Measures, e.Public),
		o.Verdict,
		told,
	}
	if e.Public {
		return d
	}
	return whole(d)
}

// AttackDocument is what each intruder can do to a release. It is confidential.
type AttackDocument struct {
	Schema   string            `json:"schema"`
	Version  string            `json:"version"` // of the program
	Original study.File        `json:"original"`
	Released study.File        `json:"released"`
	Holdout  *study.File       `json:"holdout"` // null where there is none
	Attacks  []study.Attack    `json:"attacks"`
	Measures []MeasureDocument `json:"measures"`
	Verdict  *study.Verdict    `json:"verdict"`
	// Document is what the text says.
	Document *document.Document `json:"document"`
}

// Document is what each intruder can do.
func (r *AttackOutcome) Document() AttackDocument {
	o := r.Outcome
	told, err := report.AttackDocument(o, r.Attacks)
	if err != nil {
		panic("desk: " + err.Error()) // the tables of an evaluation fit each other
	}
	return whole(
		AttackDocument{
			schemaOf("attack"),
			o.Version,
			o.OriginalFile,
			o.ReleasedFile,
			o.HoldoutFile,
			r.Attacks,
			measures(o.Measures, false),
			o.Verdict,
			told,
		},
	)
}

// PartDocument is one part of a measure.
type PartDocument struct {
	Key   measure.Key      `json:"key"` // which figure of the measure it is: stable, where the name is for people
	Of    string           `json:"of"`  // what it is of, where there are several of a key: a column, the number of a tree
	Name  message.Sentence `json:"name"`
	Score Number           `json:"score"`
}

// MeasureDocument is one measure; without a score its error says why there is none.
type MeasureDocument struct {
	Name   string            `json:"name"`
	Side   measure.Side      `json:"side"`
	Better measure.Direction `json:"better"`
	Unit   message.Words     `json:"unit"`
	// Intruder is whom the figure is against; empty when it depends on none.
	Intruder string `json:"intruder"`
	// null where it is not known, and where the measure could not be taken
	Score Number             `json:"score"`
	Lo    Number             `json:"lo"`             // lo and hi enclose the score
	Hi    Number             `json:"hi"`             // equal to the score where that is exact
	Parts []PartDocument     `json:"parts,omitzero"` // absent from a public one
	Notes []message.Sentence `json:"notes,omitzero"` // absent from a public one
	// Detail is what the measure tells besides, as "dither schema details" describes it by the name of the measure; null
	// for a measure without; absent from a public one.
	Detail Kept[any]     `json:"detail,omitzero"`
	Error  message.Words `json:"error"` // why the measure could not be taken; empty when it was
	// ErrorKey is which sentence that is; empty for the words of another program or of an error
	ErrorKey string `json:"errorKey"`
}

// MeasureDocuments are measures as confidential documents hold them.
func MeasureDocuments(ms []study.Measured) []MeasureDocument { return whole(measures(ms, false)) }

// measures are measures as documents hold them.
func measures(ms []study.Measured, public bool) []MeasureDocument {
	docs := []MeasureDocument{}
	for _, m := range ms {
		nan := Number(math.NaN())
		d := MeasureDocument{
			Name:     m.Name,
			Side:     m.Side,
			Better:   m.Better,
			Unit:     m.Unit.Says,
			Intruder: m.Intruder,
			Error:    message.Words{Sentence: m.Err},
			ErrorKey: m.Err.Key(),
			Score:    nan,
			Lo:       nan,
			Hi:       nan,
		}
		if d.Detail.Withheld = public; m.Err.Empty() {
			d.Score, d.Lo, d.Hi = Number(m.Value.Score), Number(m.Value.Lo), Number(m.Value.Hi)
			d.Notes, d.Detail.Value, d.Parts = m.Value.Notes, m.Value.Detail, parts(m.Value.Parts)
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
	Column string      `json:"column"`
	Kind   string      `json:"kind"` // numeric, categorical, ordered
	Role   string      `json:"role"`
	Action study.Doing `json:"action"`
	// the action in words; in a public document without what the technique says of it
	Says    message.Sentence `json:"says"`
	Changed Number           `json:"changed"` // share of the records, null for a dropped column, and in a public document
}

func changes(cs []study.Change) []ChangeDocument {
	docs := []ChangeDocument{}
	for _, c := range cs {
		docs = append(docs,
			ChangeDocument{c.Column, c.Kind.String(), c.Role, c.Action.Kind, c.Action.Sentence(), Number(c.Changed)})
	}
	return docs
}
