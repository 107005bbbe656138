package xpt

import (
	"strconv"
	"strings"
)

// The longest names, labels and texts of version 5, and of version 8, in bytes.
const (
	shortName, longName      = 8, 32
	shortLabel, longestLabel = 40, 256
	shortText, longestText   = 200, 32767
)

// sound is a name with what SAS takes in names: letters, digits and _, at most so many, and no digit in front.
func sound(name string, most int) string {
	var out strings.Builder
	for _, r := range name {
		ok := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		switch {
		case !ok:
			r = '_'
		case out.Len() == 0 && r >= '0' && r <= '9':
			out.WriteByte('_')
		}
		out.WriteRune(r)
	}
	s := out.String()
	if s == "" {
		return "_"
	}
	return s[:min(len(s), most)]
}

// soundNames are the names of columns as SAS takes them, each another one whatever the case of its letters.
func soundNames(names []string) []string {
	out, taken := make([]string, len(names)), map[string]bool{}
	for _, keep := range []bool{true, false} { // those that are sound stay, whatever stands before them
		for k, name := range names {
			s := sound(name, longName)
			if out[k] != "" || keep && (s != name || taken[strings.ToLower(s)]) {
				continue
			}
			for n := 2; taken[strings.ToLower(s)]; n++ {
				end := "_" + strconv.Itoa(n)
				s = sound(name, longName-len(end)) + end
			}
			out[k], taken[strings.ToLower(s)] = s, true
		}
	}
	return out
}
