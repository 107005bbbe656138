package desk

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/policy"
)

// folded is a policy with what the source says besides of how the table is read.
func (s *Source) folded(pol *policy.Policy) (*policy.Policy, error) {
	q := *pol
	q.Columns = map[string]policy.Column{}
	maps.Copy(q.Columns, pol.Columns)
	q.File.Encoding, q.File.Merge = cmp.Or(s.Encoding, pol.File.Encoding), s.Merge || pol.File.Merge
	q.File.Sheet = cmp.Or(s.Sheet, pol.File.Sheet)
	if s.Delimiter != "" {
		mark, err := delimiter(s.Delimiter)
		if err != nil {
			return nil, err
		}
		if q.File.Delimiter = string(mark); mark == '\t' {
			q.File.Delimiter = "tab"
		}
	}
	if len(s.Items) > 0 {
		q.File.Items = s.Items
	}
	q.File.Missing = nil
	if marks := s.marks(pol); !slices.Equal(slices.Sorted(slices.Values(marks)), slices.Sorted(slices.Values(format.DefaultMissing))) {
		q.File.Missing = asTexts(marks)
	}
	for name, codes := range s.codes(pol) {
		c := q.Columns[name]
		c.Missing = asTexts(codes)
		q.Columns[name] = c
	}
	dates, err := s.dates(pol)
	for name, n := range dates {
		c := q.Columns[name]
		c.Dates = string(n)
		q.Columns[name] = c
	}
	return &q, err
}

// layouts are how sets of items stand in the cells of the table.
func (s *Source) layouts(pol *policy.Policy) (out []layout.Spec, err error) {
	list := s.Items
	if len(list) == 0 {
		list = pol.File.Items
	}
	for _, text := range list {
		spec, err := layout.Parse(text)
		if err != nil {
			return nil, &Usage{Field: "items", Value: strconv.Quote(text), Err: err}
		}
		out = append(out, spec)
	}
	return out, nil
}

func asTexts(list []string) []policy.Text {
	out := make([]policy.Text, len(list))
	for k, s := range list {
		out[k] = policy.Text(s)
	}
	return out
}

// reading is how the table was read, to be kept with a plan.
func (s *Source) reading(pol *policy.Policy) (*policy.Reading, error) {
	q, err := s.folded(pol)
	if err != nil {
		return nil, err
	}
	return q.Reading(), nil
}

// recalled is what is known of a reading that a plan keeps: what was taken from it, and in what the request contradicts it.
type recalled struct{ taken, contrary []string }

// recall returns the policy with what a plan keeps of how its original was read, where neither source nor policy says it.
func (s *reader) recall(pol *policy.Policy) (*policy.Policy, recalled, error) {
	if s.kept == nil {
		return pol, recalled{}, nil
	}
	own, err := s.folded(pol)
	if err != nil {
		return nil, recalled{}, err
	}
	var r recalled
	if own, r.taken, r.contrary = own.Recall(s.kept); len(r.taken) > 0 {
		pol = own
	}
	return pol, r, nil
}

// tell says what was taken from the plan. Contradictions are an error where the plan was fitted to this very file, which cannot have been read in both ways;
// of another file the request knows better.
func (r *recalled) tell(d *Desk, how *plan, l *Loaded) error {
	if len(r.contrary) > 0 {
		what := "the plan was made of a table that was read otherwise: " + strings.Join(r.contrary, ", ")
		if p := how.file.Pairing; p != nil && p.Original == l.File.SHA256 {
			return usage(fmt.Errorf("%s; leave out the flags and the parts of the policy that say it, or the plan", what))
		}
		d.note(what + "; it is read as the request says")
	}
	if len(r.taken) > 0 {
		d.note("read as the plan says that its original was: " + strings.Join(r.taken, ", "))
	}
	return nil
}

// delimiter reads the name of a separator.
func delimiter(name string) (byte, error) {
	switch strings.ToLower(name) {
	case "comma":
		return ',', nil
	case "semicolon":
		return ';', nil
	case "tab", `\t`, "\t":
		return '\t', nil
	case "pipe":
		return '|', nil
	case "blank":
		return ' ', nil
	}
	if len(name) != 1 || name[0] == '"' || name[0] == '\n' || name[0] == '\r' || name[0] >= 0x80 {
		return 0, &Usage{Field: "delimiter", Value: strconv.Quote(name), Err: errors.New("expected comma, semicolon, tab, pipe, blank or one character")}
	}
	return name[0], nil
}
