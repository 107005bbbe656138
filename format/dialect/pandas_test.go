package dialect_test

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestPandasOf: what pandas noted stays for the columns that a release still has in their type, and nothing else does:
// neither columns that were left out, nor attributes, nor a type that cannot hold a missing value which there is now.
func TestPandasOf(t *testing.T) {
	const noted = `{"index_columns": [{"kind": "range", "name": "patient", "start": 1234, "stop": 1239, "step": 1}],
		"column_indexes": [{"name": "wave3", "field_name": null, "pandas_type": "unicode", "numpy_type": "object"}],
		"columns": [
			{"name": "a", "field_name": "a", "pandas_type": "int64", "numpy_type": "int64", "metadata": null},
			{"name": "b", "field_name": "b", "pandas_type": "int64", "numpy_type": "Int64", "metadata": null},
			{"name": "c", "field_name": "c", "pandas_type": "datetimetz", "numpy_type": "datetime64[ns]",
				"metadata": {"timezone": "Europe/Berlin", "num_categories": 77}},
			{"name": "d", "field_name": "d", "pandas_type": "int16", "numpy_type": "int16", "metadata": null},
			{"name": "gone", "field_name": "gone", "pandas_type": "int64", "numpy_type": "Int64", "metadata": null}],
		"attributes": {"source": "ward7"}, "creator": {"library": "x", "version": "y"}, "pandas_version": "3"}`
	x := tabletest.Of(t, table.NumColumn("a", 1, []float64{1, math.NaN()}),
		table.NumColumn("b", 1, []float64{1, math.NaN()}), table.NumColumn("c", 1, []float64{1, 2}),
		table.NumColumn("d", 1, []float64{1, 2}))
	kept := func(c string) bool { return c != "d" }
	got := dialect.PandasOf(noted, x, kept)
	const want = `{"index_columns":[],"column_indexes":[],"columns":[` +
		`{"name":"b","field_name":"b","pandas_type":"int64","numpy_type":"Int64","metadata":null},` +
		`{"name":"c","field_name":"c","pandas_type":"datetimetz","numpy_type":"datetime64[ns]","metadata":` +
		`{"timezone":"Europe/Berlin"}}],"pandas_version":"3"}`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	named := strings.Replace(noted, `[{"kind": "range", "name": "patient", "start": 1234, "stop": 1239, "step": 1}]`,
		`["a"]`, 1)
	if got := dialect.PandasOf(named, x, kept); !strings.HasPrefix(got, `{"index_columns":["a"],`) {
		t.Errorf("an index that is a column of the table is lost: %s", got)
	}
	for _, broken := range []string{"", "{", "null", "[]", `{"columns": 3}`, `{"columns": [{"field_name": "gone"}]}`} {
		if got := dialect.PandasOf(broken, x, kept); got != "" {
			t.Errorf("%q: %s", broken, got)
		}
	}
}
