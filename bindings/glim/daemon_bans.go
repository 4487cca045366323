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
	// bansFile stores the bans made by operations and by misbehaviour next to the chain. Each line has an address or
	// subnet and the POSIX time in seconds at which the ban ends.
	bansFile = "glim-bans.txt"
	// maxBanList limits the size of a ban list, in bytes.
	maxBanList = 64 << 20
	// banListTime is how long a ban of --ban-list lasts.
	banListTime = 100 * 365 * 24 * time.Hour
)

// readBanList reads a file with one address or subnet a line, where # begins a comment.
// Source: src/p2p/net_node.inl, handle_command_line.
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
		subnet, err := netaddr.ParseSubnet(text)
		if err != nil {
			return nil, fmt.Errorf("line %d is not an address or subnet", n)
		}
		all = append(all, subnet)
	}
	return all, lines.Err()
}

// storedBan is a ban that survives a restart.
type storedBan struct {
	subnet netaddr.Subnet
	until  time.Time
}

// writeBans encodes bans for readBans. It leaves out those of --ban-list, which is read at each start.
func writeBans(now time.Time, bans []node.Ban, listed []netaddr.Subnet) []byte {
	skip := make(map[netaddr.Subnet]bool, len(listed))
	for _, subnet := range listed {
		skip[subnet] = true
	}
	var b []byte
	for _, ban := range bans {
		if !skip[ban.Subnet] {
			b = fmt.Appendf(b, "%s %d\n", ban.Subnet, now.Unix()+int64(ban.Seconds))
		}
	}
	return b
}

// readBans reads the file of bans. A missing file holds no bans.
func readBans(path string) ([]storedBan, error) {
	b, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseBans(b)
}

func parseBans(b []byte) (all []storedBan, err error) {
	lines := bufio.NewScanner(bytes.NewReader(b))
	for n := 1; lines.Scan(); n++ {
		name, seconds, _ := strings.Cut(lines.Text(), " ")
		subnet, err := netaddr.ParseSubnet(name)
		until, wrong := strconv.ParseInt(seconds, 10, 64)
		if err != nil || wrong != nil {
			return nil, fmt.Errorf("%s: line %d is damaged", bansFile, n)
		}
		all = append(all, storedBan{subnet, time.Unix(until, 0)})
	}
	return all, lines.Err()
}

// readSmall reads a file of at most maxBanList bytes.
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
