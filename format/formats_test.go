package format

import _ "github.com/dither-data/dither/format/all" // the tests are about every format
