package workbench

import _ "github.com/dither-data/dither/catalog/all" // people choose among all techniques, and have them searched
