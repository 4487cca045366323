package terminal

import (
	"fmt"
	"strings"
	"time"
)

// progress is a bar on a terminal which shows how far a wallet has read the chain, and an estimate of the time left.
// Nothing is written to anything else.
type progress struct {
	console *console
	now     func() time.Time
	began   time.Time
	from    uint64    // height at the first call of show
	drawn   time.Time // when the bar was last drawn; zero if it is not on the terminal
}

func newProgress(c *console) *progress { return &progress{console: c, now: time.Now} }

// pause is the minimum time between two drawings of the bar.
const pause = 100 * time.Millisecond

// show draws the bar for a wallet that has read height of target blocks.
func (p *progress) show(height, target uint64) {
	now := p.now()
	if p.began.IsZero() {
		p.began, p.from = now, height
	}
	columns := p.console.columns()
	if columns == 0 || height >= target && p.drawn.IsZero() || height < target && now.Sub(p.drawn) < pause {
		return
	}
	p.drawn = now
	// The last column stays empty, because some terminals begin a new line after it.
	fmt.Fprintf(p.console.out, "\r%s\x1b[K", p.line(height, target, now.Sub(p.began), columns-1))
}

// line returns the text of the bar, in at most width columns.
func (p *progress) line(height, target uint64, took time.Duration, width int) string {
	part := 1.0
	if target > p.from && height < target {
		part = float64(height-min(p.from, height)) / float64(target-p.from)
	}
	end := fmt.Sprintf(" %3d%%  block %d of %d", int(part*100), height, target)
	if left := remaining(part, took); left != "" {
		end += "  " + left + " left"
	}
	const begin = "Reading blocks "
	room := width - len(begin) - len(end)
	if room < 5 {
		return (begin + strings.TrimSpace(end))[:min(width, len(begin)+len(strings.TrimSpace(end)))]
	}
	return begin + bar(part, min(room, 40)) + end
}

// bar returns a bar of a width whose filled part is drawn with blocks, the last one in eighths.
func bar(part float64, width int) string {
	eighths := int(part * float64(width*8))
	full := strings.Repeat("█", eighths/8)
	rest := width - eighths/8
	if eighths%8 > 0 {
		full += string([]rune("▏▎▍▌▋▊▉")[eighths%8-1])
		rest--
	}
	return full + strings.Repeat("░", rest)
}

// remaining returns an estimate of the time that is left when a part took some time, or "" if it is too early for one.
func remaining(part float64, took time.Duration) string {
	if part <= 0 || part >= 1 || took < time.Second {
		return ""
	}
	left := time.Duration(float64(took) * (1 - part) / part).Round(time.Second)
	switch {
	case left >= 48*time.Hour:
		return fmt.Sprintf("%d days", int(left.Hours()/24))
	case left >= time.Hour:
		return fmt.Sprintf("%d h %02d min", int(left.Hours()), int(left.Minutes())%60)
	case left >= time.Minute:
		return fmt.Sprintf("%d min %02d s", int(left.Minutes()), int(left.Seconds())%60)
	}
	return fmt.Sprintf("%d s", int(left.Seconds()))
}

// clear removes the bar.
func (p *progress) clear() {
	if !p.drawn.IsZero() {
		fmt.Fprint(p.console.out, "\r\x1b[K")
		p.drawn = time.Time{}
	}
}
