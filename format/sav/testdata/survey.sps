INPUT PROGRAM.
LOOP #i = 1 TO 400.
COMPUTE sex = 1 + (UNIFORM(1) > 0.5).
IF (UNIFORM(1) < 0.05) sex = 9.
COMPUTE age = TRUNC(18 + UNIFORM(60)).
COMPUTE income = RND(800 + UNIFORM(3000) + 20 * age).
IF (UNIFORM(1) < 0.1) income = -9.
IF (UNIFORM(1) < 0.1) income = -8.
COMPUTE ill = (UNIFORM(1) * age > 30).
END CASE.
END LOOP.
END FILE.
END INPUT PROGRAM.
VARIABLE LABELS sex 'Sex of the person'.
VALUE LABELS sex 1 'male' 2 'female' 9 'refused' /income -9 'refused' -8 'does not know' /ill 0 'no' 1 'yes'.
MISSING VALUES sex (9) income (-9, -8).
SAVE OUTFILE='survey.sav'.
