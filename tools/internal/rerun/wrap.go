package rerun

import (
	"regexp"
	"strings"
)

// item is how an item of a list begins.
var item = regexp.MustCompile(`^(- |[0-9]+\. )`)

// Wrap breaks the lines of paragraphs and of the items of lists at 100 characters. Titles and tables stay as they are.
func Wrap(text string) string {
	var out []string
	var words []string
	indent := ""
	flush := func() {
		line := ""
		for _, w := range words {
			switch {
			case line == "":
				line = w
			case len([]rune(line))+1+len([]rune(w)) > 100:
				out = append(out, line)
				line = indent + w
			default:
				line += " " + w
			}
		}
		if line != "" {
			out = append(out, line)
		}
		words, indent = nil, ""
	}
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, "#"), strings.HasPrefix(line, "|"):
			flush()
			out = append(out, line)
			continue
		case item.MatchString(line):
			flush()
			indent = strings.Repeat(" ", len(item.FindString(line)))
		}
		words = append(words, strings.Fields(line)...)
	}
	flush()
	return strings.Join(out, "\n")
}
