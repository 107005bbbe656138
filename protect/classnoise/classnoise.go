// Package classnoise holds the noise on the class of Islam 2007, section 4.2, by a decision tree: RPT permutes the
// classes of a leaf, PPT draws each from the shares of its leaf, and ALPT changes as many of them whatever the leaf, to
// compare the other two with.
package classnoise

import "github.com/dither-data/dither/protect"

// Methods are the catalogue entries.
var Methods = []protect.Method{RPT, PPT, ALPT}
