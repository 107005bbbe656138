// Package policy reads the file in which a custodian writes down once what a table holds and how it may be released.
//
//	version: 1
//	class: income
//	file: {delimiter: ",", missing: ["?", ""]}
//	columns:
//	  age: {role: quasi-identifier, domain: [0, 120], step: 1}
//	  education: {kind: ordered, values: [none, school, college, university]}
//	  salary: {role: [quasi-identifier, confidential], numbers: "1.234,56"}
//	  admitted: {dates: dd/mm/yyyy, domain: [2019-01-01, 2024-12-31]}
//	  patient: {identifier: pseudonymise}
//	  ward: {keep: true}
//	  notes: {keep-text: true}
//	method: {name: framework, set: {influential: keep}}
//	thresholds:
//	  - {measure: segments, min: 1}
//	intruders:
//	  - {name: neighbour, knows: [age, education], within: {age: 2}, secret: [salary], outsider: true}
//
// The file is YAML without anchors, aliases, tags and several documents. Unknown keys are errors. Its schema is shipped
// as policy.schema.json, so that editors check and complete a policy while it is written; the same schema checks it
// here. An error says file, line and column; it may quote the policy, never a value of a table.
//
// What a caller says besides, such as the flags of a command, is a Policy, too, and is laid over the file by With.
//
// A policy says nothing of columns it does not list: their kind, domain and grid are those the reader infers, their
// roles those the profile suggests.
package policy

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Policy is what a custodian decides of a table: what it holds, how it is read, and how it may be released. A policy
// file, the flags of a command and a Go program fill the same struct; With lays one over another. In the struct the
// paths of files are as the caller says them; in a file they start at its own folder (Beside).
type Policy struct {
	// Version of the format; always 1.
	Version int `json:"version" jsonschema:"enum=1"`
	// Class is the column that decision rules predict.
	Class string `json:"class,omitempty" jsonschema:"minLength=1"`
	// File says how the table is written as text.
	File File `json:"file,omitzero"`
	// Complete leaves out the records that miss any value.
	Complete bool `json:"complete,omitempty"`
	// Columns describes columns by name.
	Columns map[string]Column `json:"columns,omitempty"`
	// Method is the technique that protects the table.
	Method Method `json:"method,omitzero"`
	// Stages are techniques that protect the table one after another, each what the one before released; instead of a
	// method.
	Stages []Method `json:"stages,omitempty" jsonschema:"minItems=2"`
	// Limits that hold besides the thresholds: hipaa, ema, survey, none, or a file of limits, from the policy's folder;
	// without them, the default ones.
	Limits string `json:"limits,omitempty" jsonschema:"minLength=1"`
	// Thresholds must hold for a release, or it is refused.
	Thresholds []Threshold `json:"thresholds,omitempty"`
	// AtMost are limits besides, name=number such as seconds=10, each in place of what there was on the same measure.
	AtMost []string `json:"at-most,omitempty" jsonschema:"minItems=1"`
	// Accept overrides limits by name, which is recorded: limit=value, such as found=0.2 or text=COLUMN.
	Accept []string `json:"accept,omitempty" jsonschema:"minItems=1"`
	// Measures gives parameters of measures, by the name of the measure and that of the parameter.
	Measures map[string]map[string]Text `json:"measures,omitempty"`
	// Earlier are earlier releases of the same people, from the policy's folder: evaluate and attack take what they add.
	Earlier Files `json:"earlier,omitempty"`
	// Shared are tables, from the policy's folder, that other holders released of the same columns: morph adds only what
	// these lack (Peters, Menzies & Layman 2015).
	Shared Files `json:"shared,omitempty"`
	// Relations are what holds between columns in every record, and a release keeps: found for what is found in the table
	// (as without them), none, or a list of relations such as total = a + b, in <= out and code -> label; found in the
	// list stands for those found.
	Relations Words `json:"relations,omitempty"`
	// Sums says what a release keeps of sums between columns: parts, of which the total is computed again (the default),
	// or shares, where the total and each part's share of it are perturbed and the parts are computed again.
	Sums string `json:"sums,omitempty" jsonschema:"enum=parts,enum=shares"`
	// Recur says that the same people are in other releases: by one seed and plan a person's value that stays is released
	// alike, so that several releases tell no more than one.
	Recur bool `json:"recur,omitempty"`
	// DatesShift moves all dates of a person by one random offset, so that the intervals between them stay: person, with
	// weeks for whole weeks and the most days (365) after commas, such as person,weeks,90.
	DatesShift string `json:"dates-shift,omitempty" jsonschema:"pattern=^person(\\,weeks)?(\\,[0-9]+)?$"`
	// RoundWeights gives units of similar weight their mean, at least so many of them the same one, so that no weight
	// points at one person or household and totals stay.
	RoundWeights int `json:"round-weights,omitempty" jsonschema:"exclusiveMinimum=1"`
	// Impute fills in missing values before the technique sees them, so that nobody is found by their gaps: dmi or simi
	// (Rahman & Islam 2011, 2013), or none.
	Impute string `json:"impute,omitempty" jsonschema:"enum=dmi,enum=simi,enum=none"`
	// ImputeMarks says in the release which values are imputed, in a column of its own for each that has some: anyone who
	// knows the gaps then finds people by them as before.
	ImputeMarks bool `json:"impute-marks,omitempty"`
	// SampledFrom is how many people there are of whom those of the table are a sample: an intruder who does not know who
	// is in it reckons with all of them.
	SampledFrom int `json:"sampled-from,omitempty" jsonschema:"exclusiveMinimum=0"`
	// BlankLookups blanks few cells of the release, until nobody can be looked up by unchanged values.
	BlankLookups bool `json:"blank-lookups,omitempty"`
	// KeepOrder writes the records in the order of the original instead of a random one: anyone who knows that order knows
	// whose each record is.
	KeepOrder bool `json:"keep-order,omitempty"`
	// GuardFormulas puts an apostrophe before categories that a spreadsheet would run as formulas.
	GuardFormulas bool `json:"guard-formulas,omitempty"`
	// Seed is a short seed, a whole number from 0 to 9007199254740991 such as 42, the same in every language. Anyone can
	// guess it by trying, so the release is withheld unless that is accepted (accept: [seed]).
	Seed Text `json:"seed,omitempty" jsonschema:"minLength=1"`
	// Public makes reports fit to publish: they hold nothing that helps an intruder.
	Public bool `json:"public,omitempty"`
	// Sensitive lists the itemsets and rules that are to be hidden, such as bread,milk and bread,milk=>jam.
	Sensitive []Text `json:"sensitive,omitempty" jsonschema:"minItems=1,uniqueItems=true"`
	// SensitiveFile is a file of such a list, from the policy's folder, in place of the list.
	SensitiveFile string `json:"sensitive-file,omitempty" jsonschema:"minLength=1"`
	// IQM is the file of an information quality model, from the policy's folder: what the table is for, whose lacks are
	// measured.
	IQM string `json:"iqm,omitempty" jsonschema:"minLength=1"`
	// Intruders are those whom the release is to withstand; without them, one who knows the quasi-identifiers and one who
	// knows all.
	Intruders []intruder.Intruder `json:"intruders,omitempty"`
	// IntruderFiles are policy files, from the policy's folder, whose intruders come before those declared here.
	IntruderFiles Files `json:"intruder-files,omitempty"`
	// Tables of counts and totals that are published.
	Tables Tables `json:"tables,omitzero"`

	src        *source // nil for a policy that was not parsed
	classGiven bool    // the class comes from the caller (With)
}

// File says how the table is written as text.
type File struct {
	// Delimiter between two values: comma, semicolon, tab, pipe, blank or one character; detected when absent.
	Delimiter string `json:"delimiter,omitempty" jsonschema:"pattern=^(.|comma|semicolon|tab|pipe|blank)$"`
	// Encoding of the text, such as windows-1252; detected from the file when absent.
	Encoding string `json:"encoding,omitempty" jsonschema:"minLength=1"`
	// Header says whether the first line names the columns: without it they are c1, c2 and so on; when absent it does, and
	// a file is refused whose first line looks like a record.
	Header *bool `json:"header,omitempty"`
	// Layout is the file, from the policy's folder, that says where the columns of a text of fixed width stand: DATA LIST
	// of
	// SPSS, a dictionary of Stata or a codebook of DDI in XML.
	Layout string `json:"layout,omitempty" jsonschema:"minLength=1"`
	// Skip is how many lines before the header are left out.
	Skip int `json:"skip,omitempty" jsonschema:"exclusiveMinimum=0"`
	// Sheet of a workbook that is read; the first one that is not hidden when absent.
	Sheet string `json:"sheet,omitempty" jsonschema:"minLength=1"`
	// Query is the SELECT whose answer is read of a database, instead of one of its tables.
	Query string `json:"query,omitempty" jsonschema:"minLength=1"`
	// LeaveOut are columns that are not read, as if the file did not have them.
	LeaveOut Words `json:"leave-out,omitempty"`
	// Items are the layouts of sets of items: column:separator for items in the cells of a column, id:item for a row per
	// item, wide:prefix for a column per item.
	Items []string `json:"items,omitempty"`
	// Missing lists the marks read as missing in every column.
	Missing []Text `json:"missing,omitempty"`
	// MissingBesides lists marks read as missing besides those, or besides the usual ones (empty, ?, NA and NaN).
	MissingBesides []Text `json:"missing-besides,omitempty"`
	// Merge makes one of texts that differ only in case, blanks, characters that look alike or as an initial.
	Merge bool `json:"merge-variants,omitempty"`
	// The mark written for a missing value.
	MissingOut *Text `json:"missing-out,omitempty"`
}

// Column describes one column.
type Column struct {
	// Role of the column: one or several.
	Role Roles `json:"role,omitempty"`
	// Kind of the values; guessed from them when absent.
	Kind string `json:"kind,omitempty" jsonschema:"enum=numeric,enum=categorical,enum=ordered"`
	// Dates is the notation of a column of dates, such as dd/mm/yyyy: detected when absent, unless it is doubtful.
	Dates string `json:"dates,omitempty" jsonschema:"minLength=1"`
	// Numbers shows by an example how the column's numbers are written, such as 1.234,56 where points stand between
	// thousands: detected when absent, unless it is doubtful.
	Numbers string `json:"numbers,omitempty" jsonschema:"minLength=1"`
	// Domain is the smallest and the largest legal number, or date. Without it a release discloses the observed ones.
	Domain []Text `json:"domain,omitempty" jsonschema:"minItems=2,maxItems=2"`
	// Outside says what becomes of a number outside the domain: the table is refused (refuse, as without it), or the
	// number becomes the nearer end (clip).
	Outside string `json:"outside,omitempty" jsonschema:"enum=refuse,enum=clip"`
	// Step is the grid of the numbers: 1 for whole numbers, 0.01 for cents; of dates 1 for a day, or for the finest part
	// of a time.
	Step float64 `json:"step,omitempty" jsonschema:"exclusiveMinimum=0"`
	// Cut makes ranges of numbers, as a class needs: 20%top or 20%bottom of the records, equal-width:5, equal-frequency:5,
	// entropy where another column is the class (Fayyad & Irani 1993), or the points such as 19.5,33.
	Cut Text `json:"cut,omitempty" jsonschema:"minLength=1"`
	// Values are the categories, in ascending order for kind ordered.
	Values []Text `json:"values,omitempty" jsonschema:"minItems=1,uniqueItems=true"`
	// Missing lists the codes that mean missing in this column, such as 999, besides the marks of the file.
	Missing []Text `json:"missing,omitempty" jsonschema:"minItems=1,uniqueItems=true"`
	// NotMissing lists numbers and texts that are values of this column, though they would be read as missing because they
	// cannot be, such as -99 among numbers that are never negative.
	NotMissing []Text `json:"not-missing,omitempty" jsonschema:"minItems=1,uniqueItems=true"`
	// Hierarchy is the file of the column's value generalisation hierarchy, from the policy's folder: a CSV file as ARX
	// writes it.
	Hierarchy string `json:"hierarchy,omitempty" jsonschema:"minLength=1"`
	// KeepText keeps a column whose texts look like names, contacts or free text, and values of a column that are withheld
	// because they do and only a few people have them; and lets it pass the limits on these.
	KeepText bool `json:"keep-text,omitempty"`
	// Keep leaves the column as it is.
	Keep bool `json:"keep,omitempty"`
	// Identifier says what becomes of an identifier: it is left out (drop) or replaced by a keyed hash (pseudonymise).
	Identifier string `json:"identifier,omitempty" jsonschema:"enum=drop,enum=pseudonymise"`
}

// Method is a technique with its parameters.
type Method struct {
	// Name under which the technique was published.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Set gives parameters by name; the others keep their defaults.
	Set Settings `json:"set,omitempty"`
	// Within lets the technique work inside segments: the leaves of a tree or of a forest, with their parameters, or the
	// values of the listed columns.
	Within *Within `json:"within,omitempty"`
}

// Threshold bounds the score of a measure. Bounds are inclusive.
type Threshold struct {
	// Measure is the name of the measure.
	Measure string `json:"measure" jsonschema:"minLength=1"`
	// Min is the smallest score allowed.
	Min *float64 `json:"min,omitempty"`
	// Max is the largest score allowed.
	Max *float64 `json:"max,omitempty"`
}

// Text is a scalar taken as it is written: text, a number, true or false.
type Text string

// UnmarshalJSON takes any scalar but null.
func (t *Text) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, (*string)(t))
	}
	*t = Text(b)
	return nil
}

// Settings are parameters by name. A list, such as [age, sex] of columns or ["a=>b", "c,d=>e"] of patterns, is text as
// param.List writes it.
type Settings map[string]Text

// UnmarshalJSON takes scalars and lists of them.
func (s *Settings) UnmarshalJSON(b []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	*s = make(Settings, len(raw))
	for name, v := range raw {
		var one Text
		var list []Text
		if v[0] != '[' {
			if err := json.Unmarshal(v, &one); err != nil {
				return err
			}
		} else if err := json.Unmarshal(v, &list); err != nil {
			return err
		} else {
			one = Text(param.List(asStrings(list)))
		}
		(*s)[name] = one
	}
	return nil
}

func asStrings(list []Text) (out []string) {
	for _, t := range list {
		out = append(out, string(t))
	}
	return out
}

// Roles is one role or several; JSON and YAML write one as a word and several as a list.
type Roles []string

// UnmarshalJSON takes a word or a list of words.
func (r *Roles) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		*r = Roles{""}
		return json.Unmarshal(b, &(*r)[0])
	}
	return json.Unmarshal(b, (*[]string)(r))
}

// Texts are values as a policy holds them, such as the parameters of a technique.
func Texts(set map[string]string) map[string]Text {
	out := make(map[string]Text, len(set))
	for k, v := range set {
		out[k] = Text(v)
	}
	return out
}

// MarshalJSON writes a word or a list of words.
func (r Roles) MarshalJSON() ([]byte, error) {
	if len(r) == 1 {
		return json.Marshal(r[0])
	}
	return json.Marshal([]string(r))
}

// Files are the path of a file, or a list of several.
type Files []string

// UnmarshalJSON takes a path or a list of paths.
func (f *Files) UnmarshalJSON(b []byte) error { return (*Roles)(f).UnmarshalJSON(b) }

// Imputation is the name of how missing values are filled in; empty where they are not.
func (p *Policy) Imputation() string {
	if p.Impute == "none" {
		return ""
	}
	return p.Impute
}

// MarshalJSON writes a path or a list of paths.
func (f Files) MarshalJSON() ([]byte, error) { return Roles(f).MarshalJSON() }

// Words are a word, or a list of several.
type Words []string

// UnmarshalJSON takes a word or a list of words.
func (w *Words) UnmarshalJSON(b []byte) error { return (*Roles)(w).UnmarshalJSON(b) }

// MarshalJSON writes a word or a list of words.
func (w Words) MarshalJSON() ([]byte, error) { return Roles(w).MarshalJSON() }

// bits returns the roles as bits; 0 for "other" and for none.
func (r Roles) bits() table.Role {
	var bits table.Role
	for _, word := range r {
		b, err := table.ParseRole(word)
		if err != nil {
			panic("policy: " + err.Error()) // the schema admits no other word
		}
		bits |= b
	}
	return bits
}

// ParseDelimiter returns the separator that a word or a character names, 0 for an empty text. The error says what is
// expected.
func ParseDelimiter(name string) (byte, error) {
	switch strings.ToLower(name) {
	case "":
		return 0, nil
	case "comma":
		return ',', nil
	case "semicolon":
		return ';', nil
	case "tab", `\t`:
		return '\t', nil
	case "pipe":
		return '|', nil
	case "blank":
		return ' ', nil
	}
	if len(name) != 1 || strings.ContainsAny(name, "\"\n\r") || name[0] >= 0x80 {
		return 0, errors.New("expected comma, semicolon, tab, pipe, blank or one character")
	}
	return name[0], nil
}

// Kinds returns the kind of every column that declares one, for the reader of the file. Declared values imply
// categorical, a domain or a step numeric. Columns that may hold dates are not among them.
func (p *Policy) Kinds() map[string]table.Kind {
	kinds := make(map[string]table.Kind)
	for name, c := range p.Columns {
		if k, ok := c.kind(); ok && !c.dated() {
			kinds[name] = k
		}
	}
	return kinds
}

// Dates returns the notation of every column that declares one, for the reader of the file.
func (p *Policy) Dates() map[string]calendar.Notation {
	dates := make(map[string]calendar.Notation)
	for name, c := range p.Columns {
		if n, err := calendar.Parse(c.Dates); err == nil {
			dates[name] = n
		}
	}
	return dates
}

// Numbers returns the notation of every column that shows how its numbers are written, for the reader of the file.
func (p *Policy) Numbers() map[string]decimal.Notation {
	numbers := make(map[string]decimal.Notation)
	for name, c := range p.Columns {
		if n, err := decimal.ParseNotation(c.Numbers); err == nil {
			numbers[name] = n
		}
	}
	return numbers
}

// dated reports whether the column is declared to hold dates.
func (c *Column) dated() bool {
	if c.Dates != "" {
		return true
	}
	for _, d := range c.Domain {
		if _, err := strconv.ParseFloat(string(d), 64); err != nil {
			return true
		}
	}
	return false
}

func (c *Column) kind() (k table.Kind, declared bool) {
	switch {
	case c.Kind == "categorical" || c.Kind == "ordered" || c.Values != nil:
		return table.Categorical, true
	case c.Kind == "numeric" || c.Dates != "" || c.Numbers != "" || c.Domain != nil || c.Step != 0:
		return table.Numeric, true
	}
	return 0, false
}

// Roles returns the role of every column that declares one; the class has its bit. A column that says what becomes of
// it as an identifier is one, and one whose texts are kept has the role other where it declares none.
func (p *Policy) Roles() map[string]table.Role {
	roles := make(map[string]table.Role)
	for name, c := range p.Columns {
		if c.Role != nil {
			roles[name] = c.Role.bits()
		}
		if c.KeepText && c.Role == nil {
			roles[name] = 0
		}
		if c.Identifier != "" {
			roles[name] |= table.Identifier
		}
	}
	if r, ok := roles[p.Class]; ok {
		roles[p.Class] = r | table.Class
	}
	return roles
}

// Kept returns the names of the columns to leave alone, sorted.
func (p *Policy) Kept() []string { return p.names(func(c Column) bool { return c.Keep }) }

// MeasureSettings returns the parameters of measures as text, by the name of the measure.
func (p *Policy) MeasureSettings() map[string]map[string]string {
	out := make(map[string]map[string]string, len(p.Measures))
	for name, set := range p.Measures {
		out[name] = make(map[string]string, len(set))
		for k, v := range set {
			out[name][k] = string(v)
		}
	}
	return out
}

// KeptTexts returns the names of the columns that are kept whatever their texts look like, sorted.
func (p *Policy) KeptTexts() []string { return p.names(func(c Column) bool { return c.KeepText }) }

// KeepsValues reports whether the values of a column are kept though only a few people have them: its texts are to be
// kept, or its values are listed, here or in a hierarchy.
func (p *Policy) KeepsValues(column string) bool {
	c := p.Columns[column]
	return c.KeepText || c.Values != nil || c.Hierarchy != ""
}

// Pseudonymised returns the names of the identifiers that get pseudonyms instead of being dropped, sorted.
func (p *Policy) Pseudonymised() []string {
	return p.names(func(c Column) bool { return c.Identifier == "pseudonymise" })
}

func (p *Policy) names(has func(Column) bool) []string {
	var names []string
	for _, n := range slices.Sorted(maps.Keys(p.Columns)) {
		if has(p.Columns[n]) {
			names = append(names, n)
		}
	}
	return names
}
