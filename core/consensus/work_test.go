package consensus

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/crypto/cryptonight"
	"glim/core/internal/crypto/randomx"
	"glim/core/xmr"
)

// TestRandomWork hashes the first line of tests-slow-4.txt, which is in the testdata of package cryptonight.
func TestRandomWork(t *testing.T) {
	pow := NewPoW(1)
	for major := uint8(10); major < randomxVersion; major++ {
		got, err := pow(major, 1806260, xmr.Hash{}, []byte("This is a test This is a test This is a test"))
		require.NoError(t, err)
		require.Equal(t, "f759588ad57e758467295443a9bd71490abff8e9dad1b95b6bf2f5d0d78387bc", got.String())
	}
}

// TestExceptionalWork hashes the hashing blobs of the blocks 202612 that are tests/data/blocks of the reference at
// 0aa9c51bd.
func TestExceptionalWork(t *testing.T) {
	pow := NewPoW(1)
	for i, s := range []string{
		"01009ad29fa0055da0a3d004c352a90cc86b00fab676695d76a4d1de16036c41ba4dd188c4d76f46090040f353c96de74c53f87389b6" +
			"6fa625ed1f8676beeb5d47b4f0193bd16b584933be8204",
		"0100c2e8a7a605f7b056b0dbf9a4781b6f3702fa6160c0c118cedabb82327506f79101773e58d604b480ce4fc136a7df3e12eb2225cb" +
			"ea66e386e4881feb374493424c364cb56b4d944b4801",
		"0909d4809fdf05d5df6c3eb5891d81c51c6f9fe4c3ae388889dfaf421b689ee8fe94b01d53d120cc4a87f65094a615fc1224f35b1528" +
			"5bb2bf91e3aa21182254963388e29e6c5118a310bd01",
	} {
		blob, err := hex.DecodeString(s)
		require.NoError(t, err)
		got, err := pow(blob[0], exceptionHeight, xmr.Hash{}, blob)
		require.NoError(t, err)
		require.Equal(t, exceptionWork, got)
		if i > 0 {
			continue
		}
		// At another height, or modified, the blob is hashed normally.
		want, err := new(cryptonight.Hasher).Sum(blob, cryptonight.Variant0, 0)
		require.NoError(t, err)
		got, err = pow(1, exceptionHeight+1, xmr.Hash{}, blob)
		require.NoError(t, err)
		require.Equal(t, xmr.Hash(want), got)
		blob[39]++
		got, err = pow(1, exceptionHeight, xmr.Hash{}, blob)
		require.NoError(t, err)
		require.NotEqual(t, exceptionWork, got)
	}
	_, err := pow(variantVersion, 1, xmr.Hash{}, make([]byte, 42))
	require.ErrorIs(t, err, cryptonight.ErrShort)
}

// TestManyWorks: hashes computed together are those of each blob, for every version, and computing one of them again
// costs nothing.
func TestManyWorks(t *testing.T) {
	pow, pows := NewPoWs(1)
	var blobs [][]byte
	for i := range 2*Together + 1 {
		blobs = append(blobs, append(make([]byte, 75), byte(i)))
	}
	for _, major := range []uint8{1, 16} {
		got, err := pows(major, 5, xmr.Hash{1}, blobs)
		require.NoError(t, err)
		fresh := NewPoW(1)
		for _, i := range []int{0, Together, 2 * Together} {
			want, err := fresh(major, 5, xmr.Hash{1}, blobs[i])
			require.NoError(t, err)
			require.Equal(t, want, got[i])
			again, err := pow(major, 5, xmr.Hash{1}, blobs[i])
			require.NoError(t, err)
			require.Equal(t, want, again)
		}
	}
	_, err := pows(variantVersion, 1, xmr.Hash{}, [][]byte{make([]byte, 42)})
	require.ErrorIs(t, err, cryptonight.ErrShort)

	// Neither another seed nor another blob has a known hash.
	w := &work{hasher: randomx.NewHasher(1)}
	key := w.rules.of(16).knownKey(xmr.Hash{}, []byte("blob"))
	w.recent[key[0]] = knownWork{key, xmr.Hash{7}}
	sum, err := w.one(16, 5, xmr.Hash{}, []byte("blob"))
	require.NoError(t, err)
	require.Equal(t, xmr.Hash{7}, sum)
	sum, err = w.one(16, 5, xmr.Hash{}, []byte("blob2"))
	require.NoError(t, err)
	require.NotEqual(t, xmr.Hash{7}, sum)
}
