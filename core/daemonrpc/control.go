package daemonrpc

import "glim/core/rpc"

// SetLogHashRateRequest says whether the miner prints its speed.
type SetLogHashRateRequest struct {
	Visible bool `json:"visible"`
}

// SetLogHashRate shows or hides the miner's speed; StatusNotMining when there is none. Restricted.
var SetLogHashRate = rpc.Method[SetLogHashRateRequest, Plain]{Name: "set_log_hash_rate", Wire: rpc.Path, Restricted: true}

// SetLogLevelRequest carries a level, 0 the least talkative to 4.
type SetLogLevelRequest struct {
	Level int8 `json:"level"`
}

// SetLogLevel sets how much the daemon logs. Restricted.
var SetLogLevel = rpc.Method[SetLogLevelRequest, Plain]{Name: "set_log_level", Wire: rpc.Path, Restricted: true}

// SetLogCategoriesRequest carries a comma-separated list of category:LEVEL.
type SetLogCategoriesRequest struct {
	Categories string `json:"categories"`
}

// SetLogCategoriesResponse carries the list that now holds.
type SetLogCategoriesResponse struct {
	Common
	Categories string `json:"categories"`
}

// SetLogCategories sets what the daemon logs. Restricted.
var SetLogCategories = rpc.Method[SetLogCategoriesRequest, SetLogCategoriesResponse]{Name: "set_log_categories", Wire: rpc.Path, Restricted: true}

// SetBootstrapDaemonRequest names a daemon to pass calls on to while this one synchronises; an empty address ends it.
type SetBootstrapDaemonRequest struct {
	Address  string `json:"address"` // host:port
	Username string `json:"username"`
	Password string `json:"password"`
	Proxy    string `json:"proxy"`
}

// SetBootstrapDaemonResponse says whether it was set.
type SetBootstrapDaemonResponse struct {
	Status string `json:"status"`
}

// StatusText returns the status.
func (r SetBootstrapDaemonResponse) StatusText() string { return r.Status }

// SetBootstrapDaemon sets the daemon that calls are passed on to. Restricted.
var SetBootstrapDaemon = rpc.Method[SetBootstrapDaemonRequest, SetBootstrapDaemonResponse]{Name: "set_bootstrap_daemon", Wire: rpc.Path, Restricted: true}

// StopDaemon ends the daemon after it has answered. Restricted.
var StopDaemon = rpc.Method[None, Plain]{Name: "stop_daemon", Wire: rpc.Path, Restricted: true}

// UpdateRequest says whether to check for a release or to download it.
type UpdateRequest struct {
	Command string `json:"command"` // check, download or update
	Path    string `json:"path"`    // where to put it; empty for the daemon's choice
}

// UpdateResponse describes the release found.
type UpdateResponse struct {
	Common
	Update  bool   `json:"update"`
	Version string `json:"version"`
	UserURI string `json:"user_uri"`
	AutoURI string `json:"auto_uri"`
	Hash    string `json:"hash"`
	Path    string `json:"path"`
}

// Update looks for a newer release of the daemon. Restricted.
var Update = rpc.Method[UpdateRequest, UpdateResponse]{Name: "update", Wire: rpc.Path, Restricted: true}
