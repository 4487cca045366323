package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"glim/core/node"
	"glim/core/p2p/netaddr"
)

const (
	// bansFile keeps whom operations or misbehaviour keep away, beside the chain: a line each, with the POSIX second it ends.
	bansFile = "glim-bans.txt"
	// maxBanList bounds a list of whom to keep away, in bytes.
	maxBanList = 64 << 20
	// forEver is how long a ban of --ban-list holds.
	forEver = 100 * 365 * 24 * time.Hour
)

// readBanList reads addresses and subnets, one a line; # begins a comment. Source: src/p2p/net_node.inl, handle_command_line.
func readBanList(path string) (all []netaddr.Subnet, err error) {
	if path == "" {
		return nil, nil
	}
	b, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	return parseBanList(b)
}

func parseBanList(b []byte) (all []netaddr.Subnet, err error) {
	lines := bufio.NewScanner(bytes.NewReader(b))
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		who, err := netaddr.ParseSubnet(text)
		if err != nil {
			return nil, fmt.Errorf("line %d is no address and no subnet", n)
		}
		all = append(all, who)
	}
	return all, lines.Err()
}

// keptBan is a ban that is kept over a restart.
type keptBan struct {
	who   netaddr.Subnet
	until time.Time
}

// writeBans returns bans as readBans reads them, but for those of a list, which is read at each start.
func writeBans(now time.Time, bans []node.Ban, listed []netaddr.Subnet) []byte {
	skip := make(map[netaddr.Subnet]bool, len(listed))
	for _, who := range listed {
		skip[who] = true
	}
	var b []byte
	for _, ban := range bans {
		if !skip[ban.Who] {
			b = fmt.Appendf(b, "%s %d\n", ban.Who, now.Unix()+int64(ban.Seconds))
		}
	}
	return b
}

// readBans reads the file of bans, none when there is no file.
func readBans(path string) ([]keptBan, error) {
	b, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseBans(b)
}

func parseBans(b []byte) (all []keptBan, err error) {
	lines := bufio.NewScanner(bytes.NewReader(b))
	for n := 1; lines.Scan(); n++ {
		name, moment, _ := strings.Cut(lines.Text(), " ")
		who, err := netaddr.ParseSubnet(name)
		until, wrong := strconv.ParseInt(moment, 10, 64)
		if err != nil || wrong != nil {
			return nil, fmt.Errorf("%s: line %d is damaged", bansFile, n)
		}
		all = append(all, keptBan{who, time.Unix(until, 0)})
	}
	return all, lines.Err()
}

// readSmall reads a file of maxBanList bytes at most.
func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxBanList+1))
	if err == nil && len(b) > maxBanList {
		err = fmt.Errorf("%s is too long", path)
	}
	return b, err
}
