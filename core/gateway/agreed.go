package gateway

import "context"

// agreed asks until two daemons say the same, for what is kept longer than one daemon's word should last. It returns their answer and true, and
// reports who said another thing before; where there are no two, the first answer, and true only if no other daemon could be asked. sense
// returns what of an answer has to be the same, or what is wrong with it. Errors: ErrAway, the context's.
func (g *Gateway) agreed(ctx context.Context, path string, body []byte, sense func([]byte) (string, error)) (answer []byte, sure bool, err error) {
	type word struct {
		way    *way
		answer []byte
		sense  string
	}
	var said []word
	ways := g.order()
	for _, w := range ways {
		if len(said) > 0 && g.rests(w) {
			break // nobody waits for it
		}
		b, err := w.Transport.Post(ctx, path, body)
		var s string
		if err == nil {
			s, err = sense(b)
		}
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if err != nil {
			g.failed(w, err)
			continue
		}
		g.worked(w)
		for _, other := range said {
			if other.sense != s {
				continue
			}
			for _, liar := range said {
				if liar.sense != s {
					g.failed(liar.way, wrong("two others deny what it says at %s", path))
				}
			}
			return b, true, nil
		}
		said = append(said, word{w, b, s})
	}
	if len(said) == 0 {
		return nil, false, ErrAway
	}
	return said[0].answer, len(ways) == 1, nil
}

// settled says what names everything in the blocks that stay: the ID of the last of them, and how many there are. None stay on a short chain.
func (g *Gateway) settled(ctx context.Context, end tip) (id string, blocks uint64, err error) {
	n := g.stays(end.height)
	if n == 0 {
		return "", 0, nil
	}
	if err := g.steady(ctx); err != nil {
		return "", 0, err
	}
	h, err := g.segmentID(ctx, n-segmentBlocks)
	return h.String(), n, err
}
