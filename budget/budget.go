// Package budget keeps the ledger of differential privacy: what has been promised about the people of a data set, by
// which releases, and what is left.
//
// # Charging
//
// A release is charged before its noise is drawn: Charge locks the file, reads all of it, refuses what would go beyond
// the limits, writes a line and has it flushed to the disk. Once it returns, the charge is spent, whatever happens to
// the release; where it fails, nothing may be drawn. A process that is killed has charged or not: a line that was cut
// off was not flushed, so nothing was drawn for it, and the next charge takes its place.
//
// # The file
//
// A line is canonical JSON after RFC 8785 and a line feed: UTF-8, no blanks, names sorted. The first one is the Header,
// the others are entries. Texts are printable ASCII (record.Text makes any text so), amounts are fractions in lowest
// terms, so a line has one form, and any other is refused. Lines are chained: "hash" of a line is
//
//	h(0) = SHA-256(the canonical JSON of the header without "hash")
//	h(i) = SHA-256(the digits of h(i-1), followed by the canonical JSON of entry i without "hash")
//
// in 64 lower-case hexadecimal digits. A changed, moved or missing line is found. Someone who can write the file can
// work out the chain anew, or cut lines off its end; against these every release keeps the hash of its entry (Has).
//
// # Totals
//
// Amounts are rational numbers and are summed exactly, so that ten times 0.1 is 1 and not a little less. Charges are
// composed in four ways, each of which holds for charges that were chosen in the light of earlier releases; what counts
// is the least of them (Total). Conversions are rounded to the side of more.
package budget

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/gowebpki/jcs"

	"github.com/dither-data/dither/internal/noise/mechanism"
)

// Schema names the format of the file.
const Schema = "dither/budget/1"

// Amount is a number at least 0, exactly. It is written as a fraction in lowest terms.
type Amount struct{ rat *big.Rat }

// Parse reads a decimal such as 0.1 or 1e-6, or a fraction such as 1/3. Anything that can be read in two ways is
// refused.
func Parse(text string) (Amount, error) {
	r, err := mechanism.Exactly(text)
	return Amount{r}, err
}

// Of returns an amount of a parameter of noise.
func Of(r mechanism.Ratio) Amount { return Amount{r.Rat()} }

// Rat returns the number. It is a copy.
func (a Amount) Rat() *big.Rat {
	if a.rat == nil {
		return new(big.Rat)
	}
	return new(big.Rat).Set(a.rat)
}

// Float returns the nearest float64.
func (a Amount) Float() float64 {
	f, _ := a.Rat().Float64()
	return f
}

// Sign is 0 for nothing, else 1.
func (a Amount) Sign() int { return a.Rat().Sign() }

// String is the fraction.
func (a Amount) String() string { return a.Rat().RatString() }

// MarshalText writes the fraction.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads what MarshalText writes, and nothing else.
func (a *Amount) UnmarshalText(text []byte) error {
	r, ok := new(big.Rat).SetString(string(text))
	if !ok || len(text) > mostDigits || strings.Trim(string(text), "0123456789/") != "" || r.RatString() != string(text) {
		return errors.New("an amount is a fraction in lowest terms")
	}
	a.rat = r
	return nil
}

// mostDigits bounds what is read as an amount.
const mostDigits = 4096

// Kind says in which measure an entry promises privacy.
type Kind string

// Kinds of promises. One of several measures is charged in that which is exact for it: noise of the discrete Gaussian
// law as Concentrated, real-valued Gaussian noise as Gaussian.
const (
	Pure         Kind = "epsilon"             // epsilon-differential privacy; the amount is epsilon
	Selection    Kind = "exponential epsilon" // a choice by the exponential mechanism of that epsilon
	Concentrated Kind = "rho"                 // rho-zero-concentrated differential privacy; the amount is rho
	Gaussian     Kind = "mu squared"          // mu-Gaussian differential privacy; the amount is mu^2 = D^2/sigma^2
)

// AddOrRemove is the neighbour relation of dither's mechanisms: tables that differ by one unit more or less.
const AddOrRemove = "add or remove"

// Unit is whom a promise protects, with all that is theirs in the table.
type Unit struct {
	Of      string `json:"of"`      // record, person or household
	Records int    `json:"records"` // how many records one has at most, from 1 on
}

// String is as in "person (at most 3 records)".
func (u Unit) String() string {
	if u.Records == 1 {
		return u.Of
	}
	return fmt.Sprintf("%s (at most %d records)", u.Of, u.Records)
}

// Limits are what a ledger allows, and of whom its promises are.
type Limits struct {
	Epsilon    Amount
	Delta      Amount // below 1; 0 allows pure promises only
	Unit       Unit
	Neighbours string // "" is AddOrRemove
}

// Header is the first line.
type Header struct {
	Delta      Amount `json:"delta"`
	Epsilon    Amount `json:"epsilon"`
	Hash       string `json:"hash,omitempty"`
	Neighbours string `json:"neighbours"`
	Schema     string `json:"schema"`
	Unit       Unit   `json:"unit"`
}

// Entry is one charge. The program that releases fills in all but Time and Hash.
type Entry struct {
	Amount     Amount            `json:"amount"` // positive, in the measure of Kind
	Data       string            `json:"data"`   // digest of the data, keyed as in package record
	Delta      Amount            `json:"delta"`  // with which probability the promise may fail; mostly 0
	Hash       string            `json:"hash,omitempty"`
	Kind       Kind              `json:"kind"`
	Mechanism  string            `json:"mechanism"` // discrete Laplace, permute-and-flip, ...
	Neighbours string            `json:"neighbours"`
	Parameters map[string]string `json:"parameters"` // sensitivity, scale, cells, ...
	Purpose    string            `json:"purpose"`
	Release    string            `json:"release"` // by which a release is found again
	Time       string            `json:"time"`    // of the charge, RFC 3339 in UTC
	Unit       Unit              `json:"unit"`
}

// canonical is the canonical JSON of a line; the hash is in it where it is set.
func canonical(v any) []byte {
	data, _ := json.Marshal(v) // texts, whole numbers and maps of them always encode
	data, _ = jcs.Transform(data)
	return data
}

func sum(before string, line []byte) string {
	h := sha256.New()
	h.Write([]byte(before))
	h.Write(line)
	return hex.EncodeToString(h.Sum(nil))
}

func (h Header) chained() string {
	h.Hash = ""
	return sum("", canonical(h))
}

func (e Entry) chained(before string) string {
	e.Hash = ""
	return sum(before, canonical(e))
}

func (h *Header) check() error {
	if h.Schema != Schema {
		return errors.New("this is no ledger of schema " + Schema)
	}
	if h.Epsilon.Sign() == 0 {
		return errors.New("a budget needs a positive epsilon")
	}
	if h.Delta.Rat().Cmp(big.NewRat(1, 1)) >= 0 {
		return errors.New("delta must be below 1")
	}
	return promises(h.Unit, h.Neighbours)
}

func promises(u Unit, neighbours string) error {
	if u.Of == "" || u.Records < 1 || u.Records > 1<<30 {
		return errors.New("the privacy unit is missing: record, person or household, and how many records one has at most")
	}
	return printable(u.Of, neighbours)
}

func (e *Entry) check(h *Header) error {
	switch {
	case e.Amount.Sign() == 0:
		return errors.New("a charge needs a positive amount")
	case e.Kind != Pure && e.Kind != Selection && e.Kind != Concentrated && e.Kind != Gaussian:
		return errors.New("the kind of a charge is none of epsilon, exponential epsilon, rho, mu squared")
	case len(e.Amount.String())+len(e.Delta.String()) > mostDigits:
		return errors.New("an amount has too many digits")
	case e.Unit != h.Unit:
		return fmt.Errorf("the release promises privacy of a %v, the ledger of a %v", e.Unit, h.Unit)
	case e.Neighbours != h.Neighbours:
		return fmt.Errorf("the release has the neighbour relation %q, the ledger %q", e.Neighbours, h.Neighbours)
	}
	texts := []string{e.Data, e.Mechanism, e.Purpose, e.Release, e.Time}
	for k, v := range e.Parameters {
		texts = append(texts, k, v)
	}
	return printable(texts...)
}

func printable(texts ...string) error {
	for _, t := range texts {
		if strings.ContainsFunc(t, func(c rune) bool { return c < ' ' || c > '~' }) {
			return fmt.Errorf("%q is not printable ASCII", t)
		}
	}
	return nil
}

// read reads a ledger. What follows the last line feed was cut off; whole is how many bytes stand before.
func read(data []byte) (h *Header, entries []Entry, whole int, err error) {
	whole = bytes.LastIndexByte(data, '\n') + 1
	if whole == 0 {
		return nil, nil, 0, nil
	}
	before := ""
	for n, line := range bytes.SplitAfter(data[:whole], []byte("\n")) {
		if len(line) == 0 {
			break
		}
		line = line[:len(line)-1]
		if n == 0 {
			h = &Header{}
			if err = strictly(line, h); err == nil && h.chained() != h.Hash {
				err = errors.New("it is not what the chain begins with")
			}
			if err == nil {
				err = h.check()
			}
			before = h.Hash
		} else {
			var e Entry
			if err = strictly(line, &e); err == nil && e.chained(before) != e.Hash {
				err = errors.New("it is not what the chain holds")
			}
			if err == nil {
				err = e.check(h)
			}
			entries, before = append(entries, e), e.Hash
		}
		if err != nil {
			return nil, nil, 0, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return h, entries, whole, nil
}

// strictly reads the canonical form and no other.
func strictly(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return errors.New("this is not a line of a ledger")
	}
	if !bytes.Equal(canonical(into), line) {
		return errors.New("this is not the canonical form")
	}
	return nil
}
