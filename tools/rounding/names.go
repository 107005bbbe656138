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
var own = set(`Cos Erf Erfc Erfcinv Erfinv Exp Exp2 Expm1 Hypot Lgamma Log Log10 Log1p Log2 Pow Sin Sincos Tanh`)

// stores are the functions and methods of gonum's mat that compute nothing.
var stores = set(`At Caps CloneFromVec ColView Copy CopySym CopyVec DenseCopyOf Dims Grow IsEmpty Len NewDense NewDiagDense
	NewSymDense NewTriDense NewVecDense RawMatrix RawRowView RawSymmetric RawVector Reset ReuseAs Row RowView Set SetCol SetRow
	SetSym SetTri SetVec Slice SliceVec Symmetric SymmetricDim T TTri ToDense AtVec Zero Col DiagView SetDiag IsTransposed`)
