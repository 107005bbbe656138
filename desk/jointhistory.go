package desk

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/dither-data/dither/internal/system/filelock"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/table"
)

// TooAlike is the error for a run whose records differ from those of an earlier run by fewer than the plan's minimum
// cell, or whose parties differ from those of earlier runs over the same records by fewer than its minimum of
// contributors: the results together would show what these few are, or have.
type TooAlike struct {
	File    string
	Day     string   // of the earlier run, or the last one
	Parties []string // whose total would show; none: records differ
	Differ  int      // records
	Cell    int      // of the plan, or its contributors
}

func (t *TooAlike) Error() string {
	if t.Parties != nil {
		return fmt.Sprintf("other parties ran this on the same records before, the last time on %s: the results together "+
			"would show what %s have, who are fewer than %d (least.contributors of the plan); run it with the same parties, "+
			"or with more others (%s keeps the history)", t.Day, strings.Join(t.Parties, ", "), t.Cell, t.File)
	}
	return fmt.Sprintf("the table differs from that of the run of %s by %d of its records; below %d (least.cell of the "+
		"plan) the two results together would show what these are: run it when more have changed (%s keeps the history)",
		t.Day, t.Differ, t.Cell, t.File)
}

const historySchema = "dither/joint-history/1"

// history is the file of the runs that a party took part in: lines of JSON, of which none is changed. It tells records
// from each other by keyed hashes, and is as confidential as the table.
type history struct {
	file    *os.File
	key     []byte
	earlier []historyRun
}

type historyHead struct {
	Schema string `json:"schema"`
	Key    []byte `json:"key"`
}

type historyRun struct {
	Time     string   `json:"time"`
	Protocol string   `json:"protocol"`
	Plan     string   `json:"plan"`
	Session  string   `json:"session"`
	Columns  []string `json:"columns"`
	Parties  []string `json:"parties,omitempty"` // of a plan of whose columns each party has all
	Records  []byte   `json:"records"`           // hashes of eight bytes, in order
	SameAs   *int     `json:"same_as,omitempty"` // the earlier run with the same records and columns, from 0
}

// openHistory opens the file, which is made where there is none, and locks it.
func openHistory(path string) (h *history, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	h = &history{file: f}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	if err := filelock.Try(f); err != nil {
		return nil, fmt.Errorf("%s: another run is at work with it: %w", path, err)
	}
	r := bufio.NewReader(f)
	for number := 1; ; number++ {
		line, err := r.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return h, h.begin()
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		}
		if err := h.line(number, bytes.TrimSpace(line)); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, number, err)
		}
	}
}

func (h *history) line(number int, line []byte) error {
	broken := errors.New("this is not the history of a party: name another file with --history, or mend it")
	if number == 1 {
		var head historyHead
		if json.Unmarshal(line, &head) != nil || head.Schema != historySchema || len(head.Key) != 32 {
			return broken
		}
		h.key = head.Key
		return nil
	}
	var run historyRun
	if json.Unmarshal(line, &run) != nil || len(run.Records)%8 != 0 ||
		run.SameAs != nil && (*run.SameAs < 0 || *run.SameAs >= len(h.earlier)) {
		return broken
	}
	if run.SameAs != nil {
		run.Records = h.earlier[*run.SameAs].Records
	}
	h.earlier = append(h.earlier, run)
	return nil
}

// begin writes the key of a new file.
func (h *history) begin() error {
	if h.key != nil {
		return nil
	}
	h.key = make([]byte, 32)
	_, _ = rand.Read(h.key) // it never fails
	return h.append(historyHead{historySchema, h.key})
}

func (h *history) append(v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = h.file.Write(append(b, '\n'))
	}
	if err == nil {
		err = h.file.Sync()
	}
	return err
}

func (h *history) close() error { return h.file.Close() }

// next is the run as append writes it down. It refuses a table that is too like that of an earlier run over the same
// columns, and parties that are too like those of earlier runs over the same records.
func (h *history) next(p *joint.Plan, session [32]byte, t *table.Table, me int, now time.Time) (*historyRun, error) {
	hash := p.Hash()
	run := &historyRun{Time: now.UTC().Format(time.RFC3339), Protocol: p.Protocol, Plan: hex.EncodeToString(hash[:]),
		Session: hex.EncodeToString(session[:])}
	columns := usedColumns(p, t, me)
	for _, j := range columns {
		run.Columns = append(run.Columns, t.Attr(j).Name)
	}
	if !slices.ContainsFunc(p.Columns, func(c joint.Column) bool { return c.Owner != "" }) {
		for _, m := range p.Parties {
			run.Parties = append(run.Parties, m.Name)
		}
	}
	mine := h.hashes(t, columns)
	var nearest *TooAlike
	var groups [][]string // of earlier runs over the same records
	last := ""
	for k, e := range h.earlier {
		if !slices.Equal(e.Columns, run.Columns) {
			continue
		}
		n := differ(mine, storedHashes(e.Records))
		day, _, _ := strings.Cut(e.Time, "T")
		if n == 0 && run.SameAs == nil {
			run.SameAs = &k
		}
		if n == 0 && len(e.Parties) > 0 {
			groups, last = append(groups, e.Parties), day
		}
		if n > 0 && n < p.Least.Cell && (nearest == nil || n < nearest.Differ) {
			nearest = &TooAlike{File: h.file.Name(), Day: day, Differ: n, Cell: p.Least.Cell}
		}
	}
	if nearest != nil {
		return nil, nearest
	}
	if groups != nil && run.Parties != nil {
		if few := remainder(groups, run.Parties, p.Least.Contributors); few != nil {
			return nil, &TooAlike{File: h.file.Name(), Day: last, Parties: few, Cell: p.Least.Contributors}
		}
	}
	if run.SameAs == nil {
		for _, w := range mine {
			run.Records = binary.BigEndian.AppendUint64(run.Records, w)
		}
	}
	return run, nil
}

// usedColumns are the columns of a table that the plan has, in their order by name; all where it has none.
func usedColumns(p *joint.Plan, t *table.Table, me int) (out []int) {
	for _, c := range p.Columns {
		if j := t.Find(c.Name); j >= 0 && (c.Owner == "" || c.Owner == p.Parties[me].Name) {
			out = append(out, j)
		}
	}
	if len(out) == 0 {
		for j := range t.Width() {
			out = append(out, j)
		}
	}
	slices.SortFunc(out, func(a, b int) int { return bytes.Compare([]byte(t.Attr(a).Name), []byte(t.Attr(b).Name)) })
	return slices.Compact(out)
}

// hashes are the keyed hashes of the records, in order.
func (h *history) hashes(t *table.Table, columns []int) []uint64 {
	out := make([]uint64, t.Rows())
	mac := hmac.New(sha256.New, h.key)
	var b []byte
	for i := range out {
		b = b[:0]
		for _, j := range columns {
			b = appendValue(b, t, i, j)
		}
		mac.Reset()
		mac.Write(b)
		out[i] = binary.BigEndian.Uint64(mac.Sum(nil))
	}
	slices.Sort(out)
	return out
}

// appendValue appends what tells a value from others, whatever else the table holds.
func appendValue(b []byte, t *table.Table, i, j int) []byte {
	text := func(code int32) {
		label := t.Attr(j).Labels[code]
		b = binary.BigEndian.AppendUint32(b, uint32(len(label)))
		b = append(b, label...)
	}
	switch {
	case t.MissingAt(i, j):
		return append(b, 0)
	case t.Num(j) != nil:
		return binary.BigEndian.AppendUint64(append(b, 1), math.Float64bits(t.Num(j)[i]+0))
	case t.Cat(j) != nil:
		b = append(b, 2)
		text(t.Cat(j)[i])
		return b
	}
	row := t.Sets(j).Present.Row(i)
	b = binary.BigEndian.AppendUint32(append(b, 3), uint32(len(row)))
	for _, code := range row {
		text(code)
	}
	return b
}

func storedHashes(b []byte) []uint64 {
	out := make([]uint64, len(b)/8)
	for i := range out {
		out[i] = binary.BigEndian.Uint64(b[8*i:])
	}
	return out
}

// differ counts what is in one of two lists in order and not in the other.
func differ(a, b []uint64) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			a, b = a[1:], b[1:]
		case a[0] < b[0]:
			a, n = a[1:], n+1
		default:
			b, n = b[1:], n+1
		}
	}
	return n + len(a) + len(b)
}
