package main

// intro opens the page; it takes the number of seeds and of records.
const intro = `# What should ` + "`protect`" + ` do when no technique is named?

` + "`go run -C tools ./experiments/defaults -write ../docs`" + ` writes this page; seeds are fixed, so it
comes out the same.

A custodian who names no technique must get a release that can be mined and sent out. The default
must meet these demands: certificate 100 %%; accuracy of the tree within a point of the Framework's,
and records under surviving rules within 5 points; means within 0.1 of a standard deviation,
standard deviations within 10 %%, correlations within 0.05; ` + "`found`" + ` no higher than the Framework's or
within the limit of 9 %%, and against an intruder who knows all but the class no more than 5 points
higher. Figures are means over %d seeds, on at most %d records drawn at random; for means, standard
deviations and correlations, of the column or pair that changes most. ` + "`missed`" + ` counts demands that
are not met, over all data sets (all of them if no release can be made), ` + "`withheld`" + ` the releases
that the default limits would withhold. What a table does not have, such as numbers, does not count
against a proposal.

`

// words say what follows.
const words = `
**No proposal meets every demand on every set.** Privacy and the certificate come first: swapping,
microaggregation, shuffling and C-GADP within a tree let records leave small leaves, and with little
noise they let intruders find people. Of the proposals that meet the certificate, ` + "`found`" + ` and the
demand on the intruder who knows all on all ten sets, the Extended Framework misses fewest. Its
settings p 0.1 and p 0.5 differ by one demand, within seed variation; with p 0.5 fewer people are
found and fewer releases are withheld.

**The default is ` + "`extframework`" + ` with p 0.5.** Compared with the Framework, the previous default, it
preserves means and standard deviations, whereas the Framework flattens every skewed number (on
Adult it moves a mean by more than four standard deviations and makes a standard deviation four
times as large).

What the default gives up:

- correlations are within 0.05 on hardly any set with numbers, though two to twenty times closer
  than the Framework's; relations between numbers and categories within a leaf are lost;
- rules of the tree: on some sets a smaller share of the records is under surviving rules than after
  the Framework;
- in a table of a few hundred records the standard deviation of one column may be off by more than
  10 %;
- categories change more often than with p 0.1, the value of the thesis, which ` + "`--set p=0.1`" + `
  restores;
- noise drawn once per person for all releases: if people recur (` + "`--recur`" + `), use ` + "`--method   framework`" + `;
- a table with many unique people (Credit, Vote) is withheld under the default limits, as it was
  with the previous default: ` + "`dither choose`" + ` looks for something that passes.

What the others give up: the Framework loses means, standard deviations and correlations; with
spread 5 people are found; GADP and EGADP move means and standard deviations of skewed columns;
leaves of at least 10 records cost rules and accuracy; the Forest Framework flattens like the
Framework.

`
