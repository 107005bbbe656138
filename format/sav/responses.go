package sav

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/format/codebook"
)

// A set of multiple responses is a line of an extension: $name=KIND LABEL variable variable, where texts are their
// number of bytes, a blank and the bytes. Variables go by their short names in lower case. What is counted stands
// behind the kind of a set of dichotomies.

// The extensions that define them, as SPSS before version 14 has them and as later ones have some.
const oldSets, newSets = 7, 19

// responses returns the sets that the file defines; false where one is not understood.
func (f *file) responses() (sets []codebook.Responses, ok bool) {
	ok = true
	for _, subtype := range []int32{oldSets, newSets} {
		for line := range bytes.Lines(bytes.TrimRight(f.extensions[subtype], "\x00")) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			s, sound := f.responsesOf(strings.TrimRight(string(line), "\n"))
			if ok = ok && sound; sound {
				sets = append(sets, s)
			}
		}
	}
	return sets, ok
}

// responsesOf reads one set.
func (f *file) responsesOf(line string) (s codebook.Responses, ok bool) {
	name, rest, _ := strings.Cut(line, "=")
	if s.Name = f.decode([]byte(name)); len(name) < 2 || name[0] != '$' || rest == "" {
		return s, false
	}
	s.Kind, rest = codebook.Answers(rest[0]), rest[1:]
	switch s.Kind {
	case codebook.Choices:
	case codebook.YesNo, codebook.Named:
		if s.Kind == codebook.Named {
			if s.From, rest, ok = strings.Cut(strings.TrimPrefix(rest, " "), " "); !ok || s.From != "1" && s.From != "11" {
				return s, false
			}
		}
		if s.Counted, rest, ok = counted(rest); !ok {
			return s, false
		}
		rest = strings.TrimPrefix(rest, " ")
		s.Counted = f.decode([]byte(s.Counted))
	default:
		return s, false
	}
	if s.Label, rest, ok = counted(strings.TrimPrefix(rest, " ")); !ok {
		return s, false
	}
	s.Label = f.decode([]byte(s.Label))
	for _, short := range strings.Fields(rest) {
		k := slices.IndexFunc(f.vars, func(v *variable) bool { return strings.EqualFold(v.short, short) })
		if k < 0 {
			return s, false
		}
		s.Columns = append(s.Columns, f.vars[k].name)
	}
	return s, len(s.Columns) > 0
}

// counted takes a text behind its number of bytes off a line.
func counted(line string) (s, rest string, ok bool) {
	digits, rest, ok := strings.Cut(line, " ")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || n > len(rest) {
		return "", "", false
	}
	return rest[:n], rest[n:], true
}

// fewest is how many variables a set has at least.
const fewest = 2

// responses writes the sets of variables that are released as they were: numbers that stand for other answers than in
// the original would be counted wrongly.
func (r *records) responses(sets []codebook.Responses, vars []output) {
	lines := map[int32][]byte{}
	for _, s := range sets {
		var members []string
		widths := map[bool]bool{}
		for k := range vars {
			v := &vars[k]
			recoded := v.width == 0 && len(v.Column.Labels) > 0 && v.Var.Values == nil
			if slices.Contains(s.Columns, v.Column.Name) && !recoded {
				members = append(members, strings.ToLower(v.short))
				widths[v.width > 0] = true
			}
		}
		if _, err := strconv.ParseFloat(s.Counted, 64); len(members) < fewest || len(widths) > 1 ||
			s.Kind != codebook.Choices && widths[false] && err != nil {
			continue
		}
		line := fmt.Sprintf("%s=%c", s.Name, s.Kind)
		if s.Kind == codebook.Named {
			line += " " + s.From + " "
		}
		if s.Kind != codebook.Choices {
			line += fmt.Sprintf("%d %s", len(s.Counted), s.Counted)
		}
		line += fmt.Sprintf(" %d %s %s\n", len(s.Label), s.Label, strings.Join(members, " "))
		subtype := int32(oldSets)
		if s.Kind == codebook.Named {
			subtype = newSets
		}
		lines[subtype] = append(lines[subtype], line...)
	}
	r.extension(oldSets, lines[oldSets])
	r.extension(newSets, lines[newSets])
}
