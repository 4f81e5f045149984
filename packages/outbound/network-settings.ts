/** The operator's settings for requests to other hosts, with proxies and private networks. */
export type NetworkSettings = {
  /** Hosts with private addresses or other ports that may be fetched, as `host:port`. */
  allowedHosts: readonly string[]
  /** The name servers as `address:port`; empty for those of the system. */
  dnsServers: readonly string[]
  /** A PEM file of further certificate authorities, or null. */
  caFile: string | null
  connectTo: readonly ConnectTo[]
  /** The URL of a proxy, or null. */
  proxy: string | null
}

/** A rule like curl's `--connect-to`. Null matches any host or port, or keeps that of the target. */
export type ConnectTo = {
  host: string | null
  port: number | null
  toHost: string | null
  toPort: number | null
}
