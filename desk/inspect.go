package desk

import (
	"context"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
)

// Inspection is a table with its profile and the risk before anything is done.
type Inspection struct {
	*Loaded
	Exposure *profile.Exposure
	Repeats  int // records that repeat an earlier one in every column

	end func(error) error
}

// Close gives back what the table takes. Nothing of it may be used any more.
func (i *Inspection) Close() error {
	if i.end == nil {
		return nil
	}
	return i.end(nil)
}

// Inspect profiles a table. Its notes are returned, not told. Cost: that of the profile.
func (d *Desk) Inspect(ctx context.Context, s Source) (_ *Inspection, err error) {
	if err := s.misspelt(); err != nil {
		return nil, err
	}
	in, ctx, end, err := s.larger(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = end(err)
		}
	}()
	l, err := d.load(ctx, in)
	if err != nil {
		return nil, err
	}
	e, err := profile.Expose(ctx, l.Table)
	if err != nil {
		return nil, err
	}
	n, err := profile.Repeats(ctx, l.Table)
	if err != nil {
		return nil, err
	}
	return &Inspection{l, e, n, end}, nil
}

// Remark is a note on a table that says what it asks, so that a page may ask it in its own words.
type Remark struct {
	Asks   Question
	Column string // that it asks about; empty for the whole table
	Says   message.Sentence
}

// Question is something about a table that only its owner knows.
type Question string

// The questions of a remark; the empty one asks nothing.
const (
	AsksClass    Question = "class"    // is this the column to predict?
	AsksText     Question = "text"     // does a text among numbers or dates mean missing?
	AsksCode     Question = "code"     // does a number far outside the rest mean missing?
	AsksValue    Question = "value"    // is what was read as missing a value?
	AsksVariants Question = "variants" // do texts that are nearly alike mean the same?
	AsksPerson   Question = "person"   // is a value that repeats one person?
)

// Remarks returns what a reader of the table should know, and what is probably not meant as it stands.
func (i *Inspection) Remarks() (out []Remark) {
	for _, n := range i.Info.Notes {
		r := Remark{Says: n.Says}
		if n.AsText != "" {
			r.Asks, r.Column = AsksText, n.AsText
		}
		out = append(out, r)
	}
	for _, v := range i.NoValues {
		out = append(out, Remark{AsksValue, v.Column, v.Says()})
	}
	for _, says := range i.afterReading() {
		out = append(out, Remark{Says: says})
	}
	for _, d := range i.doubts() {
		r := Remark{AsksCode, d.Column, d.Says}
		if d.Column == "" {
			r.Asks = AsksVariants
		}
		out = append(out, r)
	}
	for _, n := range append(i.Relations.Holding(), i.Relations.Errors()...) {
		out = append(out, Remark{Says: n})
	}
	out = append(out, Remark{Says: i.unrecognised()}, Remark{AsksClass, "", i.ClassNote().Says},
		Remark{Says: i.leftOut(i.Policy.Pseudonymised())}, Remark{Says: i.weighing()})
	out = append(out, i.whose()...)
	if i.Repeats > 0 {
		out = append(out, Remark{Says: message.Say("told.repeats").Count("n", i.Repeats)})
	}
	return slices.DeleteFunc(out, func(r Remark) bool { return r.Says.Empty() })
}

// Notes are what the remarks say.
func (i *Inspection) Notes() (out []message.Words) {
	for _, r := range i.Remarks() {
		out = append(out, message.Words{Sentence: r.Says})
	}
	return out
}
