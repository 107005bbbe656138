// Package ziptest makes zip archives for tests.
package ziptest

import (
	"archive/zip"
	"bytes"
	"testing"
)

// Of returns a zip archive of parts, by name and content, in their order.
func Of(t testing.TB, parts ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for k := 0; k < len(parts); k += 2 {
		w, err := z.Create(parts[k])
		if err == nil {
			_, err = w.Write([]byte(parts[k+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
