package desk

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/format"
)

// standardInput is the path of the table that the caller holds, standardOutput that of what the caller takes.
const (
	standardInput  = "-"
	standardOutput = "-"
)

// errPipes is what may go through standard input and output.
var errPipes = errors.New("- stands for one table that is read and for what -o writes, each once; every other file " +
	"needs a name")

// pipes refuses a request in which standard input or output stands for more than it can hold, or for what is kept. A
// path that is piped is no output among the files any more.
func (d *Desk) pipes(f *files) error {
	in := 0
	for _, path := range f.reads {
		if path == standardInput {
			in++
		}
	}
	if in > 1 || slices.Contains(f.plan, standardInput) || f.seed == standardInput || f.ledger == standardOutput {
		return usage(errPipes)
	}
	out := 0
	for _, path := range slices.Concat(f.tables, f.secret, f.shown) {
		if path == standardOutput {
			out++
		}
	}
	switch {
	case out == 0 && d.Format != "":
		return usage(errors.New("a format is named for standard output, which gets no table: write it there (-o -), or " +
			"give the file an extension, which says its format"))
	case out == 0:
		return nil
	case out > 1 || f.main != standardOutput:
		return usage(errPipes)
	case d.Out == nil:
		return usage(errors.New("there is no standard output to write to"))
	}
	if d.Format != "" {
		if err := format.CheckName("release." + strings.TrimPrefix(d.Format, ".")); err != nil {
			return usage(err)
		}
	}
	f.out, f.format = d.Out, strings.TrimPrefix(d.Format, ".")
	return nil
}

// pass hands over what goes to standard output, once everything else is in its place.
func (f *files) pass() error {
	if f.out == nil || f.piped.Len() == 0 {
		return nil
	}
	if _, err := io.Copy(f.out, &f.piped); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}
