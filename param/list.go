package param

import (
	"encoding/csv"
	"slices"
	"strings"
)

// List writes a list so that names and patterns alike are read back as they are: an item in each line, for commas
// stand between names but inside patterns, below a line that patterns pass over as a remark. What both read alike
// without, one plain item, stands alone; names with line breaks are written as JoinNames does.
func List(items []string) string {
	broken := func(item string) bool { return strings.ContainsAny(item, "\r\n") }
	switch {
	case slices.ContainsFunc(items, broken):
		return JoinNames(items)
	case len(items) == 1 && !strings.ContainsAny(items[0], `,"`):
		return items[0]
	}
	return head + strings.Join(items, "\n")
}

// head is the line above the items of a list.
const head = "# a list\n"

// listed reports whether a text is a list that List wrote in lines.
func listed(s string) bool { return strings.HasPrefix(s, head) }

// SplitNames reads a list of names as one record of a CSV file, or as List writes it; text that is neither is taken
// apart at its commas.
func SplitNames(s string) []string {
	if listed(s) {
		return strings.Split(strings.TrimPrefix(s, head), "\n")
	}
	r := csv.NewReader(strings.NewReader(s))
	r.TrimLeadingSpace = true
	fields, err := r.Read()
	if err != nil {
		fields = strings.Split(s, ",")
	}
	var names []string
	for _, n := range fields {
		if n = strings.TrimSpace(n); n != "" {
			names = append(names, n)
		}
	}
	return names
}

// JoinNames writes a list of names so that SplitNames reads it back.
func JoinNames(names []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(names) // a Builder takes everything
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}
