package randomx

import (
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestArgon2d compares tags with the output of argon2 -d -p 1 -r (Debian package argon2, 0~20171227). A RandomX cache
// has no tag, so the test computes it: the long hash of the last block.
func TestArgon2d(t *testing.T) {
	for _, c := range []struct {
		a   argon2d
		tag string
	}{
		{argon2d{passes: 3, memory: 64, tagLength: 32},
			"9d0cd90d6864956425fd6c79cd675ac5b47f8100a7e4f00cff8ce9f799ec093c"},
		{argon2d{passes: 1, memory: 1024, tagLength: 64},
			"5cecc3a473ad85fcabf04efc8c33cb942a09b4693f084bbf9c8c99adb2a849c9" +
				"86301c871fc4ad54bddb4dd29a0dd8cb8070e6fbc82f781f1a5f6f1b4bc1cf69"},
		{argon2d{passes: 4, memory: 512, tagLength: 100},
			"fe0d4adeea53b18ff01a3c4c1c2c340409efab9d1bfb2d0c2b54b8c2d782b203" +
				"9d92ae68b76ac250864bd0415c7f72e46047c31374039f3f3fe8c931fe42a126" +
				"6323290f18acb513f061a22c3755391db7118665cfb12f7f11847713497876c0" +
				"d517a2dc"},
	} {
		memory := make([]line, c.a.memory*blockLines)
		c.a.fill(memory, []byte("password"), []byte("RandomX salt"))
		var last []byte
		for _, l := range memory[len(memory)-blockLines:] {
			for _, w := range l {
				last = binary.LittleEndian.AppendUint64(last, w)
			}
		}
		tag := make([]byte, c.a.tagLength)
		longHash(tag, last)
		require.Equal(t, c.tag, hex.EncodeToString(tag))
	}
}
