// Package dialect is the contract of the formats: what a format is, what the caller asks of a reader or a writer, and
// what a reader found, so that a release can be written the way its original was. It is below the formats because
// package format, which lists them, is above.
package dialect

import (
	"maps"
	"slices"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// DefaultMissing are the texts that stand for a missing value when nothing else is asked.
var DefaultMissing = []string{"", "?", "NA", "NaN"}

// Options says how to read or write a file. The zero value reads any file of a known format.
type Options struct {
	// Delimiter separates the cells of a delimited text. When reading, 0 chooses among comma, semicolon, tab and bar by
	// the first records; when writing, 0 is a comma. A file named .tsv is written with tabs and one named .csv never is,
	// whatever is asked.
	Delimiter byte
	// DecimalComma says that numbers have a comma where others have a point. A reader finds it out by itself in a file
	// whose delimiter is a semicolon.
	DecimalComma bool
	// Missing are the texts that stand for a missing value; nil means DefaultMissing. A quoted cell is never missing.
	Missing []string
	// MissingOut is the text written for a missing value: empty in a delimited text unless set, always "?" in ARFF.
	MissingOut string
	// MissingMarks are the texts written for the missing values of single columns of a delimited text instead of
	// MissingOut, by column name.
	MissingMarks map[string]string
	// Decimals are how many decimals columns are written with, by column name, where that is more than their grid needs:
	// 1.0 for an integer. They do not change a value, and go into delimited text and ARFF.
	Decimals map[string]int
	// CRLF and BOM are for writing a delimited text: lines end in CR LF, a byte order mark leads.
	CRLF, BOM bool
	// Encoding of a text, by any name that text.Encoding knows. When reading, "" finds it out; when writing, it is UTF-8.
	Encoding string
	// Sheet is the sheet of a workbook that is read, or written; "" reads the first one that is not hidden.
	Sheet string
	// Kinds are the kinds of columns that are not to be inferred, by column name. Names of no column are ignored.
	Kinds map[string]table.Kind
	// Dates are the notations of columns that hold dates, by column name, where they are not to be inferred: one may be
	// doubtful, or have years of two digits. They win over Kinds. Names of no column are ignored.
	Dates map[string]calendar.Notation
	// Numbers are the notations of columns of numbers, by column name, where they are not to be inferred: one may be
	// doubtful, or another than the file's. When writing, those columns are written so in a delimited text. Names of no
	// column are ignored.
	Numbers map[string]decimal.Notation
	// Header says whether the first record names the columns, of a delimited text or a workbook.
	Header Header
	// Names are those of the columns of a delimited text without a header; without them they are c1, c2 and so on.
	Names []string
	// Fixed reads a text of fixed width, in place of the format that its name says (Places); nil for any other file.
	Fixed Reader
	// Skip is how many lines, or rows of a workbook, stand before the header and are left out.
	Skip int
	// Exact says that a program wrote the text, and nothing in it is doubtful: the first record is the header, and the
	// decimal sign that of DecimalComma.
	Exact bool
	// LeaveOut are columns that are not read, by name: what is wrong with them alone is nothing to the others. Names of no
	// column are ignored.
	LeaveOut []string
	// Items are the layouts of the set-valued columns of formats that hold none; see package layout.
	Items []layout.Spec
	// Types are the types that columns are to have in a format that has types, by column name; a column that does not fit
	// its type gets another.
	Types map[string]string
	// ArrowTypes and Pandas are as of Info; a file that is written says of them what still holds.
	ArrowTypes map[string]string
	Pandas     string
	// Codebook is what a file is to say of columns besides their values, by column name, in a format of a statistics
	// package.
	Codebook map[string]codebook.Variable
	// Responses are the sets of multiple responses that a file is to define, in a format that has them.
	Responses []codebook.Responses
	// Space, when set, is where a reader makes the columns of a table that is larger than the memory; only a format that
	// is Paged takes it.
	Space *mmap.Space
	// Unhashed leaves Info.SHA256 empty when reading: to hash a file takes a core about half as long as to read it.
	Unhashed bool
	// Progress, when set, is told how much of a file is done, in bytes when reading and in rows when writing. Calls do not
	// overlap and done never falls.
	Progress func(done, total int64)
}

// Marks returns the texts that stand for a missing value.
func (o *Options) Marks() []string {
	if o.Missing == nil {
		return DefaultMissing
	}
	return o.Missing
}

// Info is what a reader detected about a file.
type Info struct {
	// Format is the name of the format, for a variant that of the format it is a variant of.
	Format string
	// Delimiter, DecimalComma, CRLF and BOM describe a delimited text; see Options.
	Delimiter    byte
	DecimalComma bool
	CRLF, BOM    bool
	// SignKnown says that a number of a delimited text shows beyond doubt which sign is the decimal one.
	SignKnown bool
	// Numbers are the notations of the columns of a delimited text whose notation was told, by column name.
	Numbers map[string]decimal.Notation
	// Doubtful are the columns of numbers that may be written in two notations, by name, with the sign that may be the
	// decimal one. Those that are declared numeric are read so, the others as texts.
	Doubtful map[string]byte
	// Encoding is that of a text, by the name that text.Encoding gives; "" for UTF-8 and in a format that is no text.
	Encoding string
	// Sheet is the name of the sheet of a workbook.
	Sheet string
	// Missing is the most frequent missing mark in the file, among equals the first; empty when the file has none.
	Missing string
	// MissingMarks are the marks of the columns that have a single one, by column name.
	MissingMarks map[string]string
	// Marks is how often the missing marks of a delimited text occur.
	Marks Marks
	// MaybeMissing are the texts that usually mean missing in columns of text that are numbers or dates for the most part,
	// by column name.
	MaybeMissing map[string][]string
	// Decimals are how many decimals columns are written with, by column name, where zeros at the end make them more than
	// their grid needs.
	Decimals map[string]int
	// Types are the types that columns had in a file that has types, by column name.
	Types map[string]string
	// Dated are the columns that the file calls dates, by name, whether or not they could be read as such.
	Dated []string
	// ArrowTypes are the types that the columns of a Parquet file had in Arrow, where the file says so, by column name.
	ArrowTypes map[string]string
	// Pandas is what pandas noted in a file of Arrow or Parquet about its frame; empty where it noted nothing.
	Pandas string
	// Codebook is what a file of a statistics package says of columns besides their values, by column name.
	Codebook map[string]codebook.Variable
	// Responses are the sets of multiple responses that a file of a statistics package defines.
	Responses []codebook.Responses
	// Items are the layouts that the set-valued columns were read in.
	Items []layout.Spec
	// LeftOut are the columns of the file that are not read: those that were to be left out, and those that a table cannot
	// hold, of which a note says why.
	LeftOut []string
	// FirstLine is the line of a delimited text in which the first record stands, from 1, where each other one stands in
	// the line behind the one before; 0 where they do not, where nobody looked, and in a format that has no lines.
	FirstLine int
	// Notes are remarks for people, about columns and never about values.
	Notes []Note
	// Bytes is the size of the file.
	Bytes int64
	// SHA256 is the hash of the file, in hexadecimal.
	SHA256 string
}

// Note is a remark for people. Programs go by what it is about, never by its words.
type Note struct {
	// AsText names the column that the note says is read as categories, though its values look like something else; empty
	// for any other note.
	AsText string
	Says   message.Sentence
}

// String returns the words.
func (n Note) String() string { return n.Says.String() }

// Texts are those of the notes.
func Texts(notes []Note) (out []string) {
	for _, n := range notes {
		out = append(out, n.String())
	}
	return out
}

// Note adds a remark for people.
func (i *Info) Note(says message.Sentence) { i.Notes = append(i.Notes, Note{Says: says}) }

// NoteText adds the remark that a column is read as categories, though its values look like something else.
func (i *Info) NoteText(column string, says message.Sentence) {
	i.Notes = append(i.Notes, Note{AsText: column, Says: says})
}

// Found notes how a text was written, with a note for people where the encoding was guessed from the bytes.
func (i *Info) Found(as text.Written, guessed bool) {
	i.BOM = as.BOM
	if as.Encoding == text.UTF8 {
		return
	}
	i.Encoding = as.Encoding
	if guessed && !as.BOM {
		i.Note(message.Say("read.encoding").Name("encoding", as.Encoding))
	}
}

// SetDecimals notes how many decimals a column is written with; 0 says that its grid tells.
func (i *Info) SetDecimals(column string, decs int) {
	if decs == 0 {
		return
	}
	if i.Decimals == nil {
		i.Decimals = make(map[string]int)
	}
	i.Decimals[column] = decs
}

// Like returns the options with which a writer follows the file's ways. What opt sets itself wins; MissingOut wins over
// the marks of columns too.
func (i *Info) Like(opt Options) Options {
	if opt.Delimiter == 0 {
		opt.Delimiter, opt.DecimalComma = i.Delimiter, i.DecimalComma
	}
	if opt.MissingOut == "" {
		opt.MissingOut = i.Missing
		if opt.MissingMarks == nil {
			opt.MissingMarks = i.MissingMarks
		}
	}
	if opt.MissingOut == "" && len(opt.Missing) > 0 && !slices.Contains(opt.Missing, "") {
		opt.MissingOut = opt.Missing[0] // an empty cell would be read as a value
	}
	for _, mark := range append([]string{opt.MissingOut}, slices.Sorted(maps.Values(opt.MissingMarks))...) {
		if !slices.Contains(opt.Marks(), mark) {
			opt.Missing = append(slices.Clone(opt.Marks()), mark)
		}
	}
	if opt.Decimals == nil {
		opt.Decimals = i.Decimals
	}
	if opt.Numbers == nil {
		opt.Numbers = i.Numbers
	}
	if opt.Types == nil { // what is said of columns of these types belongs to them
		opt.Types, opt.Pandas, opt.ArrowTypes = i.Types, i.Pandas, i.ArrowTypes
	}
	if opt.Codebook == nil {
		opt.Codebook = i.Codebook
	}
	if opt.Responses == nil {
		opt.Responses = i.Responses
	}
	if opt.Items == nil {
		opt.Items = i.Items
	}
	if opt.Encoding == "" {
		opt.Encoding = i.Encoding
	}
	if opt.Sheet == "" {
		opt.Sheet = i.Sheet
	}
	opt.CRLF, opt.BOM = opt.CRLF || i.CRLF, opt.BOM || i.BOM
	return opt
}
