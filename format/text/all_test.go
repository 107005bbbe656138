package text_test

import _ "github.com/dither-data/dither/format/text/encodings" // the tests are about all of them
