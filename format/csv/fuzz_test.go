package csv

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// FuzzCSV: nothing panics, the number of workers does not matter, and what is accepted is written so that it reads as
// the same table.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,x\n2,?\n", "a;b\r\n1,5;\"x;\"\"y\"\r\n", "\ufeffa\tb\n\n1e5\t\n", "a\n\n1\n", "a|b\n 1 | \"x\" \n",
		"a,b\n0.1,00\n-0,1e400\n",
		"a,b\n\"1\n\",2\n", "a,b\n1,2,3\n", "a,\"b\n", "a\n\xff\n", "a,b\n1\r,2\n", "a,b\n9007199254740993.5,1e15\n" +
			"1e-320,1e300\n",
	} {
		f.Add([]byte(seed))
	}
	ctx := context.Background()
	f.Fuzz(func(t *testing.T, data []byte) {
		data = bytes.Clone(data)
		tb, info, err := read(ctx, data, dialect.Options{}, 1)
		tb3, _, err3 := read(ctx, data, dialect.Options{}, 3)
		if (err == nil) != (err3 == nil) || err != nil && err.Error() != err3.Error() {
			t.Fatalf("1 worker: %v; 3 workers: %v", err, err3)
		}
		if err != nil {
			return
		}
		if d := cmp.Diff(columns(tb), columns(tb3), sameTable); d != "" {
			t.Fatalf("1 and 3 workers differ:\n%s", d)
		}
		opt := info.Like(dialect.Options{Kinds: make(map[string]table.Kind)})
		for _, a := range tb.Attrs() {
			opt.Kinds[a.Name] = a.Kind
		}
		var out bytes.Buffer
		must.NoError(t, Write(ctx, &out, tb, opt))
		back, _, err := read(ctx, out.Bytes(), opt, 2)
		if err != nil {
			t.Fatalf("written %q: %v", out.String(), err)
		}
		// A continuous column may turn out to be on a grid once its texts are the shortest.
		step := cmpopts.IgnoreFields(table.Attribute{}, "Step")
		if d := cmp.Diff(columns(tb), columns(back), sameTable, step); d != "" {
			t.Fatalf("written %q (-read +read back):\n%s", out.String(), d)
		}
		for j := range tb.Width() {
			if want := tb.Attr(j).Step; want != 0 && want != back.Attr(j).Step {
				t.Fatalf("column %d: step %v, read back as %v", j, want, back.Attr(j).Step)
			}
		}
	})
}
