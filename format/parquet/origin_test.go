package parquet

import (
	"bytes"
	"encoding/base64"
	"reflect"
	"testing"

	"github.com/dither-data/dither/format/arrow"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestOrigin: the types that columns had in Arrow come through, but for a scale, which the dictionaries of Parquet have
// not, and for what a column of another type had; columns that are gone, and everything in a schema that is damaged,
// are left out.
func TestOrigin(t *testing.T) {
	cat := table.CatColumn("c", []string{"x", "y"}, []int32{0, 1})
	num := table.NumColumn("n", 1, []float64{1, 2})
	when := table.CatColumn("w", []string{"2024-01-02T00:00:00Z"}, []int32{0, 0})
	x := tabletest.Of(t, cat, num, when)
	opt := dialect.Options{
		Types: map[string]string{"c": "string", "n": "int16", "w": "timestamp[us,utc]", "gone": "int64"},
		ArrowTypes: map[string]string{"c": "dictionary<large_utf8,ordered>", "n": "int16", "gone": "duration[us]",
			"w": "timestamp[us,Europe/Berlin]"},
	}
	write := func(x *table.Table) map[string]string {
		var b bytes.Buffer
		must.NoError(t, Write(t.Context(), &b, x, opt))
		_, info, err := Read(t.Context(), b.Bytes(), dialect.Options{})
		must.NoError(t, err)
		return info.ArrowTypes
	}
	want := map[string]string{"c": "dictionary<large_utf8>", "n": "int16", "w": "timestamp[us,Europe/Berlin]"}
	if got := write(x); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	opt.Types["n"] = "int8" // which held it until a number came that does not fit
	num.Num = []float64{1, 300}
	if got := write(tabletest.Of(t, cat, num, when))["n"]; got != "int64" {
		t.Errorf("of a column that has another type now: %s", got)
	}
	message := arrow.Schema(x, want, "{}")
	if arrow.SchemaTypes(message) == nil {
		t.Fatal("a schema is not read back")
	}
	for n := range message {
		arrow.SchemaTypes(message[:n]) // must neither stop nor loop
		damaged := bytes.Clone(message)
		damaged[n] ^= 0xff
		arrow.SchemaTypes(damaged)
	}
	if arrow.SchemaTypes([]byte(base64.StdEncoding.EncodeToString(message))) != nil {
		t.Error("what is no schema is taken for one")
	}
}
