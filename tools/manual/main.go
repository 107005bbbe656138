// Command manual writes docs/techniques.md, the manual of everything in the catalogue, their table in docs/catalogue.md
// and the list of formats in docs/guide.md. It is run by go generate: users do not install it.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/dither-data/dither/catalog/all"
	_ "github.com/dither-data/dither/format/all"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
)

// root is the folder of the main module: go generate runs this program in the folder tools.
const root = ".."

func main() {
	log.SetFlags(0)
	log.SetPrefix("manual: ")
	if err := os.WriteFile(filepath.Join(root, "docs", "techniques.md"), manual(), 0o644); err != nil {
		log.Fatal(err)
	}
	fill(filepath.Join(root, "docs", "catalogue.md"), "techniques", summary())
	fill(filepath.Join(root, "docs", "guide.md"), "formats", formats())
}

// fill replaces what stands between two marks of a file.
func fill(file, what string, text []byte) {
	page, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	begin, end := "<!-- "+what+": generated -->\n", "<!-- end of "+what+" -->\n"
	head, rest, ok := bytes.Cut(page, []byte(begin))
	_, tail, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		log.Fatalf("%s lacks the marks of its %s", file, what)
	}
	out := bytes.Join([][]byte{head, []byte(begin), text, []byte(end), tail}, nil)
	if err := os.WriteFile(file, out, 0o644); err != nil {
		log.Fatal(err)
	}
}

// formats is the list in the guide; what holds for a format holds for its variants.
func formats() []byte {
	var b bytes.Buffer
	for _, f := range format.Formats() {
		item := fmt.Sprintf("- **%s** (`%s`) %s.", f.Title, strings.Join(f.Extensions, "`, `"), f.Summary)
		if f.Variant == "" {
			item += fmt.Sprintf(" Missing values: %s.", f.Missing)
			if f.Loses != 0 {
				item += fmt.Sprintf(" Lost in a file: %s.", f.Loses)
			}
			if f.Write == nil {
				item += " Such files are read alone: a release is written in another format."
			}
		}
		fmt.Fprintln(&b, wrap("  ", item))
	}
	return b.Bytes()
}

// summary is the table of all techniques.
func summary() []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, "| technique | what it does | source |")
	fmt.Fprintln(&b, "|---|---|---|")
	for _, m := range catalog.Methods() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", m.Name, cell(m.Summary), cell(m.Paper))
	}
	return b.Bytes()
}

func manual() []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, "# Techniques, measures, miners and generators")
	fmt.Fprintln(&b, "\n"+wrap("", "This file is generated from the catalogue. `dither methods NAME`, `dither measures "+
		"NAME`, `dither miners NAME` and `dither generators NAME` print an entry."))
	fmt.Fprintln(&b, "\n## Techniques")
	capabilities(&b)
	for _, m := range catalog.Methods() {
		section(&b, m.Card, m.New().Params())
		can := fmt.Sprintf("What its plan can do: %s.", strings.Join(protect.Words(m.Claims), ", "))
		for _, s := range m.Steps {
			can += fmt.Sprintf(" A step of its own: %s.", strings.Join(protect.Words(s.Claims), ", "))
		}
		fmt.Fprintln(&b, "\n"+wrap("", can))
	}
	fmt.Fprintln(&b, "\n## Measures")
	for _, m := range catalog.Measures() {
		section(&b, m.Card, m.New().Params())
		facts := fmt.Sprintf("Side: %s. Unit: %s. Range: %s. Better: %s.", m.Side, m.Unit, m.Range, m.Better)
		if m.Counts == measure.Records {
			facts += " Counts records, also where some people have several."
		}
		fmt.Fprintln(&b, "\n"+wrap("", facts))
	}
	fmt.Fprintln(&b, "\n## Miners")
	for _, m := range catalog.Miners() {
		section(&b, m.Card, m.New().Params())
	}
	fmt.Fprintln(&b, "\n## Generators")
	for _, g := range catalog.Generators() {
		section(&b, g.Card, g.New().Params())
	}
	return b.Bytes()
}

// capabilities is the table of what plans can do.
func capabilities(b *bytes.Buffer) {
	fmt.Fprintln(b, "\n"+wrap("", "A fitted technique is a plan. What a plan can do besides being applied to records is "+
		"said in one or two words, which mean:")+"\n")
	fmt.Fprintln(b, "| can do | Go interface | meaning |")
	fmt.Fprintln(b, "|---|---|---|")
	for _, c := range protect.Capabilities() {
		fmt.Fprintf(b, "| %s | `%s` | %s |\n", c.Word, c.Claim, cell(c.Means))
	}
}

func section(b *bytes.Buffer, c card.Card, params param.Set) {
	fmt.Fprintf(b, "\n### %s (`%s`)\n\n%s\n\n", c.Title, c.Name, wrap("", c.Summary))
	for _, f := range [][2]string{{"Source", c.Paper}, {"Also called", strings.Join(c.Aliases, ", ")}, {"Needs", c.Needs},
		{"Changes", c.Changes}, {"Preserves", c.Preserves},
		{"Biases", c.Biases}, {"An informed intruder still learns", c.Exposes}, {"Missing values", c.Missing},
		{"Cost", c.Cost}, {"People with several records", c.People}, {"Larger than the memory", c.Shards}} {
		if f[1] != "" {
			fmt.Fprintln(b, wrap("  ", fmt.Sprintf("- %s: %s", f[0], f[1])))
		}
	}
	if len(params) == 0 {
		return
	}
	fmt.Fprintln(b, "\n| parameter | default | range | unit | meaning |")
	fmt.Fprintln(b, "|---|---|---|---|---|")
	for _, p := range params {
		fmt.Fprintf(b, "| `%s` | %v | %s | %s | %s |\n", p.Name, p.Default, cell(p.Range()), cell(p.Unit), cell(p.Help))
	}
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
