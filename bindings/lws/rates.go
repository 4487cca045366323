package lws

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"sync"
	"time"

	"glim/bindings/native/webhook"
)

// Rates configure the request for exchange rates. The source learns that the rates are asked for, and nothing else.
type Rates struct {
	Interval time.Duration // between requests; 0 for no rates
	URL      string        // empty for RatesURL
	Client   webhook.ClientOptions
}

// RatesURL is the source of exchange rates, which answers with an object of the prices of one XMR by currency.
// Source: monero-lws, src/rpc/rates.cpp.
const RatesURL = "https://min-api.cryptocompare.com/data/price?fsym=XMR&tsyms=" +
	"AUD,BRL,BTC,CAD,CHF,CNY,EUR,GBP,HKD,INR,JPY,KRW,MXN,NOK,NZD,RUB,SEK,SGD,TRY,USD,ZAR"

// currencies are those of monero-lws.
var currencies = map[string]bool{
	"AUD": true, "BRL": true, "BTC": true, "CAD": true, "CHF": true, "CNY": true, "EUR": true, "GBP": true, "HKD": true,
	"INR": true, "JPY": true, "KRW": true, "MXN": true, "NOK": true, "NZD": true, "RUB": true, "SEK": true, "SGD": true,
	"TRY": true, "USD": true, "ZAR": true,
}

// rates are the last answer of the source.
type rates struct {
	o      Rates
	client *webhook.Client

	mu    sync.Mutex
	last  map[string]json.Number
	until time.Time
}

// keptIntervals is how long an answer is used if no other one comes, in intervals.
const keptIntervals = 3

func newRates(o Rates) *rates {
	if o.URL == "" {
		o.URL = RatesURL
	}
	return &rates{o: o, client: webhook.NewClient(o.Client)}
}

// current returns what one XMR costs, by currency; nil if that is not known.
func (r *rates) current() map[string]json.Number {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Now().After(r.until) {
		return nil
	}
	return r.last
}

// update asks the source.
func (r *rates) update(ctx context.Context) error {
	body, err := r.client.Get(ctx, r.o.URL)
	if err != nil {
		return err
	}
	last, err := parseRates(body)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last, r.until = last, time.Now().Add(keptIntervals*r.o.Interval)
	return nil
}

// errRates reports an answer of another form.
var errRates = errors.New("the answer has no exchange rates")

// maxRate is larger than any rate, so that a client's sums stay numbers.
const maxRate = 1e15

// parseRates reads an answer of the source. It ignores other currencies, and returns errRates if none is left, or if a
// rate is not a positive number.
func parseRates(body []byte) (map[string]json.Number, error) {
	var all map[string]json.Number
	if json.Unmarshal(body, &all) != nil {
		return nil, errRates
	}
	maps.DeleteFunc(all, func(name string, _ json.Number) bool { return !currencies[name] })
	for _, rate := range all {
		if n, err := strconv.ParseFloat(rate.String(), 64); err != nil || !(n > 0 && n < maxRate) {
			return nil, errRates
		}
	}
	if len(all) == 0 {
		return nil, errRates
	}
	return all, nil
}

// askRates asks for exchange rates until ctx ends.
func (s *Service) askRates(ctx context.Context) {
	defer s.rates.client.Close()
	host, _ := webhook.Host(s.rates.o.URL)
	for ctx.Err() == nil {
		if err := s.rates.update(ctx); err != nil && ctx.Err() == nil {
			s.cfg.Log.Warn("exchange rates are not known; they will be asked for again", "host", host, "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(s.rates.o.Interval):
		}
	}
}
