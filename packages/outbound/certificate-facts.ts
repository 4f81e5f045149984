import type { TLSSocket } from 'node:tls'

export type CertificateFacts = {
  subject: string | null
  issuer: string | null
  validFrom: Date
  validTo: Date
  /** The DNS names in lower case. */
  names: string[]
  /** The SHA-256 of the certificate, in hexadecimal. */
  fingerprint: string
}

const namesMax = 100
const nameCharactersMax = 500

/** Returns facts of the certificate that the server has shown, or null. */
export function certificateFacts(socket: TLSSocket): CertificateFacts | null {
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return null
  const names = (certificate.subjectAltName ?? '')
    .split(', ')
    .filter(entry => entry.startsWith('DNS:'))
    .map(entry => entry.slice('DNS:'.length).toLowerCase())
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    validFrom: certificate.validFromDate,
    validTo: certificate.validToDate,
    names: names.slice(0, namesMax),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  }
}

const oneLine = (text: string | undefined) =>
  text ? text.replaceAll(/\s*\n\s*/g, ', ').slice(0, nameCharactersMax) : null
