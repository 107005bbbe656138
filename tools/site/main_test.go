package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The contents name every page once, and every link of a page leads to a file of the project.
func TestContents(t *testing.T) {
	to := t.TempDir()
	if err := gather("../..", to); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"book.toml", "src/README.md", "src/SUMMARY.md", "src/guide.md", "src/report.png"} {
		if _, err := os.Stat(filepath.Join(to, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestListed(t *testing.T) {
	contents := "[a](README.md)\n- [b](b.md)\n- [c](c.md)\n- [c again](c.md)\n"
	pages := map[string][]byte{"SUMMARY.md": []byte(contents)}
	for _, name := range []string{"README.md", "b.md", "c.md", "d.md", "e.svg"} {
		pages[name] = nil
	}
	want := "docs/SUMMARY.md names c.md 2 times; once is right\ndocs/SUMMARY.md names d.md 0 times; once is right"
	if err := listed(pages); err == nil || err.Error() != want {
		t.Errorf("%v; want\n%s", err, want)
	}
}

func TestRelinked(t *testing.T) {
	from := t.TempDir()
	if err := os.Mkdir(filepath.Join(from, "docs"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"code.go", "docs/SUMMARY.md"} {
		if err := os.WriteFile(filepath.Join(from, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	where := map[string]string{"README.md": "README.md", "docs/a.md": "a.md", "docs/x/b.md": "x/b.md",
		"docs/p.png": "p.png", "docs/SUMMARY.md": contents}
	for _, c := range []struct{ file, text, want string }{
		{"README.md", "[a](docs/a.md#part)", "[a](a.md#part)"},
		{"docs/a.md", "[read](../README.md) [code](../code.go#L3)", "[read](README.md) [code](" + repository + "code.go#L3)"},
		{"docs/x/b.md", `<img src="../p.png"> [a](../a.md)`, `<img src="../p.png"> [a](../a.md)`},
		{"docs/a.md", "[all](SUMMARY.md)", "[all](" + repository + "docs/SUMMARY.md)"},
		{"docs/a.md", "[far](https://example.org/a.md) [near](#part)", "[far](https://example.org/a.md) [near](#part)"},
	} {
		if got, err := relinked([]byte(c.text), from, c.file, where); err != nil || string(got) != c.want {
			t.Errorf("%s: %s becomes %s, %v; want %s", c.file, c.text, got, err, c.want)
		}
	}
	if _, err := relinked([]byte("[gone](gone.md)"), from, "docs/a.md", where); err == nil ||
		err.Error() != "docs/a.md: link to gone.md, which does not exist" {
		t.Errorf("a link to nothing: %v", err)
	}
}

func TestCheck(t *testing.T) {
	good := `<link rel="stylesheet" href="a.css"><h2 id="part"></h2><a href="sub/b.html#there">b</a> <a href="#part">p</a>` +
		`<a class="x" href="https://example.org">elsewhere</a><img src="p.png">`
	for _, c := range []struct{ name, text, want string }{
		{"all is there", "", ""},
		{"a page that is missing", `<a href="c.html">c</a>`, "leads to c.html, which the site does not have"},
		{"a place that is missing", `<a href="sub/b.html#here">b</a>`, "leads to sub/b.html#here, which that page does not have"},
		{"a script from elsewhere", `<script async src="https://example.org/t.js"></script>`, "loads https://example.org/t.js"},
		{"a picture from elsewhere", `<img alt="" src="//example.org/t.png">`, "loads //example.org/t.png"},
		{"a font from elsewhere", `<style>@font-face{src:url("https://example.org/f")}</style>`, "loads https://example.org/f"},
	} {
		dir := t.TempDir()
		write := func(name, text string) {
			file := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("index.html", good+c.text)
		write("sub/b.html", `<p id="there"><a href="../index.html#part">back</a>`)
		write("a.css", "body{}")
		write("searchindex-1.js", "")
		err := check(dir)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := os.Remove(filepath.Join(dir, "searchindex-1.js")); err != nil {
			t.Fatal(err)
		}
		if err := check(dir); err == nil || !strings.Contains(err.Error(), "0 files of the search") {
			t.Errorf("%s, and no search: %v", c.name, err)
		}
	}
}

// What is there already is not written over.
func TestBuildKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "kept"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := build("../..", dir); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("%v", err)
	}
}
