package service

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"glim/core/codec/jsontext"
	"glim/core/wallet"
)

// dayEarlier is how long before a date a wallet's reading begins: blocks tell the time as their miners' clocks have it, up to two hours
// off, and days begin at other times elsewhere.
const dayEarlier = 24 * 60 * 60

// parseDate reads a restore_date: YYYY-MM-DD, the start of that day in UTC, or POSIX seconds as a number or as text; false when
// there is none.
func parseDate(raw json.RawMessage) (seconds uint64, ok bool, err error) {
	if len(raw) == 0 || string(raw) == `""` || string(raw) == "null" {
		return 0, false, nil
	}
	text := string(raw)
	if s, ok := jsontext.String(raw); ok {
		text = s
	}
	if n, err := strconv.ParseUint(text, 10, 63); err == nil {
		return n, true, nil
	}
	start, ok := startOfDay(text)
	if !ok {
		return 0, false, refuse("restore_date is neither YYYY-MM-DD nor seconds since 1970")
	}
	return start, true, nil
}

// startOfDay returns when a day, YYYY-MM-DD, begins in UTC; false when there is none such since 1970.
func startOfDay(text string) (uint64, bool) {
	if len(text) != 10 || text[4] != '-' || text[7] != '-' {
		return 0, false
	}
	year, err1 := strconv.ParseUint(text[:4], 10, 32)
	month, err2 := strconv.ParseUint(text[5:7], 10, 32)
	number, err3 := strconv.ParseUint(text[8:], 10, 32)
	if err1 != nil || err2 != nil || err3 != nil {
		return 0, false
	}
	day := time.Date(int(year), time.Month(month), int(number), 0, 0, 0, 0, time.UTC)
	if day.Month() != time.Month(month) || day.Day() != int(number) || day.Unix() < 0 {
		return 0, false // a day the month has not
	}
	return uint64(day.Unix()), true
}

// restoreFrom returns the height to read the chain from: the earlier of the one asked for and the one of a date.
func (s *Service) restoreFrom(ctx context.Context, height uint64, date json.RawMessage) (uint64, error) {
	seconds, ok, err := parseDate(date)
	if err != nil || !ok {
		return height, err
	}
	at := s.heightAt(ctx, seconds)
	if height != 0 {
		at = min(at, height)
	}
	return at, nil
}

// heightAt returns the index of a block that was there at a time, POSIX seconds, and not long before: by the daemon's headers, or
// without a daemon by the days that are known.
func (s *Service) heightAt(ctx context.Context, seconds uint64) uint64 {
	seconds = min(seconds, s.config.Now())
	if h, err := s.searchHeight(ctx, seconds-min(seconds, dayEarlier)); err == nil {
		return h
	}
	return wallet.HeightAt(s.config.Network, seconds)
}

// searchHeight finds, by halves, a block of the daemon that is not before a time while the one below it is, or the last one.
// Source: src/wallet/wallet2.cpp, get_blockchain_height_by_date.
func (s *Service) searchHeight(ctx context.Context, seconds uint64) (uint64, error) {
	way := s.home()
	defer s.unlink(way)
	height, err := way.Height(ctx)
	if err != nil || height == 0 {
		return 0, err
	}
	low, high := uint64(0), height-1
	for low < high {
		mid := low + (high-low)/2
		h, err := way.client.Header(ctx, mid)
		if err != nil {
			return 0, err
		}
		if h.Timestamp < seconds {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, nil
}
