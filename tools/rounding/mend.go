package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// columns is the longest line that the module allows.
const columns = 120

// mend rewrites a file: the edits of what was found, imports, and lines that became too long.
func mend(name string, set *token.FileSet, f *ast.File, findings []finding) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var edits []edit
	var from []string
	for _, x := range findings {
		edits = append(edits, x.edits...)
		if x.from != "" && !slices.Contains(from, x.from) {
			from = append(from, x.from)
		}
	}
	// at one place, what ends there comes before what begins, and inner ones are inside
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.pos, b.pos) })
	at := func(p token.Pos) int { return set.Position(p).Offset }
	var out strings.Builder
	last := 0
	for _, e := range edits {
		out.Write(b[last:at(e.pos)])
		out.WriteString(e.text)
		last = max(last, at(e.end))
	}
	out.Write(b[last:])
	text := out.String()
	for _, path := range from {
		if text, err = imported(text, modulePath+path); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	src, err := format.Source([]byte(text))
	for err == nil {
		var changed bool
		if src, changed = broken(src, b); !changed {
			break
		}
		src, err = format.Source(src)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(name, src, 0o644)
}

const modulePath = "github.com/dither-data/dither/"

// replaced are the imports that may be left without use.
var replaced = []string{"math", "gonum.org/v1/gonum/floats"}

// imported adds an import to a file, and takes away those that nothing uses any more.
func imported(text, path string) (string, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.ParseComments)
	if err != nil {
		return "", err
	}
	uses := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				uses[x.Name] = true
			}
		}
		return true
	})
	quoted := strconv.Quote(path)
	var lines []string
	has := false
	for _, i := range f.Imports {
		has = has || i.Path.Value == quoted
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		start, end := set.Position(g.Pos()).Offset, set.Position(g.End()).Offset
		block := text[start:end]
		if !g.Lparen.IsValid() {
			block = "import (\n\t" + strings.TrimPrefix(block, "import ") + "\n)"
		}
		lines = strings.Split(block, "\n")
		for _, r := range replaced {
			if !uses[r[strings.LastIndex(r, "/")+1:]] {
				lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == strconv.Quote(r) })
			}
		}
		if !has {
			lines = with(lines, "\t"+quoted)
		}
		return text[:start] + strings.Join(lines, "\n") + text[end:], nil
	}
	return text, fmt.Errorf("no import")
}

// with puts an import among those of the module, in their order, or into a group of its own.
func with(lines []string, line string) []string {
	first, place := -1, -1
	for k, l := range lines {
		if strings.HasPrefix(l, "\t\""+modulePath) {
			if first < 0 {
				first, place = k, k
			}
			if l < line {
				place = k + 1
			}
		}
	}
	if first >= 0 {
		return slices.Insert(lines, place, line)
	}
	if end := len(lines) - 1; end > 1 {
		return slices.Insert(lines, end, "", line)
	}
	return slices.Insert(lines, len(lines)-1, line)
}

// broken breaks the first line that is too long and was not before, after a comma or an operator between tokens: the
// last one of the lowest nesting that fits.
func broken(src, was []byte) (out []byte, changed bool) {
	before := map[string]bool{}
	for l := range strings.Lines(string(was)) {
		before[strings.TrimSpace(l)] = true
	}
	lines := strings.Split(string(src), "\n")
	for k, l := range lines {
		if width(l) <= columns || before[strings.TrimSpace(l)] {
			continue
		}
		if two, ok := parted(l); ok {
			lines[k] = two
			return []byte(strings.Join(lines, "\n")), true
		}
	}
	return src, false
}

func width(l string) int { return utf8.RuneCountInString(l) }

// parted moves a comment at the end of a line that is too long above it, or breaks the line.
func parted(l string) (string, bool) {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(l))
	s.Init(file, []byte(l), func(token.Position, string) {}, scanner.ScanComments)
	indent := l[:len(l)-len(strings.TrimLeft(l, "\t"))]
	depth, least, at := 0, 99, 0
	for {
		pos, tok, text := s.Scan()
		end := file.Offset(pos) + max(len(text), len(tok.String()))
		switch {
		case tok == token.EOF:
			return l[:at] + "\n" + indent + "\t" + strings.TrimLeft(l[at:], " "), at > 0
		case tok == token.COMMENT && strings.TrimSpace(l[:file.Offset(pos)]) != "":
			return indent + text + "\n" + strings.TrimRight(l[:file.Offset(pos)], " "), true
		case tok == token.LPAREN || tok == token.LBRACK || tok == token.LBRACE:
			depth++
		case tok == token.RPAREN || tok == token.RBRACK || tok == token.RBRACE:
			depth--
		case tok == token.COMMA || tok >= token.ADD && tok <= token.QUO || tok == token.LAND || tok == token.LOR:
			spaced := end < len(l) && l[end] == ' '
			if spaced && depth <= least && width(l[:end]) <= columns {
				least, at = depth, end
			}
		}
	}
}
