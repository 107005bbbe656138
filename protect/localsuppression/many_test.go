package localsuppression

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Many keys of which records lose most are no reason to look through all their subsets, 2^24 here; and a cancelled
// search ends.
func TestManyKeysLost(t *testing.T) {
	random := protecttest.Seed(3).Rand()
	var cols []table.Column
	for k := range 24 {
		codes := make([]int32, 300)
		for i := range codes {
			codes[i] = int32(random.IntN(4))
		}
		cols = append(cols, table.CatColumn(strconv.Itoa(k), []string{"a", "b", "c", "d"}, codes))
	}
	tab := tabletest.Of(t, cols...)
	p, _ := release(t, tab, nil)
	sum := 0
	for _, n := range p.Cells {
		sum += n
	}
	if sum > 6500 {
		t.Errorf("%d cells of %d are suppressed", sum, 300*24)
	}
	for _, missing := range []string{Value, Anything} {
		q := New()
		q.Missing = missing
		ctx := &late{Context: context.Background(), left: 40}
		if _, err := q.Fit(ctx, tab, protecttest.Seed(1)); !errors.Is(err, context.Canceled) || ctx.left < -2 {
			t.Errorf("missing=%s: %v, asked %d times after the end", missing, err, -ctx.left)
		}
	}
}

// late is cancelled when it has been asked so many times.
type late struct {
	context.Context
	left int
}

func (l *late) Err() error {
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}
