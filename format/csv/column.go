package csv

import (
	"math"
	"strings"
	"sync"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// column holds the values of a column, which the shards fill side by side.
type column struct {
	space *mmap.Space
	mu    sync.Mutex
	num   []float64
	cat   []int32
}

func (c *column) numbers(rows int) []float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.num == nil {
		c.num = mmap.Make[float64](c.space, rows)
	}
	return c.num
}

// free gives the memory of numbers, or of everything, that is not needed any more back.
func (c *column) free(all bool) {
	mmap.Free(c.space, c.num)
	if c.num = nil; all {
		mmap.Free(c.space, c.cat)
		c.cat = nil
	}
}

func (c *column) codes(rows int) []int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cat == nil {
		c.cat = mmap.Make[int32](c.space, rows)
	}
	return c.cat
}

// table joins the shards, and tells info about the columns.
func (r *result) table(info *dialect.Info) (*table.Table, error) {
	cols := make([]table.Column, len(r.columns))
	notes := make([]message.Sentence, len(r.columns))
	decs := make([]int, len(r.columns))
	parallel(len(cols), r.workers, func(j int) { cols[j], decs[j], notes[j] = r.join(j) })
	if r.isRecord(cols) && r.repeated(cols) < 0 {
		return nil, dialect.ErrHeader
	}
	if r.doubled != nil {
		return nil, r.doubled
	}
	if err := r.joined(cols, info); err != nil {
		return nil, err
	}
	kept, dropped := cols[:0], 0
	for j, note := range notes {
		if strings.HasPrefix(r.names[j], nameless) {
			if !empty(&cols[j]) {
				return nil, text.AtLine(r.data, 0, "column %d has no name in the header, and it holds values", j+1)
			}
			dropped++
			continue
		}
		kept = append(kept, cols[j])
		info.SetDecimals(r.names[j], decs[j])
		if n, written := r.numbers[r.names[j]]; written {
			info.Told(r.names[j], n)
		}
		if r.unsure[j] {
			info.Doubt(r.names[j], r.point)
		}
		if !note.Empty() {
			if empty(&cols[j]) {
				info.Note(note)
			} else {
				info.NoteText(r.names[j], note)
			}
			if marks := marksAmong(&cols[j]); marks != nil {
				if info.MaybeMissing == nil {
					info.MaybeMissing = make(map[string][]string)
				}
				info.MaybeMissing[r.names[j]] = marks
			}
		}
	}
	if dropped > 0 {
		info.Note(message.Say("read.nameless").Count("n", dropped))
	}
	t, err := table.New(kept...)
	if err != nil {
		return nil, err
	}
	return t.In(r.space), nil
}

// empty reports whether a column has no value.
func empty(c *table.Column) bool {
	for i := range c.Len() {
		if !c.MissingAt(i) {
			return false
		}
	}
	return true
}

// join puts a column together; decs are its decimals where they are more than its grid needs, note is what there is to
// say about it.
func (r *result) join(j int) (c table.Column, decs int, note message.Sentence) {
	name := r.names[j]
	_, forced := r.kinds[name]
	var num, cat, date bool
	for k := range r.shards {
		num = num || r.shards[k].parts[j].mode == numeric
		cat = cat || r.shards[k].parts[j].mode == texts
		date = date || r.shards[k].parts[j].mode == dates
	}
	switch {
	case date:
		return r.joinDates(j), 0, note
	case num, !cat && r.told(j):
		c, s := r.joinNumbers(j)
		return c, s.Padded(), note
	case cat:
		c := r.joinTexts(j)
		if !forced {
			for _, remark := range []func(*table.Column, int) message.Sentence{r.dateRemark, r.remark, r.contrary} {
				if note = remark(&c, j); !note.Empty() {
					break
				}
			}
		}
		return c, 0, note
	}
	codes := mmap.Make[int32](r.space, r.total)
	for i := range codes {
		codes[i] = -1
	}
	if r.total > 0 {
		note = message.Say("read.empty").Name("column", name)
	}
	return table.CatColumn(name, nil, codes), 0, note
}

func (r *result) joinNumbers(j int) (table.Column, decimal.Shape) {
	num := r.columns[j].numbers(r.total)
	var s decimal.Shape
	for k := range r.shards {
		sh := &r.shards[k]
		p := &sh.parts[j]
		s.Add(p.shape)
		if p.mode == unknown {
			for i := range sh.rows {
				num[sh.row+i] = math.NaN()
			}
		}
	}
	return table.NumColumn(r.names[j], s.Step(), num), s
}

// joinTexts numbers the labels of all shards in the order of the file.
func (r *result) joinTexts(j int) table.Column {
	cat := r.columns[j].codes(r.total)
	var all *text.Dict
	for k := range r.shards {
		sh := &r.shards[k]
		d, part := sh.parts[j].dict, cat[sh.row:sh.row+sh.rows]
		sh.parts[j].dict = nil
		switch {
		case d == nil:
			for i := range part {
				part[i] = -1
			}
		case all == nil:
			all = d
		default:
			to := make([]int32, d.Len())
			for c := range to {
				to[c] = all.Code([]byte(d.Label(int32(c))))
			}
			for i, c := range part {
				if c >= 0 {
					part[i] = to[c]
				}
			}
		}
	}
	return table.CatColumn(r.names[j], all.Labels(), cat)
}
