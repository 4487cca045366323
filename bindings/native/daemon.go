package native

import (
	"glim/bindings/native/digest"
	"glim/core/rpc"
	"glim/core/service"
)

// DaemonTransport returns the way to a daemon as a wallet service names it; port counts where its address has none. allowChained lets
// those vouch for the daemon, too, whom the given authorities vouch for. Errors: as NewTransport's.
func DaemonTransport(d service.DaemonConfig, port int, allowChained bool) (rpc.Transport, error) {
	mode, err := ParseSSLMode(d.SSL.Support)
	if err != nil {
		return nil, err
	}
	return NewTransport(TransportOptions{
		Address: d.Address, DefaultPort: port, Proxy: d.Proxy,
		Login: digest.NewLogin(d.Username, d.Password),
		SSL: SSL{
			Mode: mode, PrivateKeyFile: d.SSL.PrivateKeyPath, CertificateFile: d.SSL.CertificatePath,
			CAFile: d.SSL.CAFile, Fingerprints: d.SSL.AllowedFingerprints, AllowAnyCert: d.SSL.AllowAnyCert,
			AllowChained: allowChained,
		},
	})
}
