package desk

import (
	"fmt"
	"os"

	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/quality"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// maxModel bounds a file that is read whole, in bytes; the parser allows less.
const maxModel = 2 << 20

// readModel reads the information quality model and holds it against the table, so that what does not fit is told with
// its line before anything else is done.
func (l *Loaded) readModel() error {
	path := l.Policy.IQM
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.Size() > maxModel {
		return &Usage{Field: judge.Modelled, Value: path, Err: fmt.Errorf("the file has %s bytes, expected an information "+
			"quality model", numfmt.Count(float64(info.Size())))}
	}
	text, err := wholefile.Read(path)
	if err != nil {
		return err
	}
	m, err := quality.Parse(path, text)
	if err == nil {
		err = m.Fit(l.Table.Attrs())
	}
	if err != nil {
		return usage(err)
	}
	for _, name := range m.Columns() {
		if l.Table.Attr(l.Table.Find(name)).Role&table.Identifier != 0 {
			return usage(fmt.Errorf("%s: column %q is an identifier, which no release is compared by; leave it out, or give "+
				"it another role", path, name))
		}
	}
	l.Model = string(text)
	return nil
}
