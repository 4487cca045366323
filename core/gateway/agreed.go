package gateway

import "context"

// agreed sends a request to the daemons in turn until two responses agree, for data that are cached longer than one
// daemon should be trusted. It returns their response and true, and reports the daemons that contradicted it. If no two
// agree, it returns the first response, and true only if there is no other daemon. sense returns the part of a response
// that must be equal, or an error if the response is invalid. It returns ErrAway or the error of the context.
func (g *Gateway) agreed(
	ctx context.Context, path string, body []byte, sense func([]byte) (string, error),
) (answer []byte, sure bool, err error) {
	type word struct {
		connection *connection
		answer     []byte
		sense      string
	}
	var said []word
	candidates := g.candidates()
	for _, w := range candidates {
		if len(said) > 0 && g.rests(w) {
			break // do not wait for a daemon that failed recently
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
			for _, outvoted := range said {
				if outvoted.sense != s {
					g.failed(outvoted.connection, wrong("two other daemons contradict its answer to %s", path))
				}
			}
			return b, true, nil
		}
		said = append(said, word{w, b, s})
	}
	if len(said) == 0 {
		return nil, false, ErrAway
	}
	return said[0].answer, len(candidates) == 1, nil
}

// settled returns the ID of the last block in segments, which names cached data of those blocks, and their number. It
// returns "" and 0 for a short chain.
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
