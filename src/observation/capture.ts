/**
 * What a check received: one DNS look-up, RDAP answer or HTTP response. Findings are read from captures
 * alone, so that later rules can read stored captures again (§2.9).
 */
export type Capture = {
  kind: 'dns' | 'rdap' | 'http'
  purpose: CapturePurpose
  /** What was asked for. Of DNS: `dns:example.com`. */
  url: string
  /** After redirects; null: no response. */
  finalUrl: string | null
  /** Of HTTP and RDAP; null: no response. */
  status: number | null
  /** Names in lower case. */
  headers: Record<string, string>
  /** Unpacked. Of DNS: JSON of DnsAnswers. null: no response, or nothing that can be read. */
  body: Uint8Array | null
  /** The body is only the beginning, because it exceeds its limit. */
  truncated: boolean
  /** null: a response was received. */
  failure: CaptureFailure | null
  /** Of HTTP: every URL requested for it in order, the first and the final one included. */
  redirectChain: string[]
  /** Of HTTPS. */
  certificate: CertificateFacts | null
  seenAt: Date
}

/** `page`: a page linked from the root, chosen for its legal, licence or payment content. */
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
  /** DNS names in lower case. */
  names: string[]
  /** SHA-256 of the certificate, in hexadecimal. */
  fingerprint: string
}

/** The body of a DNS capture. */
export type DnsAnswers = {
  a: DnsAnswer<string>
  aaaa: DnsAnswer<string>
  ns: DnsAnswer<string>
  mx: DnsAnswer<{ priority: number; host: string }>
  /** Of `www.<domain>`. */
  wwwA: DnsAnswer<string>
  wwwAaaa: DnsAnswer<string>
}

/** `nxdomain` and `no_data` are facts; `servfail` and `timeout` are not. */
export type DnsAnswer<Record> =
  | { outcome: 'answered'; records: Record[] }
  | { outcome: 'nxdomain' | 'no_data' | 'servfail' | 'timeout' | 'refused'; records: [] }
