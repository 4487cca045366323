package polyseed_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"glim/core/polyseed"
)

func ExampleNew() {
	created := time.Date(2024, 5, 20, 0, 0, 0, 0, time.UTC)
	seed, err := polyseed.New(rand.Reader, uint64(created.Unix()))
	if err != nil {
		panic(err)
	}
	words := seed.Words(polyseed.English())
	fmt.Println(len(strings.Fields(words)), "words")
	restored, _, err := polyseed.Languages{polyseed.English()}.Decode(words)
	fmt.Println(restored.Equal(seed), err)
	fmt.Println("scan from", time.Unix(int64(restored.Birthday()), 0).UTC().Format(time.DateOnly))
	// Output:
	// 16 words
	// true <nil>
	// scan from 2024-05-02
}
