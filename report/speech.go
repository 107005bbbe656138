package report

import (
	"html/template"
	"regexp"
	"strings"

	"github.com/dither-data/dither/report/chart"
)

// speech is the function by which the shell of a page writes sentences.
var speech = template.FuncMap{"say": say}

// nameHTML writes a name or label from a file. Names may be written from right to left: each stands in a bdi, that it
// turns nothing around it.
func nameHTML(s string) template.HTML {
	return template.HTML("<bdi>" + template.HTMLEscapeString(Printable(s)) + "</bdi>")
}

// sayHTML writes a sentence. What is written from right to left in it, such as a name that it holds, is isolated, a
// figure keeps its unit on its line, and no flag is broken after its first hyphen.
func sayHTML(s string) template.HTML {
	s = chart.Isolated(strings.ReplaceAll(s, " %", "\u00a0%"), "<bdi>", "</bdi>")
	return template.HTML(flag.ReplaceAllString(s, `<span class="flag">$0</span>`))
}

// flag is one of the command line, as sentences name it.
var flag = regexp.MustCompile(`--[a-z]+(?:-[a-z]+)*`)
