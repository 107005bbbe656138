// Package desk turns requests into releases. It loads tables and their metadata, pairs a release with its original,
// selects the measures, compares them with the thresholds of a policy, writes the outputs (release, plan, report,
// results) and the JSON documents.
//
// A request is a plain struct; its zero fields ask for the default. Every face, the command line or a page or another
// program, fills one in and gets the same bytes for it. The desk reads and writes files. It knows no flags and no
// terminal: what is worth telling on the way goes to Desk.Note, how far the work is to Desk.Begin, and the results are
// returned.
//
// Errors are told apart by type. A *Usage is a request that cannot be served as it is put: nothing was written. A
// *Broken is a release that does not keep its limits. Where it was made, it comes with the results, so that nobody who
// looks at the error alone takes it for released; with any other error the results are nil. Any other is a failure of a
// file, a table or a technique, and names it. None holds a value of the data.
package desk

import (
	"errors"
	"io"
	"strconv"

	_ "github.com/dither-data/dither/format/all"   // what the command reads
	_ "github.com/dither-data/dither/impute/trees" // how missing values are filled in
	_ "github.com/dither-data/dither/policy/yaml"  // how policies are written

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study/judge"
)

// Desk serves requests. The zero value serves them silently. It keeps nothing between requests.
type Desk struct {
	Version string     // of the program; documents, reports and the fingerprint of a comparison name it
	In      io.Reader  // the table that is named "-"; nil for none
	Out     io.Writer  // takes the output that is named "-"; nil for none
	Format  string     // of a table that goes there: an extension, such as arrows; empty for text
	Note    func(Note) // is told what anyone who asks should know of the request; nil for nobody
	// Passphrase asks for that of the file of a key; nil where nobody can be asked.
	Passphrase func(path string) ([]byte, error)
	Begin      func(work string) Progress // begins to show how far a piece of work is; nil for nobody
	// Keeps is told, while a request keeps finished work in a checkpoint, what its error would be if it ended now, for a
	// program that ends before the request does. What it returns is called when that is over. Nil for nobody.
	Keeps func(interrupted func() error) (over func())
}

// Note is a remark on how a request was understood. It may hold names of columns and files as they are in the data.
type Note struct {
	Says  message.Sentence
	Field string // of the request that would have it otherwise, in lower case; empty for none
}

// Progress shows how far one piece of work is. Done may be called from any goroutine; End is called once, at last.
type Progress = judge.Progress

// Usage is the error for a request that cannot be served as it is put.
type Usage = judge.Usage

// Broken is the error for a release that does not keep its limits.
type Broken = judge.Broken

// Faces add to these errors how the caller would ask otherwise. All but ErrGeneral are inside a *Usage.
var (
	ErrExists       = errors.New("exists") // and the request does not say to overwrite it
	ErrNoClusters   = errors.New("finds no clusters")
	ErrPublicAttack = errors.New("what an intruder can do with a release is confidential, so no report of it is public")
	// ErrGeneral is a release whose numeric columns hold no numbers, as of one that generalises.
	ErrGeneral = errors.New("a release that generalises needs its plan or its hierarchies")
)

func usage(err error) error { return &Usage{Err: err} }

// refusal is the error of a release that does not keep its limits; nil for one that does.
func refusal(b *Broken) error {
	if b == nil {
		return nil
	}
	return b
}

func (d *Desk) note(says message.Sentence) { d.remark(Note{Says: says}) }

func (d *Desk) remark(n Note) {
	if d.Note != nil {
		d.Note(n)
	}
}

func (d *Desk) begin(work string) Progress {
	if d.Begin == nil {
		return silent{}
	}
	return d.Begin(work)
}

// keeps tells who asks that a checkpoint keeps finished work, until what it returns is called, which closes it.
func (d *Desk) keeps(c *checkpoint, path string) (end func()) {
	over := func() {}
	if d.Keeps != nil {
		over = d.Keeps(func() error { return c.interrupted(path) })
	}
	return func() {
		over()
		c.file.Close()
	}
}

type silent struct{}

func (silent) Done(int64, int64) {}
func (silent) End()              {}

// steps adapts the progress of a piece of work to counts.
func steps(p Progress) func(done, total int) {
	return func(done, total int) { p.Done(int64(done), int64(total)) }
}

// count writes a number of things with separators.
func count(n int) string { return chart.Count(float64(n)) }

// number is the error for a number that a field cannot hold.
func number(field string, v int, expected string) error {
	return &Usage{Field: field, Value: strconv.Itoa(v), Err: errors.New(expected)}
}
