// Package framework holds the frameworks of Islam 2007: noise on all attributes of a table at once, each kind by a
// technique of its own. The Framework and the Extended Framework work inside the leaves of one decision tree, whose
// rules stay; the Extended Framework keeps the correlations of numbers, too. The random ones put as much noise on all
// attributes and keep no rule: they are there to compare the other two with.
package framework

import "github.com/dither-data/dither/protect"

// Methods are the catalogue entries.
var Methods = []protect.Method{Framework, ExtFramework, RandomFramework, RandomExtFramework}
