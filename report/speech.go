package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"regexp"
	"strings"
	"sync"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report/chart"
)

// speech are the functions of the shell of a page.
var speech = template.FuncMap{"say": say, "tool": tool, "script": script, "scriptDigest": scriptDigest}

//go:embed report.js
var scriptText string

// script is the one script of a page: it sorts, searches and copies tables that are there without it, too.
func script() template.JS { return template.JS(scriptText) }

// scriptDigest is what the content security policy of a page names its script by: no other one runs.
var scriptDigest = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(scriptText))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
})

// tool is a word of the script.
func tool(key string) string { return message.Say("page.tools." + key).String() }

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
