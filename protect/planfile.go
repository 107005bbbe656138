package protect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/dither-data/dither/impute"
	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
)

// PlanSchema names the format of plan files.
const PlanSchema = "dither/plan/1"

const (
	notice = "CONFIDENTIAL: this plan holds ranges, rules and counts of the original records; " +
		"anyone who has it and the seed can undo the noise. Keep it with the original."
	pairingNotice = " It also says which record of the release is whose."
)

// File is a plan as it is stored: what it is, where it comes from, and the plan.
type File struct {
	Notice string        `json:"notice"` // first, so that anyone who opens the file reads it
	Schema string        `json:"schema"` // PlanSchema
	Method string        `json:"method"` // name of the technique
	Params []param.Value `json:"params"`
	// Shuffled says that the release was written in a random order, so that its rows are not those of the original.
	Shuffled bool `json:"shuffled,omitempty"`
	// Pairing says which record is which in the release that was written with this file; nil where that was not kept.
	Pairing *Pairing `json:"pairing,omitempty"`
	// Reading says how the original was read, where that decides what its values are; nil where that was not kept.
	Reading *policy.Reading `json:"reading,omitempty"`
	// Law is the law of the release that was written with this file, where it can be published; nil elsewhere.
	Law *modelfile.Model `json:"law,omitempty"`
	// Baseline is what the table was like that the plan was made of; nil where that was not kept.
	Baseline *drift.Baseline `json:"baseline,omitempty"`
	// Recurs is the commitment (rng.Commitment) of the seed by which releases of the same people are alike; empty where
	// people do not recur.
	Recurs string `json:"recurs,omitempty"`
	// ShortSeed says that the plan was fitted, or its release drawn, with a seed that can be tried out (rng.ShortSeed).
	ShortSeed bool `json:"shortSeed,omitempty"`
	// Restated says how the table is restated before the plan is applied, so that what holds between columns is kept; nil
	// where it is not.
	Restated *relation.Restatement `json:"restated,omitempty"`
	// Imputed says how missing values are filled in before that; nil where they are not.
	Imputed *impute.Plan `json:"imputed,omitempty"`
	// Units are the columns that told whose a record is in the table that the plan was made of; nil where that was not
	// kept.
	Units *Units `json:"units,omitempty"`
	// Run is what anyone who wrote the file needs to check the record of the run; nil where none was written.
	Run  json.RawMessage `json:"run,omitempty"`
	Plan json.RawMessage `json:"plan"`
}

// Units are the columns that tell persons and households apart; empty where there is none.
type Units struct {
	Person    string `json:"person,omitempty"`
	Household string `json:"household,omitempty"`
}

// Checker is a plan that can tell whether what was decoded into it is consistent: positions and codes in range, limits
// in order. Decode refuses a plan whose Check fails, so that Apply needs no checks of its own.
type Checker interface{ Check() error }

// Encode writes a plan file: indented JSON. It holds no seed.
func Encode(method string, params []param.Value, p Plan) ([]byte, error) {
	return EncodeFile(File{Method: method, Params: params}, p)
}

// EncodeFile is Encode with what else the file says of the release; notice, schema and plan are set.
func EncodeFile(f File, p Plan) ([]byte, error) {
	plan, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("plan of %s: %w", f.Method, err)
	}
	f.Notice, f.Schema, f.Plan = notice, PlanSchema, plan
	if f.Pairing != nil {
		f.Notice += pairingNotice
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err = enc.Encode(f)
	return out.Bytes(), err
}

// Decode reads a plan file. The technique is found by lookup, normally the catalogue's. Unknown fields, a wrong schema,
// an unknown technique and an inconsistent plan are errors.
func Decode(data []byte, lookup func(name string) (Method, bool)) (*File, Plan, error) {
	var f File
	if err := strict(data, &f); err != nil {
		return nil, nil, fmt.Errorf("plan file: %w", err)
	}
	if f.Schema != PlanSchema {
		return nil, nil, fmt.Errorf("plan file: the schema is %q; expected %q", f.Schema, PlanSchema)
	}
	if f.Pairing != nil {
		if err := f.Pairing.Check(); err != nil {
			return nil, nil, fmt.Errorf("plan file: the pairing: %w", err)
		}
	}
	if f.Law != nil {
		if err := f.Law.Check(); err != nil {
			return nil, nil, fmt.Errorf("plan file: the noise model: %w", err)
		}
	}
	if f.Restated != nil {
		if err := f.Restated.Check(); err != nil {
			return nil, nil, fmt.Errorf("plan file: how the table is restated: %w", err)
		}
	}
	m, ok := lookup(f.Method)
	if !ok {
		return nil, nil, fmt.Errorf("plan file: unknown technique %q", f.Method)
	}
	if m.Plan == nil {
		return nil, nil, fmt.Errorf("plan file: plans of %s cannot be read", m.Name)
	}
	p := m.Plan()
	if len(f.Plan) == 0 || bytes.Equal(f.Plan, []byte("null")) {
		return nil, nil, errors.New("plan file: the plan is missing")
	}
	if err := strict(f.Plan, p); err != nil {
		return nil, nil, fmt.Errorf("plan of %s: %w", m.Name, err)
	}
	if c, ok := p.(Checker); ok {
		if err := c.Check(); err != nil {
			return nil, nil, fmt.Errorf("plan of %s: %w", m.Name, err)
		}
	}
	if err := CheckSchema(p.Schema()); err != nil {
		return nil, nil, fmt.Errorf("plan of %s: %w", m.Name, err)
	}
	return &f, p, nil
}

// strict decodes one JSON value without unknown fields and with nothing after it.
func strict(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows the JSON value")
	}
	return nil
}

// CheckSchema refuses a decoded schema in which a name occurs twice.
func CheckSchema(schema []table.Attribute) error {
	seen := make(map[string]bool, len(schema))
	for j := range schema {
		if n := schema[j].Name; seen[n] {
			return fmt.Errorf("column %q occurs twice", n)
		}
		seen[schema[j].Name] = true
	}
	return nil
}
