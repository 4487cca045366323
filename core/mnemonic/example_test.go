package mnemonic_test

import (
	"fmt"
	"strings"

	"glim/core/mnemonic"
)

func ExampleEncode() {
	words, err := mnemonic.Encode([32]byte{1}, mnemonic.English())
	if err != nil {
		panic(err)
	}
	fmt.Println(len(strings.Fields(words)), "words")
	seed, language, err := mnemonic.Languages{mnemonic.English()}.Decode(words)
	fmt.Println(seed[0], language.Name(), err)
	// Output:
	// 25 words
	// 1 English <nil>
}
