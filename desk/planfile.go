package desk

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/dither-data/dither/catalog"
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
	if p.file.Restated != nil {
		return p.file.Restated.Attrs
	}
	return p.Schema()
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
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	how := &plan{}
	how.file, how.Plan, err = protect.Decode(data, func(name string) (_ protect.Method, found bool) {
		m, err := catalog.Method(name)
		how.method = m
		return m, err == nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, withoutValue(err))
	}
	return how, nil
}

// withoutValue returns an error of reading JSON, which quotes a number that is in the wrong place, without it: plans
// and trees hold numbers of the data.
func withoutValue(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	kind, _, quoted := strings.Cut(wrong.Value, " ")
	if !quoted {
		return err
	}
	at := cmp.Or(wrong.Field, "the document")
	return errors.New(strings.ReplaceAll(err.Error(), wrong.Error(), fmt.Sprintf("a %s does not fit where it stands, in "+
		"%s", kind, at)))
}
