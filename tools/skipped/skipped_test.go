package main

import (
	"strings"
	"testing"
)

// What is said of a run: packages and failures as go test says them, nothing of what passes, and last the skipped tests
// by reason.
func TestTell(t *testing.T) {
	in := `{"Action":"output","Package":"p","Test":"A","Output":"=== RUN   A\n"}
{"Action":"output","Package":"p","Test":"A","Output":"    file.go:30: data set wbc/wbc.csv is missing: set DITHER_DATA to the folder that holds it\n"}
{"Action":"output","Package":"p","Test":"A","Output":"--- SKIP: A (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"A"}
{"Action":"output","Package":"p","Test":"B","Output":"    b_test.go:3: data set cmc.csv is missing: set DITHER_DATA to the folder that holds it\n"}
{"Action":"skip","Package":"p","Test":"B"}
{"Action":"output","Package":"p","Test":"C","Output":"    c_test.go:3: long: set DITHER_LONG\n"}
{"Action":"skip","Package":"p","Test":"C"}
{"Action":"output","Package":"p","Test":"D","Output":"    d_test.go:3: quiet\n"}
{"Action":"pass","Package":"p","Test":"D"}
{"Action":"output","Package":"p","Test":"E","Output":"    e_test.go:3: wrong\n"}
{"Action":"fail","Package":"p","Test":"E"}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
{"Action":"fail","Package":"p"}
{"Action":"skip","Package":"no tests"}
`
	var out strings.Builder
	if err := tell(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := `    e_test.go:3: wrong
FAIL	p	0.1s

3 tests were skipped
     2 a data set is missing: set DITHER_DATA to the folder that holds it
     1 long: set DITHER_LONG
`
	if out.String() != want {
		t.Errorf("%s\nexpected\n%s", out.String(), want)
	}
	if err := tell(strings.NewReader("no JSON\n"), &out); err == nil {
		t.Error("what is not JSON is taken")
	}
}
