package text

import (
	"strings"
	"testing"
)

func TestCheckNamesThePlace(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"a,b\nü,€\n", ""},
		{"", ""},
		{"a,b\nc\xff,d\n", "line 2, byte 2: found bytes that are not UTF-8, expected text in UTF-8"},
		{"\xe9\n", "line 1, byte 1: found bytes that are not UTF-8, expected text in UTF-8"},
		{"a\nü\x00", "line 2, byte 3: found a zero byte, expected text in UTF-8"},
		{"a\uFFFDb\n", ""}, // the replacement character itself is text
	} {
		got := ""
		if err := Check([]byte(c.data)); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("Check(%q) = %q, want %q", c.data, got, c.want)
		}
		if OK([]byte(c.data)) != (c.want == "") {
			t.Errorf("OK(%q) disagrees with Check", c.data)
		}
	}
}

func TestOpen(t *testing.T) {
	for _, c := range []struct {
		data, content string
		bom           bool
		err           string
	}{
		{"a\n", "a\n", false, ""},
		{"a", "a\n", false, ""},
		{"\xef\xbb\xbfa\n", "a\n", true, ""},
		{"", "", false, "empty"},
		{"\xef\xbb\xbf", "", false, "empty"},
		{"\xff\xfea\x00", "", false, "UTF-16"},
		{"\xfe\xff\x00a", "", false, "UTF-16"},
	} {
		content, bom, err := Open([]byte(c.data))
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("Open(%q): error %v, want one about %s", c.data, err, c.err)
			}
		case err != nil || string(content) != c.content || bom != c.bom:
			t.Errorf("Open(%q) = %q, %v, %v", c.data, content, bom, err)
		}
	}
}

func TestFault(t *testing.T) {
	data := []byte("ab\ncd\n")
	if got := At(data, 4, "%d things", 2).Error(); got != "line 2, byte 2: 2 things" {
		t.Error(got)
	}
	if got := AtLine(data, 4, "odd").Error(); got != "line 2: odd" {
		t.Error(got)
	}
}
