//go:build !purego

#include "textflag.h"

// The scratchpad has 2 MiB; a place in it is a multiple of 16 bytes.
#define PLACES $0x1ffff0
#define CHUNKS $0x4000
#define ITERATIONS $0x80000

// func cpuid(leaf, sub uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET

// ROUND applies one round of AES, with the key at offset off, to the eight blocks in X0 to X7.
#define ROUND(off) \
	MOVOU off(DX), X8; \
	AESENC X8, X0; \
	AESENC X8, X1; \
	AESENC X8, X2; \
	AESENC X8, X3; \
	AESENC X8, X4; \
	AESENC X8, X5; \
	AESENC X8, X6; \
	AESENC X8, X7

#define ROUNDS \
	ROUND(0); \
	ROUND(16); \
	ROUND(32); \
	ROUND(48); \
	ROUND(64); \
	ROUND(80); \
	ROUND(96); \
	ROUND(112); \
	ROUND(128); \
	ROUND(144)

#define LOAD(from) \
	MOVOU 0(from), X0; \
	MOVOU 16(from), X1; \
	MOVOU 32(from), X2; \
	MOVOU 48(from), X3; \
	MOVOU 64(from), X4; \
	MOVOU 80(from), X5; \
	MOVOU 96(from), X6; \
	MOVOU 112(from), X7

#define STORE(to) \
	MOVOU X0, 0(to); \
	MOVOU X1, 16(to); \
	MOVOU X2, 32(to); \
	MOVOU X3, 48(to); \
	MOVOU X4, 64(to); \
	MOVOU X5, 80(to); \
	MOVOU X6, 96(to); \
	MOVOU X7, 112(to)

#define XOR(off, into) \
	MOVOU off(DI), X8; \
	PXOR X8, into

// func fillAES(pad *[padWords]uint64, text *[16]uint64, keys *roundKeys)
TEXT ·fillAES(SB), NOSPLIT, $0-24
	MOVQ pad+0(FP), DI
	MOVQ text+8(FP), SI
	MOVQ keys+16(FP), DX
	LOAD(SI)
	MOVL CHUNKS, CX
fill:
	ROUNDS
	STORE(DI)
	ADDQ $128, DI
	DECL CX
	JNZ fill
	RET

// func drainAES(pad *[padWords]uint64, text *[16]uint64, keys *roundKeys)
TEXT ·drainAES(SB), NOSPLIT, $0-24
	MOVQ pad+0(FP), DI
	MOVQ text+8(FP), SI
	MOVQ keys+16(FP), DX
	LOAD(SI)
	MOVL CHUNKS, CX
drain:
	XOR(0, X0)
	XOR(16, X1)
	XOR(32, X2)
	XOR(48, X3)
	XOR(64, X4)
	XOR(80, X5)
	XOR(96, X6)
	XOR(112, X7)
	ROUNDS
	ADDQ $128, DI
	DECL CX
	JNZ drain
	STORE(SI)
	RET

// func workAES(pad *[padWords]uint64, ab *[4]uint64)
TEXT ·workAES(SB), NOSPLIT, $0-16
	MOVQ pad+0(FP), DI
	MOVQ ab+8(FP), SI
	MOVQ 0(SI), R8 // a
	MOVQ 8(SI), R9
	MOVOU 16(SI), X1 // b
	MOVL ITERATIONS, CX
work:
	MOVQ R8, R10
	ANDL PLACES, R10
	MOVQ R8, X2
	MOVQ R9, X3
	PUNPCKLQDQ X3, X2
	MOVOU (DI)(R10*1), X0
	AESENC X2, X0 // c
	PXOR X0, X1
	MOVOU X1, (DI)(R10*1)
	MOVO X0, X1
	MOVQ X0, AX
	MOVL AX, R10
	ANDL PLACES, R10
	MOVQ (DI)(R10*1), R11 // d
	MOVQ 8(DI)(R10*1), R12
	MULQ R11
	ADDQ DX, R8
	ADDQ AX, R9
	MOVQ R8, (DI)(R10*1)
	MOVQ R9, 8(DI)(R10*1)
	XORQ R11, R8
	XORQ R12, R9
	DECL CX
	JNZ work
	RET
