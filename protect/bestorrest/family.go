// Package bestorrest holds techniques that ask BORE ("best or rest", package mine/bore) which values tell the classes
// apart: CLIFF keeps the records most representative of their class, MORPH moves the numbers of records towards the
// border to other classes, and SAP suppresses the values that tell most.
package bestorrest

import "github.com/dither-data/dither/protect"

// Methods are the catalogue entries.
var Methods = []protect.Method{CLIFF, MORPH, SAP}
