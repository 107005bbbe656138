package dialect

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/table"
)

// Format is a way to write a table into a file and to read it again. Each format is a package variable Format of a
// folder below format (or several, with names that begin so, for the variants of one); the list of them is generated.
//
// A file keeps the names, the kinds and the order of columns, their values, labels and grids, and what is missing, but
// for what Loses names. Roles, domains and the order of labels as a scale are the policy's, and no file's. The grid of
// a column is the one that its values show.
type Format struct {
	card.Card
	// Extensions are those of the format's files, in lower case with their point. Messages name the first.
	Extensions []string
	// Holds says whether files hold sets of items.
	Holds Holding
	// Variant is the name of the format that this is a variant of, as "csv" for "tsv", and empty for most. A variant goes
	// by the other's name in Info.
	Variant string
	// Looks reports whether data begin like a file of the format. It is nil for a format that only a name can tell.
	Looks func(data []byte) bool
	// Read returns the table in a file, and what there is to know about it. It keeps no reference to data, and may write
	// behind its end up to its capacity. What is no sound file gives an error of one line, which names the place and never
	// a value.
	Read func(ctx context.Context, data []byte, opt Options) (*table.Table, *Info, error)
	// Paged says that Read makes the columns in Options.Space and otherwise takes no memory that grows with the records.
	Paged bool
	// Packs says that a table may be many times as large as its file.
	Packs bool
	// Write writes the table so that Read, told the same options, finds it again. The bytes depend on the table and the
	// options only. It fails, naming the column, on what the format cannot hold: infinite numbers, names and labels that
	// are not UTF-8. It is nil for a format whose files are read alone.
	Write func(ctx context.Context, w io.Writer, t *table.Table, opt Options) error
	// Pieces reads a file of so many bytes in tables of at most so many rows, in order, without holding all of it; it ends
	// with the first error. The columns are those of Read, and the labels of a piece begin with those of the piece before.
	// It is nil for a format that is read whole.
	Pieces func(ctx context.Context, r io.ReaderAt, size int64, rows int, opt Options) iter.Seq2[*table.Table, error]
	// Loses is what a file does not keep of a table.
	Loses Loss
}

// Holding says whether the files of a format hold set-valued columns.
type Holding uint8

// What files hold.
const (
	NoSets   Holding = iota // a column of sets is refused
	SetsToo                 // columns of sets beside others
	SetsOnly                // one column of sets and nothing else
)

// Loss is a set of what a file does not keep of a table.
type Loss uint16

// What a file may lose.
const (
	// labels that look like numbers are read as numbers, unless Options.Kinds says that they are labels
	LosesKinds Loss = 1 << iota
	// labels that no record has, and the order of labels: they come back in the order of their appearance
	LosesLabels
	LosesZeros // names and labels with a zero byte are refused
	// labels that are all dates are read as dates, unless Options.Kinds says that they are labels
	LosesDates
	// the notation of dates: they come back in that of ISO 8601, with times to the second or finer
	LosesNotations
	LosesEmpty // tables without records are refused
	LosesLong  // texts longer than the fields of the format are refused
	// names that other programs do not take are changed, and come back so
	LosesNames
	LosesBlanks // empty texts, and those that end in a blank, are refused
	LosesRange  // numbers beyond some 7e75, or below 6e-79, are refused
)

var losses = []string{
	"the kind of a column whose labels all look like numbers (a policy says it)",
	"labels that no record has, and the order of labels",
	"texts with a zero byte (they are refused)",
	"the kind of a column whose labels are all dates (a policy says it)",
	"how dates are written (they come back as ISO 8601 has them)",
	"a table without records (it is refused)",
	"texts that are longer than its fields (they are refused)",
	"names with other signs than letters, digits and _, or more than 32 (they are changed, and kept as labels)",
	"empty texts, and those that end in a blank (they are refused)",
	"numbers beyond 7.2e75 or below 5.4e-79 (they are refused)",
}

// String says in words what is lost; it is empty when nothing is.
func (l Loss) String() string {
	var words []string
	for k, w := range losses {
		if l&(1<<k) != 0 {
			words = append(words, w)
		}
	}
	return strings.Join(words, "; ")
}

// Called returns the name that the format goes by in Info: its own, or that of the format it is a variant of.
func (f *Format) Called() string {
	if f.Variant != "" {
		return f.Variant
	}
	return f.Name
}

// Check returns an error when a format is not declared as it must be.
func (f *Format) Check() error {
	if err := f.Card.Check(); err != nil {
		return err
	}
	if f.Read == nil {
		return fmt.Errorf("format %s: it must read", f.Name)
	}
	if f.Write == nil && f.Loses != 0 {
		return fmt.Errorf("format %s: it says what is lost in a file, and writes none", f.Name)
	}
	if len(f.Extensions) == 0 {
		return fmt.Errorf("format %s: it has no extension", f.Name)
	}
	for k, e := range f.Extensions {
		if len(e) < 2 || e[0] != '.' || strings.ToLower(e) != e || strings.Count(e, ".") > 1 ||
			slices.Contains(f.Extensions[:k], e) {
			return fmt.Errorf("format %s: the extension %q must be lower case behind one point, and there once", f.Name, e)
		}
	}
	return nil
}
