// Package recoding holds what releases more general values in place of the exact ones, by one rule for all records:
// classes that are written by hand or cut by the numbers (Global), and levels of value generalisation hierarchies
// (FullDomain). Every released value is true; what is lost is how exact it is.
package recoding

import "github.com/dither-data/dither/protect"

// Methods are the catalogue entries.
var Methods = []protect.Method{Global, FullDomain}
