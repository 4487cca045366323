package lws

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"

	"glim/core/daemon"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Node is the daemon behind an API. *daemon.Client is one.
type Node interface {
	FeeEstimate(ctx context.Context) (fees []uint64, mask uint64, err error)
	Distribution(ctx context.Context, from, to uint64) (start uint64, cumulative []uint64, err error)
	Outputs(ctx context.Context, indices []uint64) ([]daemon.RingMember, error)
	Send(ctx context.Context, blob []byte) error
	Info(ctx context.Context) (daemon.Info, error)
}

// API answers the requests of wallets. Its methods are safe for concurrent use.
type API struct {
	Book    *Book
	Node    Node
	Random  io.Reader     // for decoys; safe for concurrent use
	Now     func() uint64 // POSIX seconds
	Version string        // of the program
	// Rates returns what one XMR costs, by currency; nil if that is not known. It may be nil.
	Rates func() map[string]json.Number
	// CheckURL returns an error for URLs that webhooks cannot call. If it is nil, webhooks are refused.
	CheckURL func(url string) error

	mu     sync.Mutex // guards the fields below, and is held while the daemon answers
	fees   cached[feeAnswer]
	decoys cached[decoyAnswer]
	info   cached[daemon.Info]
}

// cached is an answer of the daemon that is used for several requests, so that clients cannot flood the daemon.
type cached[T any] struct {
	value T
	until uint64 // POSIX seconds
}

// cacheSeconds is how long answers of the daemon are used. Source: monero-lws, daemon_cache_timeout.
const cacheSeconds = 5

// get returns the cached answer, or that of ask. The caller holds the mutex of the cache. Failures of the daemon
// become ErrDaemon.
func (c *cached[T]) get(now uint64, ask func() (T, error)) (T, error) {
	if now < c.until {
		return c.value, nil
	}
	v, err := ask()
	if err != nil {
		return v, ErrDaemon
	}
	c.value, c.until = v, now+cacheSeconds
	return v, nil
}

// call answers a request.
type call struct {
	limit  int // bytes of the body
	get    bool
	answer func(ctx context.Context, a *API, body []byte) (any, error)
}

// on returns a call with a typed request.
func on[Req any](limit int, answer func(ctx context.Context, a *API, req *Req) (any, error)) call {
	return call{limit: limit, answer: func(ctx context.Context, a *API, body []byte) (any, error) {
		req, err := decode[Req](body)
		if err != nil {
			return nil, err
		}
		return answer(ctx, a, &req)
	}}
}

// calls are the operations by path, with limits of bodies as in monero-lws.
var calls = map[string]call{
	"/login":                 on(2<<10, login),
	"/get_address_info":      on(2<<10, addressInfo),
	"/get_address_txs":       on(2<<10, addressTxs),
	"/get_unspent_outs":      on(2<<10, unspentOuts),
	"/get_random_outs":       on(2<<10, randomOuts),
	"/import_wallet_request": on(2<<10, importWallet),
	"/submit_raw_tx":         on(512<<10, submitTx),
	"/get_subaddrs":          on(2<<10, getSubaddresses),
	"/upsert_subaddrs":       on(10<<10, upsertSubaddresses),
	"/provision_subaddrs":    on(2<<10, provisionSubaddresses),
	"/get_version": {1 << 10, true, func(_ context.Context, a *API, _ []byte) (any, error) {
		return a.version(), nil
	}},
	"/daemon_status": {1 << 10, true, func(ctx context.Context, a *API, _ []byte) (any, error) {
		return a.status(ctx), nil
	}},
	"/get_txt_records": {2 << 10, false, func(context.Context, *API, []byte) (any, error) {
		return nil, &Error{501, "names are not looked up"}
	}},
}

// MaxBody is the largest body of a request of wallets, in bytes.
const MaxBody = 512 << 10

// NeedsPost reports whether path is an operation that only POST may call.
func NeedsPost(path string) bool {
	c, ok := calls[path]
	if !ok {
		c, ok = adminCalls[path]
	}
	return ok && !c.get
}

// Serve answers the request for a path with a JSON object. It returns rpc.ErrNoPath for an unknown path, and otherwise
// an *Error, or an error of the store.
func (a *API) Serve(ctx context.Context, path string, body []byte, _ rpc.Options) ([]byte, error) {
	c, ok := calls[path]
	if !ok {
		return nil, rpc.ErrNoPath
	}
	return c.serve(ctx, a, body)
}

func (c *call) serve(ctx context.Context, a *API, body []byte) ([]byte, error) {
	if len(body) > c.limit {
		return nil, invalid("the body exceeds %d bytes", c.limit)
	}
	v, err := c.answer(ctx, a, body)
	if err != nil {
		return nil, err
	}
	return encodeResponse(v)
}

func (a *API) network() xmr.Network { return a.Book.o.Network }

func login(_ context.Context, a *API, r *loginRequest) (any, error) {
	address, view, err := r.read(a.network())
	if err == nil {
		err = errors.Join(required("create_account", r.CreateAccount != nil),
			required("generated_locally", r.GeneratedLocally != nil))
	}
	if err != nil {
		return nil, firstError(err)
	}
	created, generated, ahead, err := a.Book.Login(address, view, *r.CreateAccount, *r.GeneratedLocally, r.Lookahead)
	out := loginResponse{NewAddress: created, GeneratedLocally: generated, Lookahead: ahead}
	if h, missing := a.Book.Holdings(address, view); missing == nil { // unless the account waits for approval
		out.StartHeight = h.Start
	}
	return out, err
}

// firstError returns the first *Error in err.
func firstError(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return err
}

func (c *Credentials) holdings(a *API) (Holdings, error) {
	address, view, err := c.read(a.network())
	if err != nil {
		return Holdings{}, err
	}
	return a.Book.Holdings(address, view)
}

func (h *Holdings) progress() progress {
	p := progress{
		ScannedHeight: h.Scanned, ScannedBlockHeight: h.Scanned, StartHeight: h.Start, TransactionHeight: h.Top,
		BlockchainHeight: h.Top, LookaheadFail: h.LookaheadFail,
	}
	if h.Lookahead != (Lookahead{}) {
		p.Lookahead = &h.Lookahead
	}
	return p
}

// sources returns the outputs that count by their identifiers.
func (h *Holdings) sources() map[Ref]*Output {
	m := make(map[Ref]*Output, len(h.Outputs))
	for i := range h.Outputs {
		m[h.Outputs[i].Ref] = &h.Outputs[i]
	}
	return m
}

func spendOf(s *Spend, from *Output) spendForm {
	return spendForm{Amount(from.Amount), s.Image, from.TxKey, from.Index, s.Mixin, index(from.At)}
}

func addressInfo(_ context.Context, a *API, c *Credentials) (any, error) {
	h, err := c.holdings(a)
	if err != nil {
		return nil, err
	}
	out := infoResponse{progress: h.progress()}
	if a.Rates != nil {
		out.Rates = a.Rates()
	}
	clock := wallet.Clock{Height: h.Top + 1, Now: a.Now()}
	for i := range h.Outputs {
		o := &h.Outputs[i]
		out.TotalReceived = Amount(sum(uint64(out.TotalReceived), o.Amount))
		if !clock.Unlocked(o.UnlockTime, o.Height) {
			out.LockedFunds = Amount(sum(uint64(out.LockedFunds), o.Amount))
		}
	}
	for i := range h.Pool.Outputs {
		amount := h.Pool.Outputs[i].Amount
		out.TotalReceived = Amount(sum(uint64(out.TotalReceived), amount))
		out.LockedFunds = Amount(sum(uint64(out.LockedFunds), amount))
	}
	from := h.sources()
	for s := range both(h.Spends, h.Pool.Spends) {
		if o := from[s.Source]; o != nil {
			out.SpentOutputs = append(out.SpentOutputs, spendOf(s, o))
			out.TotalSent = Amount(sum(uint64(out.TotalSent), o.Amount))
		}
	}
	return out, nil
}

func addressTxs(_ context.Context, a *API, c *Credentials) (any, error) {
	h, err := c.holdings(a)
	if err != nil {
		return nil, err
	}
	out := txsResponse{progress: h.progress()}
	type at struct {
		height   uint64
		position int
	}
	txs := map[at]*txForm{}
	var order []at
	for o := range both(h.Outputs, h.Pool.Outputs) {
		place := at{o.Height, o.Position}
		t := txs[place]
		if t == nil {
			t = &txForm{
				Hash: o.TxID, Fee: Amount(o.Fee), UnlockTime: o.UnlockTime, PaymentID: o.PaymentID,
				Coinbase: o.Coinbase, Mixin: o.Mixin, Recipient: index(o.At),
			}
			t.in(o.Height, o.Timestamp)
			txs[place], order = t, append(order, place)
		}
		t.TotalReceived = Amount(sum(uint64(t.TotalReceived), o.Amount))
		out.TotalReceived = Amount(sum(uint64(out.TotalReceived), o.Amount))
	}
	from := h.sources()
	for s := range both(h.Spends, h.Pool.Spends) {
		o := from[s.Source]
		if o == nil {
			continue
		}
		place := at{s.Height, s.Position}
		t := txs[place]
		if t == nil {
			t = &txForm{
				Hash: s.TxID, Fee: Amount(s.Fee), UnlockTime: s.UnlockTime, PaymentID: s.PaymentID, Mixin: s.Mixin,
			}
			t.in(s.Height, s.Timestamp)
			txs[place], order = t, append(order, place)
		}
		t.SpentOutputs = append(t.SpentOutputs, spendOf(s, o))
		t.TotalSent = Amount(sum(uint64(t.TotalSent), o.Amount))
	}
	slices.SortFunc(order, func(x, y at) int {
		return cmp.Or(cmp.Compare(x.height, y.height), cmp.Compare(x.position, y.position))
	})
	for i, place := range order {
		t := txs[place]
		t.ID = i
		out.Transactions = append(out.Transactions, *t)
	}
	return out, nil
}

// both returns pointers to the elements of the chain, and then to those of the pool.
func both[T any](chain, pool []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for _, list := range [][]T{chain, pool} {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// in sets the block of a transaction, or says that it is in the pool.
func (t *txForm) in(height, timestamp uint64) {
	if height == NoBlock {
		t.Mempool = true
		return
	}
	at := moment(timestamp)
	t.Height, t.Timestamp = &height, &at
}

// feeAnswer are fees in atomic units for a byte, and the number to whose multiples they are rounded.
type feeAnswer struct {
	fees []uint64
	mask uint64
}

func unspentOuts(ctx context.Context, a *API, r *unspentRequest) (any, error) {
	if err := required("amount", r.Amount != nil); err != nil {
		return nil, err
	}
	h, err := r.holdings(a)
	if err != nil {
		return nil, err
	}
	if r.UseDust {
		r.DustThreshold = 0
	}
	images := map[Ref][]xmr.KeyImage{}
	for s := range both(h.Spends, h.Pool.Spends) {
		images[s.Source] = append(images[s.Source], s.Image)
	}
	out := unspentResponse{LookaheadFail: h.LookaheadFail}
	for i := range h.Outputs {
		o := &h.Outputs[i]
		if o.Amount < uint64(r.DustThreshold) || o.Mixin < r.Mixin {
			continue
		}
		out.Amount = Amount(sum(uint64(out.Amount), o.Amount))
		out.Outputs = append(out.Outputs, outputForm{
			Amount: Amount(o.Amount), PublicKey: o.Key, Index: o.Index, GlobalIndex: o.Ref.Index, TxID: o.Ref.Index,
			TxHash: o.TxID, TxPrefixHash: o.Prefix, TxPubKey: o.TxKey, Timestamp: moment(o.Timestamp), Height: o.Height,
			SpendKeyImages: images[o.Ref], Rct: o.Rct, Recipient: index(o.At),
		})
	}
	if out.Amount < *r.Amount {
		return nil, ErrNotEnough
	}
	f, err := a.estimate(ctx)
	out.PerByteFee, out.FeeMask, out.Fees = f.fees[0], f.mask, f.fees
	return out, err
}

func (a *API) estimate(ctx context.Context) (feeAnswer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f, err := a.fees.get(a.Now(), func() (f feeAnswer, err error) {
		f.fees, f.mask, err = a.Node.FeeEstimate(ctx)
		return f, err
	})
	if err != nil || len(f.fees) == 0 {
		return feeAnswer{fees: []uint64{0}}, ErrDaemon
	}
	return f, nil
}

func importWallet(_ context.Context, a *API, r *importRequest) (any, error) {
	address, view, err := r.read(a.network())
	if err != nil {
		return nil, err
	}
	answer, err := a.Book.Import(address, view, r.FromHeight, r.Lookahead)
	if err != nil {
		return nil, err
	}
	out := importResponse{
		NewRequest: answer.New, RequestFulfilled: answer.Fulfilled, Lookahead: answer.Lookahead,
		Status: "Waiting for Approval",
	}
	switch {
	case answer.New && !answer.Fulfilled:
		out.Status = "Accepted, waiting for approval"
	case answer.Fulfilled:
		out.Status = "Approved"
	}
	return out, nil
}

func submitTx(ctx context.Context, a *API, r *submitRequest) (any, error) {
	if err := required("tx", r.Tx != nil); err != nil {
		return nil, err
	}
	blob, err := hex.DecodeString(strings.TrimSpace(*r.Tx))
	if err != nil {
		return nil, ErrTx
	}
	if _, err := tx.Parse(blob); err != nil {
		return nil, ErrTx
	}
	var rejected *daemon.Rejected
	switch err := a.Node.Send(ctx, blob); {
	case errors.As(err, &rejected):
		return nil, &Error{400, rejected.Error()}
	case err != nil:
		return nil, ErrDaemon
	}
	return submitResponse{"OK"}, nil
}

func getSubaddresses(_ context.Context, a *API, c *Credentials) (any, error) {
	address, view, err := c.read(a.network())
	if err != nil {
		return nil, err
	}
	all, err := a.Book.Addresses(address, view)
	return subaddressesResponse{all}, err
}

func upsertSubaddresses(_ context.Context, a *API, r *upsertRequest) (any, error) {
	if err := required("subaddrs", r.Subaddresses != nil); err != nil {
		return nil, err
	}
	return r.upsert(a, r.Subaddresses, r.GetAll)
}

func (c *Credentials) upsert(a *API, list []Subaddresses, all *bool) (any, error) {
	address, view, err := c.read(a.network())
	if err != nil {
		return nil, err
	}
	out := upsertResponse{}
	out.New, out.All, err = a.Book.Upsert(address, view, list)
	if all != nil && !*all {
		out.All = nil
	}
	return out, err
}

// Defaults of /provision_subaddrs. Source: monero-lws, src/rest_server.cpp, provision_subaddrs.
const (
	provisionedMajors = 50
	provisionedMinors = 500
)

func provisionSubaddresses(_ context.Context, a *API, r *provisionRequest) (any, error) {
	if r.Major == nil && r.Minor == nil && r.Majors == nil && r.Minors == nil {
		return nil, ErrRange
	}
	or := func(p *uint32, standard uint32) uint32 {
		if p == nil {
			return standard
		}
		return *p
	}
	list, err := block(or(r.Major, 0), or(r.Minor, 0), or(r.Majors, provisionedMajors), or(r.Minors, provisionedMinors),
		a.Book.o.MaxSubaddresses)
	if err != nil {
		return nil, err
	}
	return r.upsert(a, list, r.GetAll)
}

// The version of the interface. Source: monero-lws, lws_version.h.in.
const apiVersion = 1<<16 | 7

func (a *API) version() versionResponse {
	return versionResponse{
		ServerType: "glim", ServerVersion: a.Version, MoneroVersion: a.Version, BlockchainHeight: a.Book.Top(),
		API: apiVersion, MaxSubaddresses: a.Book.o.MaxSubaddresses, NetworkType: networkNames[a.network()],
		Testnet: a.network() == xmr.Testnet,
	}
}

// behindBlocks is by how many blocks a daemon that synchronises is behind. Source: monero-lws, daemon_status.
const behindBlocks = 5

func (a *API) status(ctx context.Context) statusResponse {
	out := statusResponse{Network: networkNames[a.network()], State: "unavailable"}
	a.mu.Lock()
	defer a.mu.Unlock()
	info, err := a.info.get(a.Now(), func() (daemon.Info, error) { return a.Node.Info(ctx) })
	if err != nil {
		return out
	}
	out.Height, out.TargetHeight, out.State = info.Height, info.TargetHeight, "ok"
	if info.TargetHeight-info.Height >= behindBlocks {
		out.State = "synchronizing"
	}
	return out
}
