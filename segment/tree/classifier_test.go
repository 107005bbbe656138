package tree_test

import (
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/segment/tree"
)

var (
	_ mine.Classifier = (*tree.Forest)(nil)
	_ mine.Classifier = (*tree.Tree)(nil)
)
