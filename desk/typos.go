package desk

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/spelling"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/study"
)

// This file finds misspelt names before anything is read, worked out or refused because it exists.

// beginning is how many bytes of a text tell the names of its columns.
const beginning = 1 << 16

// Header returns the names of the columns of a file, told from its beginning; nil where that does not tell them, as of standard input and of formats that
// are no text. The flags and the policy say how it is read. It is for completions and for finding misspelt names: the file itself may be faulty further down.
func (s *Source) Header() []string {
	pol, err := parsePolicy(s.Policy)
	if err != nil || s.Path == standardInput {
		return nil
	}
	opt := format.Options{Delimiter: byte(pol.Delimiter()), Encoding: s.Encoding}
	if opt.Encoding == "" {
		opt.Encoding = pol.File.Encoding
	}
	if s.Delimiter != "" {
		if opt.Delimiter, err = delimiter(s.Delimiter); err != nil {
			return nil
		}
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

// misspelt returns an error for the first name that no column has and that is near the name of one: those of the source, and further ones. Whatever else is wrong with names is found when the table is read.
func (s *Source) misspelt(more ...word) error {
	all := more
	add := func(field string, names ...string) {
		for _, n := range names {
			all = append(all, word{field, n})
		}
	}
	if s.Class != "" {
		add("class", s.Class)
	}
	for _, r := range s.Roles {
		add("role", r.Column)
	}
	add("keep-text", s.KeepText...)
	for _, m := range s.Missing {
		if at := strings.LastIndexByte(m, '='); at > 0 {
			add("missing", m[:at])
		}
	}
	add("dates", slices.Sorted(maps.Keys(s.Dates))...)
	add("hierarchy", slices.Sorted(maps.Keys(s.Hierarchies))...)
	if len(all) == 0 && s.Policy == "" {
		return nil
	}
	header := s.Header()
	if pol, err := s.policy(); err == nil && header != nil {
		if err := pol.Misspelt(header); err != nil {
			return fmt.Errorf("%s: %w", nameOf(s.Path), err)
		}
	}
	for _, w := range all {
		if header == nil || stands(w.name, header) {
			continue
		}
		name, _, _ := strings.Cut(w.name, "=")
		if hint := spelling.Hint(name, header); hint != "" {
			return &Usage{Field: w.field, Err: fmt.Errorf("%s has no column %s%s", nameOf(s.Path), strconv.Quote(name), hint)}
		}
	}
	return nil
}

// stands reports whether a name is one of the columns', or may be no name of a single one: several joined by +, and something said of a column behind =.
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
		if v, given := set[p.Name]; given && p.Type == "names" {
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
