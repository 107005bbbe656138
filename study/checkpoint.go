package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strconv"

	"github.com/dither-data/dither/internal/stats/mannwhitney"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
)

// A checkpoint is a text file: a header line that says what request its lines belong to, then one line of JSON per
// finished piece of work with its checksum, in the order they finished. A run that dies while writing leaves at most
// one torn line, the last.

// Ledger is a kind of checkpoint.
type Ledger struct {
	Schema string
	Other  error // for one of another request
	None   error // for a file that is none
}

const checkpointSchema = "dither/compare-checkpoint/4"

// ErrOtherRequest is returned for a checkpoint of another comparison.
var ErrOtherRequest = errors.New("it belongs to another comparison: the data, settings, measures, folds, repeats, " +
	"seed or version differ")

// Cells is the checkpoint of a comparison: a line is a finished cell.
var Cells = Ledger{checkpointSchema, ErrOtherRequest, errors.New("no checkpoint of a comparison; its first line " +
	"should name the schema " + checkpointSchema)}

type checkpointHeader struct {
	Schema  string `json:"schema"`
	Request string `json:"request"` // Fingerprint
}

// Header returns the first line of the checkpoint of a request with this fingerprint.
func (l *Ledger) Header(fingerprint string) []byte {
	line, _ := json.Marshal(checkpointHeader{l.Schema, fingerprint}) // strings always encode
	return append(line, '\n')
}

// Fingerprint is a hash of everything the figures of a comparison depend on: version, data, settings, measures, folds,
// repeats and seed, in hexadecimal. The seed enters by its commitment. Cost: one pass over the tables.
func (q *CompareRequest) Fingerprint() string {
	h := sha256.New()
	put := func(v any) {
		data, err := json.Marshal(v)
		if err != nil {
			panic("study: a request does not encode: " + err.Error()) // names, numbers and attributes always do
		}
		h.Write(append(data, '\n'))
	}
	put([]any{q.Version, q.Folds, q.Repeats, rng.Commitment(q.Seed)})
	for _, s := range q.Settings {
		put([]any{"setting", s.Name, s.Method.Name, s.Set})
	}
	for _, s := range q.Measures {
		put([]any{"measure", s.Measure.Name, s.Set, s.Intruder})
	}
	for _, d := range q.Data {
		ids, first := d.Table.IDs() // noise is keyed by identity
		put([]any{"data", d.Name, d.Set, d.Sensitive, d.Table.Rows(), d.Table.Attrs(), ids, first})
		for j := range d.Table.Width() {
			c := d.Table.Column(j)
			c.Hash(h)
		}
		for _, r := range d.Besides {
			put([]any{"besides", r.Columns})
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// jsonFloat is a float64 that keeps NaN and the infinities through JSON.
type jsonFloat float64

// MarshalJSON writes a number, or "NaN", "+Inf", "-Inf" in quotes.
func (f jsonFloat) MarshalJSON() ([]byte, error) {
	if v := float64(f); math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.AppendQuote(nil, strconv.FormatFloat(v, 'g', -1, 64)), nil
	}
	return json.Marshal(float64(f))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *jsonFloat) UnmarshalJSON(data []byte) error {
	v, err := strconv.ParseFloat(string(bytes.Trim(data, `"`)), 64)
	*f = jsonFloat(v)
	return err
}

// sealed is a line: a cell, and the CRC-32 (Castagnoli) of its bytes in hexadecimal.
type sealed struct {
	Sum  string          `json:"sum"`
	Cell json.RawMessage `json:"cell"`
}

func checksum(cell []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(cell, crc32.MakeTable(crc32.Castagnoli)))
}

type cellLine struct {
	Data    int         `json:"data"`
	Setting int         `json:"setting"`
	Fold    int         `json:"fold"`
	Repeat  int         `json:"repeat"`
	Seconds float64     `json:"seconds"`
	Err     string      `json:"error,omitempty"`
	Scores  []scoreLine `json:"scores,omitempty"`
}

type scoreLine struct {
	Score   jsonFloat            `json:"score"`
	Lo      jsonFloat            `json:"lo"`
	Hi      jsonFloat            `json:"hi"`
	Parts   []partLine           `json:"parts,omitempty"`
	Notes   []message.Stored     `json:"notes,omitempty"`
	Samples []mannwhitney.Sample `json:"samples,omitempty"`
	Skip    bool                 `json:"skip,omitempty"`
	Err     message.Stored       `json:"error,omitzero"`
}

type partLine struct {
	Key   measure.Key    `json:"key,omitempty"`
	Of    string         `json:"of,omitempty"`
	Name  message.Stored `json:"name"`
	Score jsonFloat      `json:"score"`
}

// EncodeCell returns the line of a cell, its end included.
func EncodeCell(c Cell) ([]byte, error) {
	l := cellLine{c.Data, c.Setting, c.Fold, c.Repeat, c.Seconds, c.Err, nil}
	for _, s := range c.Scores {
		sl := scoreLine{jsonFloat(s.Score), jsonFloat(s.Lo), jsonFloat(s.Hi), nil, nil, s.Samples, s.Skip,
			message.Stored(s.Err)}
		for _, p := range s.Parts {
			sl.Parts = append(sl.Parts, partLine{p.Key, p.Of, message.Stored(p.Name), jsonFloat(p.Score)})
		}
		for _, n := range s.Notes {
			sl.Notes = append(sl.Notes, message.Stored(n))
		}
		l.Scores = append(l.Scores, sl)
	}
	return Seal(l)
}

// Seal returns the line of a piece of work, its end included.
func Seal(work any) ([]byte, error) {
	data, err := json.Marshal(work)
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(sealed{checksum(data), data})
	return append(line, '\n'), err
}

// cell undoes EncodeCell.
func (l *cellLine) cell() Cell {
	c := Cell{Data: l.Data, Setting: l.Setting, Fold: l.Fold, Repeat: l.Repeat, Seconds: l.Seconds, Err: l.Err}
	for _, sl := range l.Scores {
		s := Score{
			Score:   float64(sl.Score),
			Lo:      float64(sl.Lo),
			Hi:      float64(sl.Hi),
			Samples: sl.Samples,
			Skip:    sl.Skip,
			Err:     message.Sentence(sl.Err),
		}
		for _, p := range sl.Parts {
			s.Parts = append(s.Parts,
				measure.Part{Key: p.Key, Of: p.Of, Name: message.Sentence(p.Name), Score: float64(p.Score)})
		}
		for _, n := range sl.Notes {
			s.Notes = append(s.Notes, message.Sentence(n))
		}
		c.Scores = append(c.Scores, s)
	}
	return c
}

// DecodeCheckpoint returns the cells of a checkpoint and how many of its bytes are whole lines, as Ledger.Read. It
// fails for cells that do not have one score per measure, too.
func DecodeCheckpoint(data []byte, fingerprint string, measures int) (cells []Cell, whole int, err error) {
	whole, err = Cells.Read(data, fingerprint, func(work []byte) error {
		c, err := decodeCell(work, measures)
		if err == nil {
			cells = append(cells, c)
		}
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return cells, whole, nil
}

// Read hands every piece of work in a checkpoint over and returns how many of its bytes are whole lines: the writer
// goes on from there, over the torn line of a run that died. It fails for a file that is no checkpoint, for a damaged
// line that is not the last (one that is counts as torn, and its run is run again), and for one of another request.
func (l *Ledger) Read(data []byte, fingerprint string, each func(work []byte) error) (whole int, err error) {
	for n := 1; ; n++ {
		end := bytes.IndexByte(data[whole:], '\n')
		if end < 0 {
			if n == 1 && !bytes.HasPrefix(l.Header(fingerprint), data) {
				return 0, l.None
			}
			return whole, nil
		}
		line, last := data[whole:whole+end], whole+end+1 == len(data)
		if n == 1 {
			err = l.checkHeader(line, fingerprint)
		} else {
			var work []byte
			if work, err = unseal(line); err == nil {
				err = each(work)
			}
			if err != nil && last {
				return whole, nil
			}
		}
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", n, err)
		}
		whole += end + 1
	}
}

func (l *Ledger) checkHeader(line []byte, fingerprint string) error {
	var h checkpointHeader
	if err := json.Unmarshal(line, &h); err != nil || h.Schema != l.Schema {
		return l.None
	}
	if h.Request != fingerprint {
		return l.Other
	}
	return nil
}

// unseal returns the piece of work of a line.
func unseal(line []byte) ([]byte, error) {
	var seal sealed
	if err := Strictly(line, &seal); err != nil {
		return nil, errNoCell
	}
	if checksum(seal.Cell) != seal.Sum {
		return nil, errors.New("it was changed since it was written: its checksum differs")
	}
	return seal.Cell, nil
}

func decodeCell(work []byte, measures int) (Cell, error) {
	var l cellLine
	if err := Strictly(work, &l); err != nil {
		return Cell{}, errNoCell
	}
	if l.Err == "" && len(l.Scores) != measures || l.Err != "" && l.Scores != nil {
		return Cell{}, fmt.Errorf("%d scores, expected %d", len(l.Scores), measures)
	}
	return l.cell(), nil
}

var errNoCell = errors.New("not a line of a checkpoint")

// Strictly decodes JSON without unknown fields.
func Strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
