// Package yaml lets a program read YAML, once it is imported: policies (policy.Parse), and what a policy names by file,
// which are limits, information quality models and intruders.
package yaml

import (
	"github.com/dither-data/dither/internal/text/yamlfile"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

func init() {
	yamlfile.Register(func(text string) (*ast.File, error) { return parser.ParseBytes([]byte(text), 0) })
}
