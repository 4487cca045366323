package native

import (
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/service"
)

// DaemonTransport returns a connection to the daemon of a wallet service. port is the default for addresses without
// one. allowChained also accepts certificates issued by intermediates of the configured authorities. Errors: as
// NewTransport.
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
