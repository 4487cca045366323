package terminal

import (
	"strings"

	qr "github.com/piglig/go-qr"
)

// quietZone is how many light modules surround a QR code. Source: ISO/IEC 18004, 6.3.8.
const quietZone = 4

// qrCode draws a QR code with half blocks: each character is two modules, one above the other. Colours are set, so that
// it is dark on light on every terminal.
func qrCode(text string) (string, error) {
	code, err := qr.EncodeText(text, qr.Low)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	end := code.Size() + quietZone
	dark := func(x, y int) bool {
		return x >= 0 && y >= 0 && x < code.Size() && y < code.Size() && code.Module(x, y)
	}
	for y := -quietZone; y < end; y += 2 {
		b.WriteString("\x1b[30;107m") // black on bright white
		for x := -quietZone; x < end; x++ {
			switch up, down := dark(x, y), dark(x, y+1); {
			case up && down:
				b.WriteString("█")
			case up:
				b.WriteString("▀")
			case down:
				b.WriteString("▄")
			default:
				b.WriteString(" ")
			}
		}
		b.WriteString("\x1b[0m\n")
	}
	return b.String(), nil
}
