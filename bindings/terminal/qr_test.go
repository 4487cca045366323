package terminal

import (
	"image"
	"image/color"
	"strings"
	"testing"

	qr "github.com/piglig/go-qr"
	"github.com/stretchr/testify/require"
)

// readQRCode returns the text of the QR code in the output of a command, as a camera sees it.
func readQRCode(t *testing.T, output string) string {
	t.Helper()
	const begin, end = "\x1b[30;107m", "\x1b[0m"
	var rows [][]bool // whether a module is dark
	for line := range strings.Lines(output) {
		line, found := strings.CutPrefix(line, begin)
		if !found {
			continue
		}
		line, found = strings.CutSuffix(line, end+"\n")
		require.True(t, found, "colours end with the line")
		var up, down []bool
		for _, r := range line {
			require.Contains(t, " ▀▄█", string(r))
			up, down = append(up, r == '▀' || r == '█'), append(down, r == '▄' || r == '█')
		}
		rows = append(rows, up, down)
	}
	require.NotEmpty(t, rows)
	const scale = 4
	img := image.NewGray(image.Rect(0, 0, scale*len(rows[0]), scale*len(rows)))
	for y := range img.Rect.Max.Y {
		for x := range img.Rect.Max.X {
			img.SetGray(x, y, color.Gray{Y: 255})
			if rows[y/scale][x/scale] {
				img.SetGray(x, y, color.Gray{})
			}
		}
	}
	text, err := qr.Decode(img)
	require.NoError(t, err)
	return text
}

// TestQRCode reads drawn codes of several sizes.
func TestQRCode(t *testing.T) {
	for _, n := range []int{1, 20, 95, 102, 130, 400} {
		text := strings.Repeat("4", n-1) + "x"
		drawn, err := qrCode(text)
		require.NoError(t, err)
		require.Equal(t, text, readQRCode(t, drawn))
	}
	_, err := qrCode(strings.Repeat("x", 3000))
	require.Error(t, err)
}
