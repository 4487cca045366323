package signer

import (
	"context"
	"io"

	"glim/core/coldset"
	"glim/core/internal/codec/wire"
	"glim/core/internal/proof"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// Transport returns a transport to s in this process.
func (s *Server) Transport() Transport {
	return func(ctx context.Context, request []byte) ([]byte, error) { return s.Serve(ctx, request), nil }
}

// Serve answers a request of a Transport and wipes it. It never panics because of a request's contents.
func (s *Server) Serve(ctx context.Context, request []byte) (answer []byte) {
	defer clear(request) // it may hold a password
	defer func() {
		if r := recover(); r != nil {
			// without details, which could be secret
			answer = appendError(nil, smallfmt.Errorf("%w: the operation failed", ErrRequest))
		}
	}()
	if len(request) > MaxRequest {
		return appendError(nil, smallfmt.Errorf("%w: %d bytes", ErrRequest, len(request)))
	}
	answer, err := s.answer(ctx, wire.NewReader(request))
	if err != nil {
		return appendError(nil, err)
	}
	return append([]byte{0}, answer...)
}

func (s *Server) answer(ctx context.Context, r *wire.Reader) ([]byte, error) {
	switch op := r.Byte(); op {
	case opCreate:
		return s.create(ctx, r)
	case opUnlock:
		return s.unlock(ctx, r)
	case opReseal:
		return s.reseal(r)
	default:
		var h handle
		copy(h[:], r.Bytes(len(h)))
		if r.Err() != nil {
			return nil, malformed(r.Err())
		}
		if op == opClose {
			s.forget(h)
			return nil, malformed(r.Close())
		}
		serve, ok := operations[op]
		if !ok {
			return nil, smallfmt.Errorf("%w: operation %d", ErrRequest, op)
		}
		var answer []byte
		err := s.use(ctx, h, func(x *secrets) (err error) {
			answer, err = serve(s, ctx, x, r)
			return err
		})
		return answer, err
	}
}

func malformed(err error) error {
	if err == nil {
		return nil
	}
	return smallfmt.Errorf("%w: %w", ErrRequest, err)
}

func (s *Server) create(ctx context.Context, r *wire.Reader) ([]byte, error) {
	given, kdf := readBytes(r, maxPassword), readKDF(r)
	x := &secrets{network: xmr.Network(r.Byte())}
	what := r.Byte()
	switch what {
	case makeFresh, makeNothing:
	case makeGiven:
		x = readSecrets(r)
	case makeAdmitted:
		if x = s.admittedWallet(string(readBytes(r, maxPassword)), x.network); x == nil {
			r.Fail(errTicket)
		}
	default:
		r.Fail(ErrRequest)
	}
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	if x.network > xmr.Regtest {
		return nil, ErrRequest
	}
	password, _, err := s.password(given)
	defer clear(password)
	if err == nil {
		err = s.checkKDF(kdf)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case what == makeNothing:
		x = nil
	case x.keys == nil:
		var seed [32]byte
		defer clear(seed[:])
		if _, err := io.ReadFull(s.host.Random, seed[:]); err != nil {
			return nil, err
		}
		if x.keys, err = keys.FromSeed(seed); err != nil {
			return nil, err
		}
	}
	key, sealed, err := seal(s.host.Random, x, password, kdf)
	if err != nil {
		x.wipe()
		return nil, err
	}
	return s.opened(ctx, key.Bytes(), sealed, x)
}

func (s *Server) unlock(ctx context.Context, r *wire.Reader) ([]byte, error) {
	given, sealed := readBytes(r, maxPassword), readBytes(r, maxSealed)
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	password, _, err := s.password(given)
	defer clear(password)
	if err != nil {
		return nil, err
	}
	x, key, err := s.unseal(sealed, password)
	if err != nil {
		return nil, err
	}
	return s.opened(ctx, key.Bytes(), sealed, x)
}

// opened opens x and returns the data that the client may have.
func (s *Server) opened(ctx context.Context, key, sealed []byte, x *secrets) ([]byte, error) {
	answer := appendOpened(nil, handle{}, key, sealed, x)
	if x == nil {
		return answer, nil
	}
	h, err := s.add(ctx, x)
	if err != nil {
		return nil, err
	}
	copy(answer, h[:])
	return answer, nil
}

func (s *Server) reseal(r *wire.Reader) ([]byte, error) {
	sealed, givenOld, given := readBytes(r, maxSealed), readBytes(r, maxPassword), readBytes(r, maxPassword)
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	old, ticket, err := s.password(givenOld)
	defer clear(old)
	if err != nil {
		return nil, err
	}
	password, another, err := s.password(given)
	defer clear(password)
	if err != nil {
		return nil, err
	}
	if ticket && !another {
		return nil, smallfmt.Errorf("%w: a client with a ticket cannot choose a password", ErrRefused)
	}
	x, key, err := s.unseal(sealed, old)
	if err != nil {
		return nil, err
	}
	defer x.wipe()
	key, again, err := seal(s.host.Random, x, password, key.KDF().ForNewPassword())
	if err != nil {
		return nil, err
	}
	return appendBytes(appendBytes(nil, key.Bytes()), again), nil
}

// operations are the operations on an open wallet.
var operations = map[byte]func(*Server, context.Context, *secrets, *wire.Reader) ([]byte, error){
	opImages: (*Server).images, opSign: (*Server).sign, opSpendProof: (*Server).spendProof,
	opReserveProof: (*Server).reserveProof,
	opMessage:      (*Server).message, opSignedImages: (*Server).signedImages, opMultisig: (*Server).multisig,
	opReveal: (*Server).reveal,
}

func (s *Server) images(_ context.Context, x *secrets, r *wire.Reader) (answer []byte, err error) {
	outputs := readOutputs(r)
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	answer = wire.AppendVarint(nil, uint64(len(outputs)))
	for i := range outputs {
		o := &outputs[i]
		image, _, err := x.keys.KeyImage(o.Derivation, o.Index, o.Address, o.Key)
		if err != nil {
			return nil, err
		}
		answer = append(answer, image[:]...)
	}
	return answer, nil
}

// sign makes and signs a transaction from a description of its payments: the server generates the transaction's keys,
// masks and nonces itself, and checks the finished bytes against the description that the owner consented to.
func (s *Server) sign(ctx context.Context, x *secrets, r *wire.Reader) ([]byte, error) {
	o := readSigningRequest(r, x.network)
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	ask, err := o.consentRequest(x)
	if err != nil {
		return nil, err
	}
	if err := s.consent(ctx, ask); err != nil {
		return nil, err
	}
	result, err := txbuild.Sign(s.host.Random, x.keys, o.plan, o.rings, o.ceiling(x.network))
	if err != nil {
		return nil, err
	}
	return appendResult(nil, &o, result), nil
}

func (s *Server) spendProof(ctx context.Context, x *secrets, r *wire.Reader) ([]byte, error) {
	p := readSpent(r)
	return s.consentAndMake(
		ctx, x, r, ConsentRequest{Kind: KindSpendProof, Text: p.message},
		func() (string, error) { return p.prove(s.host.Random, x) },
	)
}

func (s *Server) reserveProof(ctx context.Context, x *secrets, r *wire.Reader) ([]byte, error) {
	p := readReserve(r)
	return s.consentAndMake(
		ctx, x, r, ConsentRequest{Kind: KindReserveProof, Text: p.message},
		func() (string, error) { return p.prove(s.host.Random, x) },
	)
}

func (s *Server) message(ctx context.Context, x *secrets, r *wire.Reader) ([]byte, error) {
	at, kind := readIndex(r), proof.KeyKind(r.Byte())
	text := string(readBytes(r, MaxRequest))
	if kind > proof.ViewKey {
		r.Fail(ErrRequest)
	}
	return s.consentAndMake(ctx, x, r, ConsentRequest{Kind: KindMessage, Text: text}, func() (string, error) {
		return proof.SignMessage(s.host.Random, x.keys, at, kind, text)
	})
}

// consentAndMake answers with a text that is made after the owner consents.
func (s *Server) consentAndMake(
	ctx context.Context, x *secrets, r *wire.Reader, a ConsentRequest, do func() (string, error),
) ([]byte, error) {
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	a.Wallet = x.keys.SpendPublic
	if err := s.consent(ctx, a); err != nil {
		return nil, err
	}
	text, err := do()
	return appendBytes(nil, []byte(text)), err
}

func (s *Server) signedImages(ctx context.Context, x *secrets, r *wire.Reader) ([]byte, error) {
	outputs := readOutputs(r)
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	if err := s.consent(ctx, ConsentRequest{Kind: KindKeyImages, Wallet: x.keys.SpendPublic}); err != nil {
		return nil, err
	}
	signed, err := coldset.SignImages(s.host.Random, x.keys, outputs)
	if err != nil {
		return nil, err
	}
	answer := wire.AppendVarint(nil, uint64(len(signed)))
	for i := range signed {
		answer = append(append(answer, signed[i].Image[:]...), signed[i].Signature.C[:]...)
		answer = append(answer, signed[i].Signature.R[:]...)
	}
	return answer, nil
}

func (s *Server) multisig(ctx context.Context, x *secrets, r *wire.Reader) ([]byte, error) {
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	if err := s.consent(ctx, ConsentRequest{Kind: KindMultisig, Wallet: x.keys.SpendPublic}); err != nil {
		return nil, err
	}
	secret, _ := multisig.BlindedSecretKey(x.keys)
	return secret[:], nil
}

func (s *Server) reveal(ctx context.Context, x *secrets, r *wire.Reader) ([]byte, error) {
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	if err := s.consent(ctx, ConsentRequest{Kind: KindReveal, Wallet: x.keys.SpendPublic}); err != nil {
		return nil, err
	}
	spend, _ := x.keys.SpendSecret()
	return appendBytes(append([]byte(nil), spend[:]...), x.words), nil
}
