package csv

import (
	"context"
	"strings"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// A column that must be numbers may have decimal commas; one that is neither gives the place of the first way to read
// it.
func TestForcedDecimalComma(t *testing.T) {
	opt := dialect.Options{Kinds: map[string]table.Kind{"x": table.Numeric}}
	tab, info, err := read(context.Background(), []byte("x;y\n5,41;a\n6;b\n"), opt, 1)
	if err != nil || tab.Num(0)[0] != 5.41 || !info.DecimalComma {
		t.Fatalf("%v, %+v", err, info)
	}
	if _, _, err := read(context.Background(), []byte("x;y\n5,41;a\nsix;b\n"), opt, 1); err == nil ||
		!strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}
