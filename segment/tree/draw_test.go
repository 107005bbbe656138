package tree

// Draw is drawTree for tests from outside, which may import packages that import this one.
var Draw = drawTree
