package desk

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// plan is a plan with what its file says of it.
type plan struct {
	protect.Plan
	file   *protect.File
	method protect.Method
}

// columns are those of the table that the plan was made of, as it was before it was restated.
func (p *plan) columns() []table.Attribute {
	switch {
	case p.file.Imputed != nil:
		return p.file.Imputed.Schema()
	case p.file.Restated != nil:
		return p.file.Restated.Attrs
	}
	return p.Schema()
}

// takesRoles gives the columns of a plan that several parties fitted the roles that they have at this one: a release is
// judged against those who know what its own policy and profile say.
// A nil plan takes none.
func (p *plan) takesRoles(t *table.Table) {
	if p == nil {
		return
	}
	schema := p.Schema()
	for k := range schema {
		if j := t.Find(schema[k].Name); j >= 0 {
			schema[k].Role |= t.Attr(j).Role
		}
	}
}

// reading is how the table was read that the plan was made of; nil where there is no plan, or it does not say.
func (p *plan) reading() *policy.Reading {
	if p == nil {
		return nil
	}
	return p.file.Reading
}

// readPlan reads a plan file.
func readPlan(path string) (*plan, error) {
	data, err := wholefile.Read(path)
	if err != nil {
		return nil, err
	}
	return decodePlan(path, data)
}

// decodePlan reads the data of a plan file, which errors name by the path.
func decodePlan(path string, data []byte) (_ *plan, err error) {
	how := &plan{}
	how.file, how.Plan, err = protect.Decode(data, func(name string) (_ protect.Method, found bool) {
		m, err := catalog.Method(name)
		how.method = m
		return m, err == nil
	})
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", path, misread(data, err)))
	}
	return how, nil
}

// misread is the error for a file of JSON that cannot be used, in the words of this program. It quotes nothing of the
// file, as plans and trees hold numbers of the data.
func misread(data []byte, err error) error {
	var at *json.SyntaxError
	if errors.As(json.Unmarshal(data, new(json.RawMessage)), &at) {
		before := data[:min(int(max(at.Offset-1, 0)), len(data))]
		line := bytes.Count(before, []byte("\n")) + 1
		return fmt.Errorf("line %d, column %d: this is not valid JSON", line, len(before)-bytes.LastIndexByte(before, '\n'))
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		kind, _, _ := strings.Cut(wrong.Value, " ")
		at := cmp.Or(wrong.Field, "the document")
		return fmt.Errorf("the value (%s) of %s is not of the kind that stands there", kind, at)
	}
	return err
}
