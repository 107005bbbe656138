package study_test

import _ "github.com/dither-data/dither/catalog/all" // every technique and every measure is tried
