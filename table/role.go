package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// RoleNames returns the names that ParseRole takes, "other" last.
func RoleNames() []string {
	names := make([]string, 0, len(roleNames)+1)
	for _, n := range roleNames {
		names = append(names, n.Name)
	}
	return append(names, Role(0).String())
}

// RoleWords returns the names and their short forms.
func RoleWords() []string { return append(RoleNames(), slices.Sorted(maps.Keys(roleAliases))...) }

// roleAliases are what roles are called for short, and in other tools.
var roleAliases = map[string]string{"id": "identifier", "qi": "quasi-identifier", "sensitive": "confidential"}

// ParseRole reads what Role.String writes: role names joined by "+", or "other" for none. It knows short forms, too.
func ParseRole(text string) (Role, error) {
	if text == Role(0).String() {
		return 0, nil
	}
	var r Role
next:
	for _, part := range strings.Split(text, "+") {
		for _, n := range roleNames {
			if n.Name == cmp.Or(roleAliases[part], part) {
				r |= n.Role
				continue next
			}
		}
		return 0, fmt.Errorf("%q is not a role; expected one of %s", part, strings.Join(RoleNames(), ", "))
	}
	return r, nil
}

// Names lists the role's bits one by one; "other" when none is set.
func (r Role) Names() []string { return strings.Split(r.String(), "+") }
