package consensus

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/crypto/cryptonight"
	"glim/core/xmr"
)

// The first line of tests-slow-4.txt, which is in the testdata of package cryptonight.
func TestRandomWork(t *testing.T) {
	pow := NewPoW(1)
	for major := uint8(10); major < randomxVersion; major++ {
		got, err := pow(major, 1806260, xmr.Hash{}, []byte("This is a test This is a test This is a test"))
		require.NoError(t, err)
		require.Equal(t, "f759588ad57e758467295443a9bd71490abff8e9dad1b95b6bf2f5d0d78387bc", got.String())
	}
}

// The hashing blobs of the blocks 202612 that are tests/data/blocks of the reference at 0aa9c51bd.
func TestExceptionalWork(t *testing.T) {
	pow := NewPoW(1)
	for i, s := range []string{
		"01009ad29fa0055da0a3d004c352a90cc86b00fab676695d76a4d1de16036c41ba4dd188c4d76f46090040f353c96de74c53f87389b66fa625ed1f8676beeb5d47b4f0193bd16b584933be8204",
		"0100c2e8a7a605f7b056b0dbf9a4781b6f3702fa6160c0c118cedabb82327506f79101773e58d604b480ce4fc136a7df3e12eb2225cbea66e386e4881feb374493424c364cb56b4d944b4801",
		"0909d4809fdf05d5df6c3eb5891d81c51c6f9fe4c3ae388889dfaf421b689ee8fe94b01d53d120cc4a87f65094a615fc1224f35b15285bb2bf91e3aa21182254963388e29e6c5118a310bd01",
	} {
		blob, err := hex.DecodeString(s)
		require.NoError(t, err)
		got, err := pow(blob[0], exceptionHeight, xmr.Hash{}, blob)
		require.NoError(t, err)
		require.Equal(t, exceptionWork, got)
		if i > 0 {
			continue
		}
		// Elsewhere, or changed, it is hashed as any other.
		want, err := new(cryptonight.Hasher).Sum(blob, cryptonight.Original, 0)
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
