// Package document holds results as data: sections of figures, tables, charts and sentences. It is built once; the
// page, the terminal, the workbench and the JSON documents show the same model, so they always agree.
//
// A figure has a key, a value, an interval and a unit, and a sentence on how to read it. A sentence is the key of a
// template, of which package message has one file by language, with typed arguments. It is never data: nothing reads it
// back.
package document

import (
	"html/template"
	"strings"

	"github.com/dither-data/dither/message"
)

// Document is what there is to say of a release, a comparison or a table, in the order in which it is read.
type Document struct {
	Kind     Kind               `json:"kind"`
	Public   bool               `json:"public"` // for the users of the release; else it is confidential
	Title    message.Sentence   `json:"title"`
	Lead     []message.Sentence `json:"lead"` // what follows the title where no section is the head
	Sections []Section          `json:"sections"`
	Words    string             `json:"-"` // whom sections that are added speak of (measure.Words)
}

// Kind is what a document is about.
type Kind string

// Kinds of documents.
const (
	OfRelease        Kind = "release" // evaluated
	OfChoice         Kind = "choice"  // of a technique
	OfComparison     Kind = "comparison"
	OfReconstruction Kind = "reconstruction"
	OfTable          Kind = "table"  // inspected
	OfTables         Kind = "tables" // of counts and totals
)

// Add adds a section unless it has nothing to say. A document for the public takes no section but those that are meant
// for it.
func (d *Document) Add(s *Section) {
	if s == nil || d.Public && !s.Public {
		return
	}
	d.Sections = append(d.Sections, s.among(d.Words))
}

// Find returns the section of a key; nil where there is none.
func (d *Document) Find(key string) *Section {
	for k := range d.Sections {
		if d.Sections[k].Key == key {
			return &d.Sections[k]
		}
	}
	return nil
}

// State is a verdict, or what became of a limit: the sign beside it, and its colour.
type State string

// States, in the words of study.State.
const (
	Stateless State = ""
	Withheld  State = "withheld"
	WithCare  State = "release with care"
	Meets     State = "meets the limits"
	Unjudged  State = "not judged"
)

// Class is a state as style sheets call it.
func (s State) Class() string { return strings.ReplaceAll(string(s), " ", "-") }

// Section is a chapter with a heading of its own.
type Section struct {
	Key    string           `json:"key"`
	Public bool             `json:"public"` // it may stand in a public document
	State  State            `json:"state"`  // that of the head; empty elsewhere
	Title  message.Sentence `json:"title"`
	Look   string           `json:"-"`
	Blocks Blocks           `json:"blocks"`
}

// Blocks are the parts of a section, in the order in which they are read. In JSON each begins with its kind.
type Blocks []Block

// Block is a part of a section: Prose, List, Facts, Reasons, Figures, Table, Charts, Part, Group or Fold.
type Block interface{ block() string }

// Look is how a block stands on a page, beyond its kind; a terminal does without. It is the class of the style sheet.
type Look = string

// Prose is a paragraph.
type Prose struct {
	Brief bool               `json:"brief,omitempty"` // for a screen alone, which has no room for what else says it
	Look  Look               `json:"-"`               // lead, note, ...
	Says  []message.Sentence `json:"says"`
}

// List is sentences below each other.
type List struct {
	Brief bool               `json:"brief,omitempty"` // for a screen alone
	Look  Look               `json:"-"`
	Items []message.Sentence `json:"items"`
	Marks []Look             `json:"-"` // of the items, in the key of a chart
}

// Facts are names with what there is to say of each.
type Facts struct {
	Look  Look   `json:"-"`
	Items []Fact `json:"items"`
}

// Fact is a name with what there is to say of it.
type Fact struct {
	Name message.Sentence `json:"name"`
	Says message.Sentence `json:"says"`
}

// Reasons are why a release is withheld or wants care, and what to do about it, the worst first.
type Reasons struct {
	Brief bool     `json:"brief,omitempty"` // for a screen alone
	Items []Reason `json:"items"`
}

// Reason is one of them.
type Reason struct {
	State   State            `json:"state"`
	Says    message.Sentence `json:"says"`
	Remedy  message.Sentence `json:"remedy"`
	Columns []string         `json:"columns,omitempty"` // that the sentence does not name
}

// Figures are large numbers with a sentence on each.
type Figures struct {
	Brief bool     `json:"brief,omitempty"` // for a screen alone
	Items []Figure `json:"items"`
}

// Table has rows whose first cell names them.
type Table struct {
	Title   message.Sentence `json:"title"`
	Look    Look             `json:"-"`
	Headed  bool             `json:"-"` // the heading above says what it is, so a text does not
	Columns []Column         `json:"columns"`
	Rows    []Row            `json:"rows"`
	Foot    *Row             `json:"foot,omitempty"` // sums
}

// Column is the head of a column.
type Column struct {
	Title   message.Sentence   `json:"title"`
	Below   []message.Sentence `json:"below,omitempty"` // such as its unit
	Numeric bool               `json:"numeric,omitempty"`
	Wide    bool               `json:"-"` // it holds sentences
}

// Row is a row.
type Row struct {
	Look   Look   `json:"-"`
	Key    string `json:"key,omitempty"` // of what it is about, such as a measure
	Anchor string `json:"-"`             // its id on a page, to which a drawing leads
	Cells  []Cell `json:"cells"`
}

// Cell says something or shows a figure.
type Cell struct {
	Mark   message.Sentence   `json:"mark,omitzero"` // what it is among others: best
	Says   message.Sentence   `json:"says"`
	Figure *Figure            `json:"figure,omitempty"`
	Of     string             `json:"-"`                // what the figure is one of, where the table says it in the cell
	Lines  []message.Sentence `json:"lines,omitempty"`  // that go on below it
	Below  []message.Sentence `json:"below,omitempty"`  // smaller
	Source string             `json:"source,omitempty"` // who published it
	State  State              `json:"state,omitempty"`
	Look   Look               `json:"-"`
	Span   int                `json:"-"` // columns, where these are several
}

// Charts are drawings beside each other.
type Charts struct {
	Look  Look    `json:"-"`
	Items []Chart `json:"items"`
	Aside Blocks  `json:"aside,omitempty"` // what stands beside the drawing
}

// Chart is a drawing with a line on how to read it and what it cannot show.
type Chart struct {
	Key     string             `json:"key"` // its id on a page
	Title   message.Sentence   `json:"title"`
	Says    message.Sentence   `json:"says"`
	Facts   []message.Sentence `json:"facts,omitempty"`
	Below   []message.Sentence `json:"below,omitempty"` // paragraphs
	Drawing Drawing            `json:"-"`
	Narrow  Drawing            `json:"-"` // for a phone, where that is another
}

// Drawing is a chart by its data, as package report/chart draws them.
type Drawing interface {
	Draw(id string) template.HTML
}

// Part is a part of a section with a heading.
type Part struct {
	Title  message.Sentence `json:"title"`
	Look   Look             `json:"-"`
	Blocks Blocks           `json:"blocks"`
}

// Group is parts beside each other.
type Group struct {
	Look  Look   `json:"-"`
	Parts []Part `json:"items"`
}

// Fold is what a page shows only when asked; a terminal that prints everything prints it.
type Fold struct {
	Title  message.Sentence `json:"title"`
	Blocks Blocks           `json:"blocks"`
}

func (Prose) block() string   { return "prose" }
func (List) block() string    { return "list" }
func (Facts) block() string   { return "facts" }
func (Reasons) block() string { return "reasons" }
func (Figures) block() string { return "figures" }
func (Table) block() string   { return "table" }
func (Charts) block() string  { return "charts" }
func (Part) block() string    { return "part" }
func (Group) block() string   { return "group" }
func (Fold) block() string    { return "fold" }

// KindOf names the kind of a block.
func KindOf(b Block) string { return b.block() }

// Each shows every block of a section to a function, those inside others too, in the order in which they are read.
func (s *Section) Each(see func(Block)) { each(s.Blocks, see) }

func each(blocks []Block, see func(Block)) {
	for _, b := range blocks {
		see(b)
		switch b := b.(type) {
		case Part:
			each(b.Blocks, see)
		case Fold:
			each(b.Blocks, see)
		case Group:
			for _, p := range b.Parts {
				each(p.Blocks, see)
			}
		case Charts:
			each(b.Aside, see)
		}
	}
}

// Walk shows every figure of a section to a function, those in tables and folded parts too.
func (s *Section) Walk(see func(*Figure)) {
	s.Each(func(b Block) {
		switch b := b.(type) {
		case Figures:
			for k := range b.Items {
				see(&b.Items[k])
			}
		case Table:
			for _, r := range b.Rows {
				for _, c := range r.Cells {
					if c.Figure != nil {
						see(c.Figure)
					}
				}
			}
		}
	})
}
