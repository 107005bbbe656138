package csv

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// result is a file that has been read: values by column, and what the shards made of them.
type result struct {
	*file
	columns []column
	shards  []shard
	dates   []dating
	unsure  []bool // columns of numbers that may be written in two notations
	known   bool   // a number shows which sign is the decimal one
}

// fill reads all records. A text without quotes is read as plain lines; where that fails, and where there are quotes,
// check judges the structure first.
func (f *file) fill(ctx context.Context) (*result, error) {
	if !f.quotes && !f.checked {
		r, errs := f.pass(ctx, f.plainSpans())
		if !hasError(errs) {
			return r, r.settle(ctx)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.free()
	}
	f.stray = 0
	spans, err := f.check(f.data, f.body, len(f.names), f.workers)
	if err != nil {
		return nil, err
	}
	f.checked = true
	r, errs := f.pass(ctx, spans)
	for k, err := range errs {
		if err == errKind {
			return nil, r.shards[k].kindError()
		}
		if err != nil {
			return nil, err
		}
	}
	return r, r.settle(ctx)
}

// free gives the memory of what was read in vain back.
func (r *result) free() {
	for j := range r.columns {
		r.columns[j].free(true)
	}
}

// pass reads the spans, one goroutine each.
func (f *file) pass(ctx context.Context, spans []span) (*result, []error) {
	r := &result{file: f, columns: make([]column, len(f.names)), shards: make([]shard, len(spans))}
	for j := range r.columns {
		r.columns[j].space = f.space
	}
	f.total = 0
	for k, sp := range spans {
		f.total += sp.rows
		s := &r.shards[k]
		*s = shard{span: sp, file: f, parts: make([]part, len(f.names))}
		for j, name := range f.names {
			s.parts[j] = part{col: &r.columns[j], forced: f.told(j)}
			if n, written := f.numbers[name]; written {
				s.parts[j].notation = &n
			}
		}
	}
	errs := make([]error, len(spans))
	parallel(len(spans), len(spans), func(k int) {
		s := &r.shards[k]
		for j, name := range f.names {
			if layout := f.dates[name]; layout != nil {
				s.parts[j].layout = layout
				s.become(&s.parts[j], dates, 0)
			} else if kind, forced := f.kinds[name]; forced && kind == table.Categorical {
				s.become(&s.parts[j], texts, 0)
			}
		}
		errs[k] = s.scan(ctx, true)
	})
	return r, errs
}

// settle reads again, as text, the parts of columns that are text elsewhere or that turned out to be.
func (r *result) settle(ctx context.Context) error {
	again := make([]bool, len(r.columns))
	r.dates = make([]dating, len(r.columns))
	for j := range r.columns {
		var met [ignored + 1]bool
		for k := range r.shards {
			met[r.shards[k].parts[j].mode] = true
		}
		again[j] = met[ignored] || met[numeric] && met[texts] || met[dates] && (met[numeric] || met[texts])
		if met[dates] && !again[j] {
			again[j] = !r.date(j)
		}
	}
	r.weigh(again)
	errs := make([]error, len(r.shards))
	parallel(len(r.shards), len(r.shards), func(k int) {
		first, work := r.shards[k], false
		s := first
		s.parts = make([]part, len(first.parts))
		for j, p := range first.parts {
			s.parts[j].mode = ignored
			if again[j] && p.mode != texts {
				s.parts[j] = part{col: p.col}
				s.become(&s.parts[j], texts, 0)
				work = true
			}
		}
		if !work {
			return
		}
		errs[k] = s.scan(ctx, false)
		for j := range s.parts {
			if s.parts[j].mode == texts {
				first.parts[j] = s.parts[j]
			}
		}
	})
	for j := range r.columns {
		if again[j] {
			r.columns[j].free(false)
		}
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// kindError names the place of a value that is not of the kind its column was forced to.
func (s *shard) kindError() error {
	pos := s.record(s.badAt)
	what := "a number, expected numbers"
	if n := s.parts[s.bad].notation; n != nil {
		what = fmt.Sprintf("a number as it is written %s, expected such numbers", n)
	}
	if s.parts[s.bad].layout != nil {
		what = fmt.Sprintf("a date as it is written %s, expected such dates", s.parts[s.bad].layout.Notation())
	}
	return text.AtLine(s.data, pos, "column %q holds something else than %s or missing values", s.names[s.bad], what)
}

// record returns where a record of the shard begins.
func (s *shard) record(row int) int {
	pos := s.lo
	for ; ; row-- {
		for end := blankLine(s.data, pos); end > 0 && len(s.parts) > 1; end = blankLine(s.data, pos) {
			pos = end
		}
		if row == 0 {
			break
		}
		for range s.parts {
			_, _, end, _ := s.next(s.data, pos, nil)
			pos = end + 1
		}
	}
	return pos
}
