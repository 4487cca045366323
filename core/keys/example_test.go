package keys_test

import (
	"fmt"

	"glim/core/keys"
)

func ExampleViewOnly() {
	full, err := keys.FromSeed([32]byte{1})
	if err != nil {
		panic(err)
	}
	watching, err := keys.ViewOnly(full.ViewSecret(), full.SpendPublic)
	if err != nil {
		panic(err)
	}
	i := keys.Index{Major: 0, Minor: 7}
	fmt.Println("same subaddress:", watching.SpendKey(i) == full.SpendKey(i))
	fmt.Println("can spend:", full.CanSpend(), watching.CanSpend())
	fmt.Println("printed:", full.ViewSecret())
	// Output:
	// same subaddress: true
	// can spend: true false
	// printed: [secret]
}
