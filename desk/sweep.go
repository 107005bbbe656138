package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/transactions"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/mining/rulehiding"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// SweepRequest asks for transactions without sensitive patterns, in one pass.
type SweepRequest struct {
	Path       string  // FIMI file, or - for standard input
	Output     string  // FIMI file
	Sensitive  string  // path of the list of itemsets and rules
	Disclosure float64 // psi: the share of the transactions of a window with a pattern that may keep it
	Window     int     // transactions
	Overwrite  bool    // replace an output that exists
}

// Swept is what a sweep did.
type Swept struct {
	Schema       string `json:"schema"`
	Version      string `json:"version"` // of the program
	Transactions int    `json:"transactions"`
	Changed      int    `json:"changed"`  // transactions that lost an item
	Deleted      int    `json:"deleted"`  // items
	Patterns     int    `json:"patterns"` // to be hidden
	Before       int    `json:"before"`   // transactions with the pattern that most have, or had
	After        int    `json:"after"`
	Release      string `json:"release"` // path
}

// Sweep hides patterns in a file of transactions that may be larger than memory, by the sliding window algorithm
// (Oliveira & Zaiane 2003): what protect releases by swa in the order of the original, of transactions in the order in
// which FIMI files list items. Nothing is measured or judged. An item that the file does not have is an error, and
// nothing is written. Cost: about that of reading and of writing, and a few windows in memory.
func (d *Desk) Sweep(ctx context.Context, q SweepRequest) (*Swept, error) {
	psi, err := rulehiding.ShareOf(q.Disclosure)
	switch {
	case err != nil || !(q.Disclosure >= 0 && q.Disclosure <= 1):
		return nil, usage(fmt.Errorf("psi is %v, expected a share from 0 to 1", q.Disclosure))
	case q.Window < 1:
		return nil, number("window", q.Window, "expected 1 or more")
	case q.Sensitive == "":
		return nil, usage(errors.New("nothing is listed as sensitive; name the file of what is to be hidden with " +
			"--sensitive"))
	case q.Output == standardOutput:
		return nil, usage(errors.New("a sweep writes to a file, which takes its place when all of it is right"))
	case !slices.Contains(transactions.Format.Extensions, strings.ToLower(filepath.Ext(q.Output))):
		return nil, usage(
			fmt.Errorf("%s: a sweep writes FIMI files (%s)", q.Output, strings.Join(transactions.Format.Extensions, ", ")),
		)
	}
	f := &files{reads: []string{q.Path, q.Sensitive}, shown: []string{q.Output}, replace: q.Overwrite}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	text, err := wholefile.Read(q.Sensitive)
	if err != nil {
		return nil, err
	}
	s, err := newSweep(string(text), psi)
	if err != nil {
		return nil, &Usage{Field: judge.Hidden, Value: q.Sensitive, Err: err}
	}
	in, size, err := d.stream(q.Path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	p := d.begin("hiding patterns")
	defer p.End()
	var did transactions.Deletion
	err = f.add(q.Output, func(w io.Writer) (err error) {
		did, err = transactions.Delete(ctx, w, in, s.items, q.Window, s.choose, func(read int64) { p.Done(read, size) })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nameOf(q.Path), err)
	}
	if err := s.missing(); err != nil {
		return nil, &Usage{Field: judge.Hidden, Value: q.Sensitive, Err: err}
	}
	out := &Swept{
		Schema:       schemaOf("sweep"),
		Version:      d.Version,
		Transactions: did.Lines,
		Changed:      did.Changed,
		Deleted:      did.Items,
		Patterns:     len(s.sets),
		Release:      q.Output,
	}
	out.Before, out.After = slices.Max(s.before), slices.Max(s.after)
	return out, f.place()
}

// stream opens what is read once; the size is 0 where it is not known.
func (d *Desk) stream(path string) (io.ReadCloser, int64, error) {
	if path == standardInput {
		return io.NopCloser(d.In), 0, nil
	}
	if format.Unpacked(path) != path {
		return nil, 0, usage(fmt.Errorf("%s: a sweep reads a file as it lies there: unpack it first, or pipe it unpacked "+
			"to dither sweep -", path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, st.Size(), nil
}

// sweep is patterns on their way through a file.
type sweep struct {
	items []uint32 // ascending; what the codes of the sets stand for
	sets  [][]int32
	psi   []rulehiding.Share

	mu            sync.Mutex
	seen          []bool // by item
	before, after []int  // transactions, by set
}

// newSweep reads what is to be hidden. Whether the file has the items is known at its end.
func newSweep(list string, psi rulehiding.Share) (*sweep, error) {
	s := &sweep{}
	for _, text := range regexp.MustCompile(`[0-9]+`).FindAllString(list, -1) {
		if id, err := strconv.ParseUint(text, 10, 32); err == nil && id <= transactions.Most &&
			text == strconv.FormatUint(id, 10) {
			s.items = append(s.items, uint32(id))
		}
	}
	slices.Sort(s.items)
	s.items = slices.Compact(s.items)
	labels := make([]string, len(s.items))
	for k, id := range s.items {
		labels[k] = strconv.FormatUint(uint64(id), 10)
	}
	t, err := table.New(table.SetColumn(transactions.Column, labels, table.SetsOf(nil, nil)))
	if err != nil {
		return nil, err
	}
	c, err := basket.New(t, basket.Options{Intervals: 2})
	if err != nil {
		return nil, err
	}
	patterns, err := c.Patterns(list)
	if err != nil {
		return nil, err
	}
	if len(patterns) == 0 {
		return nil, errors.New("it lists nothing")
	}
	for _, p := range patterns {
		own := psi
		if p.At != "" {
			if own, err = rulehiding.ParseShare(p.At); err != nil {
				return nil, err
			}
		}
		s.sets, s.psi = append(s.sets, p.Items()), append(s.psi, own)
	}
	s.seen, s.before, s.after = make([]bool, len(s.items)), make([]int, len(s.sets)), make([]int, len(s.sets))
	return s, nil
}

// choose marks what is deleted in a window, and counts.
func (s *sweep) choose(w *transactions.Window) []bool {
	t := &itemset.Transactions{Items: w.Items, Start: w.Start, Labels: len(s.items)}
	gone := rulehiding.Window(t, w.Size, s.sets, s.psi)
	before, after, seen := make([]int, len(s.sets)), make([]int, len(s.sets)), make([]bool, len(s.items))
	left := make([]int32, 0, len(s.items))
	for i := range t.Len() {
		row := t.Row(i)
		left = left[:0]
		for k, v := range row {
			if seen[v] = true; !gone[t.Start[i]+k] {
				left = append(left, v)
			}
		}
		for k, z := range s.sets {
			if len(row) >= len(z) && itemset.Contains(row, z) {
				before[k]++
				if itemset.Contains(left, z) {
					after[k]++
				}
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range s.sets {
		s.before[k], s.after[k] = s.before[k]+before[k], s.after[k]+after[k]
	}
	for v, there := range seen {
		s.seen[v] = s.seen[v] || there
	}
	return gone
}

// missing is the error where the file has not all items; it names none.
func (s *sweep) missing() error {
	for k, z := range s.sets {
		if slices.ContainsFunc(z, func(v int32) bool { return !s.seen[v] }) {
			return fmt.Errorf("pattern %d has an item that the file does not have", k+1)
		}
	}
	return nil
}
