package transactions

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/dither-data/dither/format/text"
)

// Window is consecutive lines of numbers, of which some items are looked for.
type Window struct {
	// those that line i has for sure stand from Start[i] to before Start[i+1], ascending, by their place in the list of
	// what is looked for
	Items []int32
	Start []int
	Size  []int32 // different items that each line has for sure, whatever they are

	first         int // lines before
	data          []byte
	changed, lost int
	err           error
	done          chan struct{}
}

// Deletion is what Delete did.
type Deletion struct {
	Lines   int // all
	Changed int // that lost an item
	Items   int // deleted
}

// Delete copies lines of numbers, as FIMI files have them, without the items that choose marks: a line that loses
// nothing stays as it was written, and one that loses all stays, empty. Looked for are the items of a list, which
// ascends. Choose gets windows of so many lines, in any order and several at once, and returns a mark for each of a
// window's Items, or nil where none is deleted. Progress, which may be nil, is told how many bytes were read.
//
// Faults name the line. Cost: O(bytes) in time, on all cores; a few windows in memory.
func Delete(
	ctx context.Context,
	w io.Writer,
	r io.Reader,
	list []uint32,
	lines int,
	choose func(*Window) []bool,
	progress func(read int64),
) (d Deletion, err error) {
	ctx, cancel := context.WithCancel(ctx)
	workers := runtime.GOMAXPROCS(0)
	next, inOrder := make(chan *Window, workers), make(chan *Window, workers)
	used := sync.Pool{New: func() any { return &Window{} }}
	var failed error // of reading; it is known when inOrder is closed
	var all sync.WaitGroup
	all.Go(func() {
		defer close(inOrder)
		defer close(next)
		s := source{r: r, lines: lines, progress: progress}
		for more := true; more && failed == nil; {
			win := used.Get().(*Window)
			if more, failed = s.window(ctx, win); len(win.data) > 0 {
				win.done = make(chan struct{})
				inOrder <- win
				next <- win
			}
		}
	})
	look := newWanted(list)
	for range workers {
		all.Go(func() {
			for win := range next {
				if win.err = ctx.Err(); win.err == nil {
					win.edit(look, choose)
				}
				close(win.done)
			}
		})
	}
	for win := range inOrder {
		<-win.done
		if err == nil {
			err = win.err
		}
		if err == nil {
			_, err = w.Write(win.data)
			d.Lines, d.Changed, d.Items = d.Lines+len(win.Size), d.Changed+win.changed, d.Items+win.lost
		}
		if err != nil {
			cancel()
		}
		used.Put(win)
	}
	cancel()
	all.Wait()
	if err == nil {
		err = failed
	}
	return d, err
}

// source gives windows of a file.
type source struct {
	r        io.Reader
	lines    int // of a window
	progress func(int64)
	rest     []byte // read, and of the next window
	read     int64
	first    int
	ended    bool
}

// longest is the most bytes of a line: what has no line feed is no file of transactions, and must not fill the memory.
const longest = 1 << 28

// window reads the next lines, and says whether there may be more.
func (s *source) window(ctx context.Context, win *Window) (more bool, err error) {
	const chunk = 1 << 18
	data := append(win.data[:0], s.rest...)
	n, at, begun := 0, 0, 0
	for {
		for at < len(data) && n < s.lines {
			k := bytes.IndexByte(data[at:], '\n')
			if k < 0 {
				at = len(data)
				break
			}
			at += k + 1
			n, begun = n+1, at
		}
		if n == s.lines || s.ended || err != nil {
			break
		}
		if err = ctx.Err(); err == nil && len(data)-begun > longest {
			err = &text.Fault{Line: s.first + n + 1, Text: "it has no end within 256 MiB"}
		}
		if err != nil {
			break
		}
		data = slices.Grow(data, chunk)
		var k int
		k, err = s.r.Read(data[len(data) : len(data)+chunk])
		data = data[:len(data)+k]
		if s.read += int64(k); s.progress != nil {
			s.progress(s.read)
		}
		if err == io.EOF {
			err, s.ended = nil, true
			if len(data) > 0 && data[len(data)-1] != '\n' {
				data = append(data, '\n')
			}
		}
	}
	s.rest = append(s.rest[:0], data[at:]...)
	win.data, win.first = data[:at], s.first
	if err != nil {
		win.data = win.data[:0]
	}
	s.first += n
	return err == nil && (!s.ended || len(s.rest) > 0), err
}

// wanted is what is looked for.
type wanted struct {
	place map[uint32]int32
	maybe [1 << 10]uint64 // a bit for the last 16 bits of every number, so that most others need no look at the map
}

func newWanted(list []uint32) *wanted {
	w := &wanted{place: make(map[uint32]int32, len(list))}
	for k, id := range list {
		w.place[id] = int32(k)
		w.maybe[id>>6&1023] |= 1 << (id & 63)
	}
	return w
}

// of returns the place of an item in the list, -1 for another.
func (w *wanted) of(id uint32) int32 {
	if w.maybe[id>>6&1023]>>(id&63)&1 > 0 {
		if k, ok := w.place[id]; ok {
			return k
		}
	}
	return -1
}

// edit finds the items, has those to delete chosen, and writes the lines anew where any is.
func (win *Window) edit(look *wanted, choose func(*Window) []bool) {
	if win.err = win.parse(look); win.err != nil {
		return
	}
	win.changed, win.lost = 0, 0
	gone := choose(win)
	if !slices.Contains(gone, true) {
		return
	}
	out := make([]byte, 0, len(win.data))
	from := 0
	for i := range win.Size {
		end := from + bytes.IndexByte(win.data[from:], '\n') + 1
		line := win.data[from:end]
		if own := gone[win.Start[i]:win.Start[i+1]]; slices.Contains(own, true) {
			win.changed++
			for _, g := range own {
				if g {
					win.lost++
				}
			}
			out = look.without(out, line, win.Items[win.Start[i]:win.Start[i+1]], own)
		} else {
			out = append(out, line...)
		}
		from = end
	}
	win.data = out
}

// without appends a line without the items that are gone.
func (w *wanted) without(out, line []byte, items []int32, gone []bool) []byte {
	begun := len(out)
	for at := 0; line[at] != '\n'; at++ {
		if blank(line[at]) {
			continue
		}
		from, sure := at, line[at] != '?'
		for line[at+1] != '\n' && !blank(line[at+1]) {
			at++
		}
		if sure {
			id, _, _ := digits(line, from)
			if k, found := slices.BinarySearch(items, w.of(id)); found && gone[k] {
				continue
			}
		}
		if len(out) > begun {
			out = append(out, ' ')
		}
		out = append(out, line[from:at+1]...)
	}
	if bytes.HasSuffix(line, []byte("\r\n")) {
		out = append(out, '\r')
	}
	return append(out, '\n')
}

// parse finds the items of all lines that are looked for.
func (win *Window) parse(look *wanted) error {
	win.Items, win.Start, win.Size = win.Items[:0], append(win.Start[:0], 0), win.Size[:0]
	rows, items := countLines(win.data, ' ')
	p := &part{ends: make([]int, 0, rows), items: make([]int32, 0, items)}
	err := scanNumbers(p, win.data, 0, len(win.data))
	if f := (*text.Fault)(nil); errors.As(err, &f) {
		f.Line += win.first
	}
	if err != nil {
		return err
	}
	from := 0
	for _, end := range p.ends {
		ids := p.items[from:end]
		if !ascending(ids) {
			slices.Sort(ids)
			ids = slices.Compact(ids)
		}
		for _, id := range ids {
			if k := look.of(uint32(id)); k >= 0 {
				win.Items = append(win.Items, k)
			}
		}
		win.Size, win.Start = append(win.Size, int32(len(ids))), append(win.Start, len(win.Items))
		from = end
	}
	return nil
}

// ascending reports whether every number is larger than the one before.
func ascending(ids []int32) bool {
	for k := 1; k < len(ids); k++ {
		if ids[k] <= ids[k-1] {
			return false
		}
	}
	return true
}
