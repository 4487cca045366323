package service

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"glim/core/codec/jsontext"
	"glim/core/wallet"
	"glim/core/xmr"
)

// restoreHeights finds the height at which scanning begins.
type restoreHeights struct {
	active  *active
	network xmr.Network
	now     func() uint64
}

// dayEarlier is how long before a date scanning begins: block timestamps are up to two hours off, and days begin at
// other times in other time zones.
const dayEarlier = 24 * 60 * 60

// parseDate parses a restore_date: YYYY-MM-DD, the start of that day in UTC, or POSIX seconds as a number or a
// string. ok is false if there is no date.
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

// startOfDay returns when a day, YYYY-MM-DD, begins in UTC. It reports false for invalid days and days before 1970.
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
		return 0, false // no such day in that month
	}
	return uint64(day.Unix()), true
}

// restoreFrom returns the height at which scanning begins: the lower of the requested height and that of a date.
func (s *restoreHeights) restoreFrom(ctx context.Context, height uint64, date json.RawMessage) (uint64, error) {
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

// heightAt returns the index of a block shortly before a time in POSIX seconds: from the daemon's headers, or,
// without a daemon, from a table of days.
func (s *restoreHeights) heightAt(ctx context.Context, seconds uint64) uint64 {
	seconds = min(seconds, s.now())
	if h, err := s.searchHeight(ctx, seconds-min(seconds, dayEarlier)); err == nil {
		return h
	}
	return wallet.HeightAt(s.network, seconds)
}

// searchHeight searches the daemon's headers for a block whose timestamp is not before a time although that of its
// predecessor is. If no block is that late, it returns the last block.
// Source: src/wallet/wallet2.cpp, get_blockchain_height_by_date.
func (s *restoreHeights) searchHeight(ctx context.Context, seconds uint64) (uint64, error) {
	conn := s.active.connectDefault()
	defer s.active.shared.disconnect(conn)
	height, err := conn.Height(ctx)
	if err != nil || height == 0 {
		return 0, err
	}
	low, high := uint64(0), height-1
	for low < high {
		mid := low + (high-low)/2
		h, err := conn.client.BlockHeader(ctx, mid)
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
