package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/ziptest"
)

// before is how the file of a set reads where it is published, and the beginning of the SHA-256 that is published for
// it, where one is.
var before = map[string]struct {
	undo func(body string) string
	sum  string
}{
	"abalone": {same, "de37cdcd"},
	"adult":   {func(b string) string { return strings.ReplaceAll(b, ",", ", ") + "\n" }, "5b002646"},
	"adult-test": {func(b string) string {
		return "|1x3 Cross validator\n" + strings.ReplaceAll(strings.ReplaceAll(b, ",", ", "), "K\n", "K.\n") + "\n"
	}, "a2a9044b"},
	"bhp":                {twoLines, ""},
	"breast-cancer":      {same, "ca7d3fa9"},
	"bupa":               {same, ""},
	"cmc":                {same, "ad2a49da"},
	"crx":                {same, "fff49bc1"},
	"heart-c":            {same, "a74b7efa"},
	"iris":               {func(b string) string { return b + "\n" }, "6f608b71"},
	"mammography":        {func(b string) string { return strings.ReplaceAll(b, "\n", "\r\n") }, "072051c8"},
	"mushroom":           {same, "e65d0820"},
	"soybean-large":      {func(b string) string { return coded(b, soybeanNames()) }, "04b99f27"},
	"soybean-large-test": {func(b string) string { return coded(b, soybeanNames()) }, "ff1c5f5c"},
	"vote":               {same, "c87c1411"},
	"wages":              {survey, ""},
	"wbc":                {same, "402c5853"},
	"wine":               {func(b string) string { return strings.ReplaceAll(b, ",0.", ",.") }, "6be6b120"},

	"chess": {same, ""}, "mushroom-transactions": {same, ""}, "retail": {same, ""}, "t10i4d100k": {same, ""},
}

func same(body string) string { return body }

func twoLines(body string) string {
	var b strings.Builder
	b.WriteString(strings.Repeat("text\n", 22))
	for line := range strings.Lines(body) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		fmt.Fprintf(&b, " %s\n  %s\n", strings.Join(cells[:11], "  "), strings.Join(cells[11:], "   "))
	}
	return b.String()
}

func survey(body string) string {
	b := strings.ReplaceAll(
		coded(body, map[int]string{1: "no,yes", 2: "male,female", 4: "not_member,member", 7: ",Other,Hispanic,White",
			8: ",Management,Sales,Clerical,Service,Professional,Other", 9: "Other,Manufacturing,Construction",
			10: "Unmarried,Married"}),
		",",
		"\t",
	)
	return "The data file contains 534 observations on 11 variables\n\n" + b + "\n\nAuthorization: Public Domain\n"
}

func soybeanNames() map[int]string {
	names := map[int]string{}
	for j, n := range strings.Fields(soybean) {
		names[j+1] = n
	}
	return names
}

// coded puts the codes of names back.
func coded(body string, names map[int]string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		for j, list := range names {
			if k := slices.Index(strings.Split(list, ","), cells[j]); k >= 0 {
				cells[j] = fmt.Sprint(k)
			}
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.String()
}

// archive packs a text as the file of a set, beside others.
func archive(t *testing.T, s set, text string) []byte {
	if s.Member == "" {
		return []byte(text)
	}
	return ziptest.Of(t, "Index", "nothing", "old-"+s.Member, "nothing", "folder/"+s.Member, text)
}

// TestSets: for every set, what is published (it has the sum that is published for it) becomes the file with its sum,
// in its archive and bare.
func TestSets(t *testing.T) {
	if !slices.IsSortedFunc(sets, func(a, b set) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the sets are not in the order of their names")
	}
	for _, s := range sets {
		file, err := os.ReadFile(dataset.File(t, strings.TrimSuffix(s.Name, "-test")+"/"+s.File))
		if err != nil {
			t.Fatal(err)
		}
		if len(file) != s.Bytes {
			t.Errorf("%s: %d bytes, %d declared", s.Name, len(file), s.Bytes)
		}
		body := string(file)
		if s.header != "" {
			body = strings.TrimPrefix(body, s.header+"\n")
		}
		was := before[s.Name]
		text := was.undo(body)
		if sum := sha256.Sum256([]byte(text)); !strings.HasPrefix(hex.EncodeToString(sum[:]), was.sum) {
			t.Errorf("%s: the text put back has the SHA-256 %x, the published one %s...", s.Name, sum[:4], was.sum)
		}
		if got, err := s.read(bytes.NewReader(archive(t, s, text))); err != nil || !bytes.Equal(got, file) {
			t.Errorf("%s packed: %v", s.Name, err)
		}
		if got, err := s.read(strings.NewReader(text)); err != nil || !bytes.Equal(got, file) {
			t.Errorf("%s read: %v", s.Name, err)
		}
		if _, err := s.read(strings.NewReader(text + text)); err == nil {
			t.Errorf("%s twice is taken for it", s.Name)
		}
	}
}

// TestRefused: what is no data set ends in an error that says so.
func TestRefused(t *testing.T) {
	s, err := find("wbc")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := find("wbx"); err == nil {
		t.Error("wbx is found")
	}
	for _, raw := range []string{"", "<html>not here</html>", "PK\x03\x04", strings.Repeat("x", limit+1),
		string(archive(t, set{Member: "other.data"}, "1,2"))} {
		if got, err := s.read(strings.NewReader(raw)); err == nil {
			t.Errorf("%.20q makes %d bytes", raw, len(got))
		}
	}
	for _, name := range []string{"bhp", "wages", "soybean-large"} {
		s, err := find(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range []string{"", "1,2", "9 9 9 9 9 9 9 9 9 9 9\n", strings.Repeat("\n", 30) + "1 2 3", "x,77\n"} {
			if _, err := s.read(strings.NewReader(raw)); err == nil {
				t.Errorf("%s of %.20q", name, raw)
			}
		}
	}
}
