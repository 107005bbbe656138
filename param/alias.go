package param

import "slices"

// Under returns the parameter with a prefix before its name and its aliases, as a part of another has it.
func (p Param) Under(prefix string) Param {
	p.Name, p.Aliases = prefix+p.Name, slices.Clone(p.Aliases)
	for k := range p.Aliases {
		p.Aliases[k] = prefix + p.Aliases[k]
	}
	return p
}

// Rename puts the names of parameters in the place of their aliases in a map of settings, but for one whose parameter
// is set by its name, too, which Apply refuses.
func (s Set) Rename(values map[string]string) {
	for i := range s {
		for _, alias := range s[i].Aliases {
			v, given := values[alias]
			if _, twice := values[s[i].Name]; given && !twice && s.find(alias) == &s[i] {
				values[s[i].Name] = v
				delete(values, alias)
			}
		}
	}
}
