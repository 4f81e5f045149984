/**
 * The result of one request of a check: a DNS look-up, an RDAP answer, an HTTP response, or the DOM that a
 * browser showed, as HTML of what is visible. Findings are read only from captures, so that later rules can
 * read stored captures again (§2.9).
 */
export type Capture = {
  kind: 'dns' | 'rdap' | 'http' | 'dom'
  purpose: CapturePurpose
  /** The requested URL. For DNS it is `dns:example.com`. */
  url: string
  /** The URL after redirects; null without a response. */
  finalUrl: string | null
  /** The HTTP status; null for DNS, or without a response. */
  status: number | null
  /** The headers with names in lower case. */
  headers: Record<string, string>
  /**
   * The unpacked body; for DNS, JSON of DnsAnswers. Is null without a response, or if the body cannot be
   * read.
   */
  body: Uint8Array | null
  /** Is true if the body exceeds its limit; then it has only the beginning. */
  truncated: boolean
  /** The failure; null if a response was received. */
  failure: CaptureFailure | null
  /** All requested URLs in order; empty without HTTP. */
  redirectChain: string[]
  /** The certificate; null without HTTPS. */
  certificate: CertificateFacts | null
  seenAt: Date
}

/** A `page` is linked from the root, and chosen for its legal, licence or payment content. */
export type CapturePurpose = 'dns' | 'rdap' | 'robots' | 'root' | 'page'

export type CaptureFailure = {
  reason:
    | 'timeout'
    | 'refused_connection'
    | 'refused_address'
    | 'name_not_found'
    | 'name_unresolved'
    | 'tls'
    | 'too_many_redirects'
    | 'too_large'
    | 'robots_disallow'
    | 'no_server'
    | 'rate_limited'
    | 'broken'
  message: string
}

type CertificateFacts = {
  subject: string | null
  issuer: string | null
  validFrom: Date
  validTo: Date
  /** The DNS names of the certificate in lower case. */
  names: string[]
  /** The SHA-256 of the certificate in hexadecimal. */
  fingerprint: string
}

/** The body of a DNS capture. */
export type DnsAnswers = {
  a: DnsAnswer<string>
  aaaa: DnsAnswer<string>
  ns: DnsAnswer<string>
  mx: DnsAnswer<{ priority: number; host: string }>
  /** The addresses of `www.<domain>`. */
  wwwA: DnsAnswer<string>
  wwwAaaa: DnsAnswer<string>
}

/** The answer to one DNS query. `nxdomain` and `no_data` are facts; `servfail` and `timeout` are not. */
export type DnsAnswer<Record> =
  | { outcome: 'answered'; records: Record[] }
  | { outcome: 'nxdomain' | 'no_data' | 'servfail' | 'timeout' | 'refused'; records: [] }
