import { sign } from 'node:crypto'
import { publicSuffixList } from '@baize/names'
import type { ReceiptFacts } from '../../core/operation.ts'
import { newRef } from '../../core/ref.ts'
import { readVersion } from '../../core/version.ts'
import { canonicalSha256 } from './canonical-json.ts'
import type { SigningKey } from './keys-store.ts'

type Answered = {
  issuer: string
  operation: string
  /** The validated input, with defaults and canonical domains. */
  parameters: Record<string, unknown>
  facts: ReceiptFacts
  isDemo: boolean
  at: Date
}

const rules = JSON.stringify({
  service: { name: 'baize', version: readVersion() },
  public_suffix_list: publicSuffixList,
})

/**
 * Returns the function that signs an answer's `data`, as a compact JWS (RFC 7515). Members of `facts` that
 * are JSON text are not parsed.
 */
export function receiptSigner({ kid, privateKey }: SigningKey, answered: Answered): (data: string) => string {
  const { issuer, operation, parameters, facts, isDemo, at } = answered
  return text => {
    const data: Record<string, unknown> = JSON.parse(text)
    const members = {
      iss: JSON.stringify(issuer),
      iat: String(Math.floor(at.getTime() / 1_000)),
      jti: JSON.stringify(newRef('rec')),
      ...(isDemo ? { demo: 'true' } : {}),
      request: JSON.stringify({ operation, parameters, ...facts.times }),
      answer_sha256: JSON.stringify(canonicalSha256(data)),
      ...facts.members,
      rules,
      ...(facts.items === undefined
        ? {}
        : { items: JSON.stringify((data[facts.items] as unknown[]).map(canonicalSha256)) }),
    }
    const payload = Object.entries(members).map(([name, value]) => `"${name}":${value}`)
    const signed = `${encoded(JSON.stringify({ alg: 'EdDSA', typ: 'baize-receipt+jwt', kid }))}.${encoded(
      `{${payload.join(',')}}`,
    )}`
    return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
  }
}

const encoded = (text: string) => Buffer.from(text).toString('base64url')
