package policy

import (
	"errors"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// pieceSize is the number of columns that are parsed together. The library copies all entries of a map that follow one
// for each of them, so a table of 50,000 columns takes minutes in one piece; in pieces its cost is linear.
const pieceSize = 500

// parseText parses YAML. A policy of many columns is parsed in pieces; where one cannot be, or is not sound, it is
// parsed whole, which finds what is wrong with it.
func parseText(text string, pieceSize int) (*ast.File, error) {
	tokens := lexer.Tokenize(text)
	if rest, pieces := cut(tokens, pieceSize); pieces != nil {
		if f, err := parsePieces(rest, pieces); err == nil {
			return f, nil
		}
		tokens = lexer.Tokenize(text) // a parser may change them
	}
	return parser.Parse(tokens, 0)
}

var errPieces = errors.New("the pieces do not fit")

// parsePieces parses a policy without most of its columns, and these, and puts them together.
func parsePieces(rest token.Tokens, pieces []token.Tokens) (*ast.File, error) {
	f, err := parser.Parse(rest, 0)
	if err != nil {
		return nil, err
	}
	columns := columnsOf(f)
	if columns == nil {
		return nil, errPieces
	}
	for _, p := range pieces {
		g, err := parser.Parse(p, 0)
		if err != nil {
			return nil, err
		}
		if len(g.Docs) != 1 {
			return nil, errPieces
		}
		switch n := g.Docs[0].Body.(type) {
		case *ast.MappingNode:
			columns.Values = append(columns.Values, n.Values...)
		case *ast.MappingValueNode:
			columns.Values = append(columns.Values, n)
		default:
			return nil, errPieces
		}
	}
	return f, nil
}

// columnsOf returns the map of the columns; nil where there is none of several.
func columnsOf(f *ast.File) *ast.MappingNode {
	if len(f.Docs) != 1 {
		return nil
	}
	var top []*ast.MappingValueNode
	switch n := f.Docs[0].Body.(type) {
	case *ast.MappingNode:
		top = n.Values
	case *ast.MappingValueNode:
		top = []*ast.MappingValueNode{n}
	}
	for _, v := range top {
		if v.Key.GetToken().Value == "columns" {
			m, _ := v.Value.(*ast.MappingNode)
			return m
		}
	}
	return nil
}

// cut takes the columns behind the first pieceSize out of a policy, in pieces. There are none when there are fewer
// columns, or the map of the columns is not one of plain lines.
func cut(tokens token.Tokens, pieceSize int) (rest token.Tokens, pieces []token.Tokens) {
	at := section(tokens)
	if at < 0 {
		return nil, nil
	}
	column, depth, entries := tokens[at].Position.Column, 0, 0
	first, begin, end := 0, -1, len(tokens) // of what is taken out, of the piece, behind the columns
	for k := at; k < end; k++ {
		t := tokens[k]
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			depth++
		case token.MappingEndType, token.SequenceEndType:
			depth--
		case token.DocumentHeaderType, token.DocumentEndType, token.MappingKeyType, token.MergeKeyType:
			return nil, nil
		}
		switch {
		case depth > 0 || t.Type == token.CommentType || t.Position.Line == tokens[k-1].Position.Line:
		case t.Position.Column < column:
			end = k
		case t.Position.Column == column && key(tokens, k):
			if entries++; entries > pieceSize && (entries-1)%pieceSize == 0 {
				if begin < 0 {
					first = k
				} else {
					pieces = append(pieces, tokens[begin:k])
				}
				begin = k
			}
		}
	}
	if begin < 0 {
		return nil, nil
	}
	pieces = append(pieces, tokens[begin:end])
	return append(tokens[:first:first], tokens[end:]...), pieces
}

// section returns where the first column of a policy stands; -1 where that is not on a line of its own.
func section(tokens token.Tokens) int {
	for k := 0; k+2 < len(tokens); k++ {
		if t := tokens[k]; t.Position.Column == 1 && t.Type == token.StringType && t.Value == "columns" && key(tokens, k) {
			for k += 2; k < len(tokens) && tokens[k].Type == token.CommentType; k++ {
			}
			if k < len(tokens) && tokens[k].Position.Line > t.Position.Line && tokens[k].Position.Column > 1 && key(tokens, k) {
				return k
			}
			return -1
		}
	}
	return -1
}

// key reports whether a token is the key of an entry.
func key(tokens token.Tokens, k int) bool {
	return k+1 < len(tokens) && tokens[k+1].Type == token.MappingValueType
}
