import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { NetworkSettings } from './network-settings.ts'

const certificates = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/** Returns the SHA-256 of the keys of the operator's authorities, in base64, as Chromium takes them. */
export function authorityKeys({ caFile }: Pick<NetworkSettings, 'caFile'>): string[] {
  const text = caFile === null ? '' : readFileSync(caFile, 'utf8')
  return (text.match(certificates) ?? []).map(pem => {
    const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
    return createHash('sha256').update(key).digest('base64')
  })
}
