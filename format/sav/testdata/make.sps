DATA LIST LIST NOTABLE /sex (F1) income (F8.2) age (F3) mood (F2) town (A8) note (A300) born (EDATE10) seen (DATETIME20) dur (TIME8) code (A3).
BEGIN DATA
1 1200.50 41 1 "Ulm" "a long note" 31.01.1980 "03-FEB-2021 10:20:30" 10:20:30 "m"
2 -9 98 9 "Bonn" "" 24.12.1979 . 0:01:00 "f"
2 -8 . 2 "" "x" . "04-FEB-2021 00:00:00" . "f"
9 0.25 17 3 "Köln" "y" 01.01.1970 "03-FEB-2021 10:20:31" 1:00:00 "x"
. . -1 1 "Ulm" "Ünïcödé" 29.02.2000 "03-FEB-2021 10:20:30" 2:00:00 ""
END DATA.
VARIABLE LABELS sex 'Sex of the person' income 'Monthly income, in EUR'.
VALUE LABELS sex 1 'male' 2 'female' 9 'refused' /mood 1 'good' 2 'bad' 3 'good' 9 'don''t know' /age 98 '98 or older' /income -9 'refused' -8 'does not know' /code 'm' 'male' 'f' 'female'.
MISSING VALUES sex (9) income (-9, -8) age (LO THRU -1) town ("Bonn").
RENAME VARIABLES (income = income_of_the_household_per_month_in_euros).
VARIABLE LEVEL sex mood (NOMINAL).
WEIGHT BY age.
STRING verylong (A700).
COMPUTE verylong = CONCAT(RPAD('abc', 300, 'x'), RPAD('def', 300, 'y')).
IF $CASENUM = 2 verylong = ''.
SAVE OUTFILE='pspp.sav'.
SAVE OUTFILE='pspp.zsav' /ZCOMPRESSED.
SAVE OUTFILE='plain.sav' /UNCOMPRESSED.
