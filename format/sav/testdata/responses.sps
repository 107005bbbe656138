DATA LIST FREE /g (A3) reads_a_daily_paper reads_a_weekly (F1) first second (F2) s1 (A3) s2 (A3).
BEGIN DATA
abc 1 0 1 2 Yes No
abd 0 1 2 3 No Yes
abe 1 1 3 1 Yes Yes
abf 0 0 1 1 No No
abg 1 0 2 2 Yes No
abh 0 1 3 2 No Yes
END DATA.
VALUE LABELS reads_a_daily_paper reads_a_weekly 1 'Read' 0 'Not read'.
VALUE LABELS first second 1 'bread' 2 'milk' 3 'jam'.
VARIABLE LABELS reads_a_daily_paper 'Daily' reads_a_weekly 'Weekly'.
MRSETS /MDGROUP NAME=$papers LABEL='Papers übrigens' VARIABLES=reads_a_daily_paper reads_a_weekly VALUE=1
 /MCGROUP NAME=$Bought LABEL='What was bought' VARIABLES=first second
 /MDGROUP NAME=$said CATEGORYLABELS=COUNTEDVALUES VARIABLES=s1 s2 VALUE='Yes'
 /MDGROUP NAME=$eleven CATEGORYLABELS=COUNTEDVALUES LABELSOURCE=VARLABEL VARIABLES=reads_a_daily_paper reads_a_weekly VALUE=1.
SAVE OUTFILE='responses.sav'.

