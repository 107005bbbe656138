package desk

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/browser"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
)

// mostPicture is how large the picture of the report may be, in bytes.
const mostPicture = 300_000

// TestReportPicture makes the picture of the README: the head of the report that protect writes by default, of an
// invented table and with seeds that never change. What is in docs says which technique and verdict it shows, and must
// show those of today.
func TestReportPicture(t *testing.T) {
	long.Only(t, "a release of 3,000 people, seen in a browser")
	b := browser.New(t)
	f := newFolder(t)
	seed := f.put(t, "seed", strings.Repeat("7265706f72742e70", 4)+"\n")
	must.Get(newListener().Generate(ctx, GenerateRequest{Name: "patients", Rows: 3000, Output: f.path("patients.csv"),
		SeedFile: seed}))(t)
	p := must.Get(newListener().Protect(ctx, ProtectRequest{
		Source:  Source{Path: f.path("patients.csv"), Said: policy.Policy{Class: "readmitted"}},
		Release: f.path("release.csv"), Report: f.path("report.html"), SeedFile: seed}))(t)
	shows := fmt.Sprintf("%s: %s", p.Outcome.Method.Name, p.Outcome.Verdict.State)
	b.Look(1180, 800, "light", "screen")
	b.Show(f.path("report.html"))
	picture := noted(t, b.Picture(false), shows)
	if len(picture) > mostPicture {
		t.Fatalf("the picture has %d bytes", len(picture))
	}
	place := filepath.Join("..", "docs", "report.png")
	if os.Getenv("DITHER_DOCS") != "" {
		must.NoError(t, os.WriteFile(place, picture, 0o644))
	}
	if old, err := os.ReadFile(place); err != nil || !bytes.Contains(old, note(shows)) {
		t.Errorf("docs/report.png (%v) does not show %s; DITHER_DOCS=1 go test ./desk -run TestReportPicture makes it", err,
			shows)
	}
}

// note is a text within a PNG file (a chunk of type tEXt).
func note(text string) []byte {
	body := append([]byte("tEXtComment\x00"), text...)
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)-len("tEXt")))
	return binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}

// noted is a PNG file with a text behind its head.
func noted(t *testing.T, png []byte, text string) []byte {
	t.Helper()
	const head = 8 + 4 + 4 + 13 + 4 // the signature and the chunk IHDR
	if len(png) < head || !bytes.HasPrefix(png, []byte("\x89PNG\r\n\x1a\n")) {
		t.Fatal("the picture is no PNG file")
	}
	return append(append(append([]byte(nil), png[:head]...), note(text)...), png[head:]...)
}
