package main

// intro opens the page; it takes the number of seeds and of records.
const intro = `# What should ` + "`protect`" + ` do when no technique is named?

` + "`go run -C tools ./experiments/defaults -write ../docs`" + ` writes this page; seeds are fixed, so it comes out the same.

A custodian who names no technique must get a release that can be mined and sent out. Asked of a default are: certificate 100 %%;
accuracy of the tree within a point of the Framework's, and records under surviving rules within 5 points; means
within 0.1 of a standard deviation, spreads within 10 %%, correlations within 0.05; ` + "`found`" + ` no higher than the Framework's or within the limit of 9 %%, and against who knows all but the class
no more than 5 points higher. Figures are means over %d seeds, on at most %d records drawn at random; of means, spreads and correlations they are of the column,
or pair, that changes most. ` + "`missed`" + ` counts demands that do not hold, over all sets (all of them where no release can be made), ` + "`withheld`" + `
the releases that the default limits would hold back. What a table does not have, such as numbers, is no reason against a proposal.

`

// words say what follows.
const words = `
**No proposal meets every demand on every set.** What is asked first is privacy and the certificate: swapping, microaggregation, shuffling and C-GADP inside a tree let records of
small leaves leave them, and those with little noise let intruders find people. Of what keeps the certificate, ` + "`found`" + ` and the intruder who knows all on
all ten sets, the Extended Framework misses least. Of its settings p 0.1 and p 0.5 differ by one demand, within what seeds do; with p 0.5 fewer people are found and fewer releases are withheld.

**The default is ` + "`extframework`" + ` with p 0.5.** Beside the Framework, which was the default before, means and spreads stay where the Framework flattens
every skewed number (on Adult it moves a mean by more than four standard deviations and makes a spread four times as wide).

What the default gives up:

- correlations are within 0.05 on hardly any set with numbers, though two to twenty times nearer than the Framework's; relations of numbers to categories inside a leaf are lost;
- rules of the tree: on some sets a smaller share of the records is under surviving rules than after the Framework;
- in a table of few hundred records the spread of one column may be off by more than 10 %;
- categories change more often than with p 0.1, the thesis's value, which ` + "`--set p=0.1`" + ` brings back;
- noise that is drawn once per person in all releases: where people recur (` + "`--recur`" + `), name ` + "`--method framework`" + `;
- a table that many people stand out in (Credit, Vote) is withheld under the default limits with this default as with the one before: ` + "`dither choose`" + ` looks for what passes.

What the others give up: the Framework means, spreads and correlations; with spread 5 people are found; GADP and EGADP move means and spreads of skewed columns;
leaves of at least 10 records cost rules and accuracy; the Forest Framework is flat like the Framework.

`
