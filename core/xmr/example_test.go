package xmr_test

import (
	"fmt"

	"glim/core/xmr"
)

func ExampleFormatAmount() {
	fmt.Println(xmr.FormatAmount(3 * xmr.Coin / 2))
	// Output: 1.500000000000
}

func ExampleParseAmount() {
	fmt.Println(xmr.ParseAmount("1.5"))
	fmt.Println(xmr.ParseAmount("1e3"))
	// Output:
	// 1500000000000 <nil>
	// 0 xmr: not an amount of XMR
}

func ExampleSum() {
	fmt.Println(xmr.Sum(1, 2, 3))
	fmt.Println(xmr.Sum(1<<63, 1<<63))
	// Output:
	// 6 <nil>
	// 0 xmr: amount overflow
}
