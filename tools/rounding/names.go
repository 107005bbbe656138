package main

import "strings"

// portable is the folder of the functions that are the same everywhere.
const portable = "internal/portable"

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}

// safe are the functions of package math that IEEE 754 defines, or that only look at bits; Mod and Remainder are exact.
var safe = set(`Abs Ceil Copysign Dim FMA Float32bits Float32frombits Float64bits Float64frombits Floor Frexp Ilogb Inf
	IsInf IsNaN Ldexp Logb Max Min Mod Modf NaN Nextafter Nextafter32 Pow10 Remainder Round RoundToEven Signbit Sqrt Trunc`)

// own are those that package portable has.
var own = set(`Cos Erf Erfc Erfcinv Erfinv Exp Exp2 Expm1 Hypot Log Log10 Log1p Log2 Pow Sin Sincos Tanh`)

// exact are the functions and methods of gonum that compute nothing, or one operation for each number.
var exact = map[string]map[string]bool{
	"mat": set(`Add AddSym At AtVec Caps CloneFromVec Col ColView Copy CopySym CopyVec DenseCopyOf DiagView Dims Error Grow
		IsEmpty IsTransposed Len NewDense NewDiagDense NewSymDense NewTriDense NewVecDense RawMatrix RawRowView RawSymmetric
		RawVector Reset ReuseAs ReuseAsSym Row RowView Scale ScaleSym ScaleVec Set SetCol SetDiag SetRow SetSym SetTri SetVec
		Slice SliceSym SliceVec Sub Symmetric SymmetricDim T TTri ToDense Trace Zero`),
	"floats": set("Add AddConst Argsort Count HasNaN Max MaxIdx Min Mul Scale ScaleTo Sub SubTo"),
	"combin": set("Combination NewCombinationGenerator Next"),
}

// vectors are the functions of gonum's floats that package vector has.
var vectors = set("AddScaled AddScaledTo Distance Dot LogSumExp Sum")
