/** How requests to other hosts are sent: settings of the operator, for proxies and private networks. */
export type NetworkSettings = {
  /** Hosts with private addresses or other ports that may be fetched, as `host:port`. */
  allowedHosts: readonly string[]
  /** `address:port`; empty: the system's. */
  dnsServers: readonly string[]
  /** PEM file of further certificate authorities; null: none. */
  caFile: string | null
  connectTo: readonly ConnectTo[]
  /** null: none. */
  proxy: string | null
}

/** Like curl's `--connect-to`. null matches any host or port, or leaves the target's. */
export type ConnectTo = {
  host: string | null
  port: number | null
  toHost: string | null
  toPort: number | null
}
