package desk

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
)

// This file finds misspelt names before anything is read, worked out or refused because it exists.

// beginning is how many bytes of a text tell the names of its columns.
const beginning = 1 << 16

// Header returns the names of the columns of a file, told from its beginning; nil where that does not tell them, as of
// standard input and of formats that are no text. The flags and the policy say how it is read. It is for completions
// and for finding misspelt names: the file itself may be faulty further down.
func (s *Source) Header() []string {
	file, err := s.file()
	if err != nil || s.Path == standardInput {
		return nil
	}
	how := file.With(&s.Said).File
	opt := format.Options{Encoding: how.Encoding, Skip: how.Skip, Header: reading.Header(&policy.Policy{File: how})}
	if opt.Delimiter, err = policy.ParseDelimiter(how.Delimiter); err != nil {
		return nil
	}
	if st, err := os.Stat(s.Path); err != nil || !st.Mode().IsRegular() {
		return nil // a pipe's data come once
	}
	f, err := os.Open(s.Path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, beginning))
	if err != nil {
		return nil
	}
	if at := bytes.LastIndexByte(data, '\n'); len(data) == beginning && at >= 0 {
		data = data[:at+1]
	}
	t, _, err := format.ReadFrom(context.Background(), nameOf(s.Path), bytes.NewReader(data), opt)
	if err != nil {
		return nil
	}
	return names(t)
}

// word is a name in a field of a request.
type word struct{ field, name string }

// words are the columns that the caller says something of, by the flag that says it.
func (s *Source) words() (out []word) {
	for _, name := range slices.Sorted(maps.Keys(s.Said.Columns)) {
		c := s.Said.Columns[name]
		for _, said := range []struct {
			field string
			is    bool
		}{{"role", c.Role != nil}, {"keep-text", c.KeepText}, {"missing", c.Missing != nil},
			{"not-missing", c.NotMissing != nil}, {"dates", c.Dates != ""}, {"numbers", c.Numbers != ""},
			{"cut", c.Cut != ""}, {"hierarchy", c.Hierarchy != ""}, {"pseudonymise", c.Identifier != ""}} {
			if said.is {
				out = append(out, word{said.field, name})
			}
		}
	}
	return out
}

// lacking refuses what the caller says of a column that the table lacks.
func (s *Source) lacking(t *table.Table) error {
	for _, w := range s.words() {
		if t.Find(w.name) >= 0 {
			continue
		}
		if w.field == "role" || w.field == "pseudonymise" { // as of a policy file: the table may be another one
			return fmt.Errorf("%s: a role is given for %q, which is not a column of the table%s", nameOf(s.Path), w.name,
				spelling.Hint(w.name, names(t)))
		}
		return w.missing(s.Path, names(t))
	}
	return nil
}

// missing is the error of a name that no column has.
func (w word) missing(path string, columns []string) error {
	return &Usage{
		Field: w.field,
		Err:   fmt.Errorf("%s has no column %q%s", nameOf(path), w.name, spelling.Hint(w.name, columns)),
	}
}

// misspelt returns an error for the first name that no column has and that is near the name of one: those that the
// caller says, and further ones. Whatever else is wrong with names is found when the table is read.
func (s *Source) misspelt(more ...word) error {
	all := slices.Concat(more, s.words(), wordsOf(s.Said.Intruders))
	if s.Said.Class != "" {
		all = append(all, word{"class", s.Said.Class})
	}
	if len(all) == 0 && s.Policy == "" {
		return nil
	}
	header := s.Header()
	if header == nil {
		return nil
	}
	if file, err := s.file(); err == nil {
		if err := file.With(&policy.Policy{Class: s.Said.Class}).Misspelt(header); err != nil {
			return fmt.Errorf("%s: %w", nameOf(s.Path), err)
		}
	}
	for _, w := range all {
		if w.name == "" || stands(w.name, header) {
			continue
		}
		w.name, _, _ = strings.Cut(w.name, "=")
		if spelling.Hint(w.name, header) != "" {
			return w.missing(s.Path, header)
		}
	}
	return nil
}

// stands reports whether a name is one of the columns', or may be no name of a single one: several joined by +, and
// something said of a column behind =.
func stands(name string, header []string) bool {
	if slices.Contains(header, name) || strings.Contains(name, "+") {
		return true
	}
	for at, c := range name {
		if c == '=' && slices.Contains(header, name[:at]) {
			return true
		}
	}
	return false
}

// namedBy are the columns that parameters name.
func namedBy(params param.Set, set map[string]string) (out []word) {
	for _, p := range params {
		if v, given := set[p.Name]; given && p.Type == param.TypeNames {
			for _, n := range param.SplitNames(v) {
				out = append(out, word{"set " + p.Name, n})
			}
		}
	}
	return out
}

// wordsIn are the columns that the parameters of measures name.
func wordsIn(specs []study.Spec) (out []word) {
	for _, s := range specs {
		out = append(out, namedBy(s.Measure.New().Params(), s.Set)...)
	}
	return out
}

// wordsOf are the columns that intruders know or want to learn.
func wordsOf(list []intruder.Intruder) (out []word) {
	for _, i := range list {
		for _, n := range slices.Concat(i.Knows, i.Secret) {
			if n != "all" && !strings.Contains(n, ":") {
				out = append(out, word{"knows", n})
			}
		}
	}
	return out
}
