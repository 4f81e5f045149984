import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** A submitted form, stored until its sender has confirmed who they are. */
export type Draft = {
  /** The page that has the form, with its query. */
  page: string
  /** The path to which the form was sent. */
  action: string
  fields: Record<string, string | string[]>
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Derives the key from the id in the cookie, of which the database stores only a hash. */
const keyOf = (sessionId: string) => Buffer.from(hkdfSync('sha256', sessionId, '', 'session draft', 32))

export function sealDraft(sessionId: string, draft: Draft): Buffer {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, keyOf(sessionId), nonce)
  const sealed = Buffer.concat([sealing.update(JSON.stringify(draft)), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed])
}

export function openDraft(sessionId: string, sealed: Buffer): Draft {
  const opening = createDecipheriv(cipher, keyOf(sessionId), sealed.subarray(0, nonceBytes))
  opening.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  const opened = [opening.update(sealed.subarray(nonceBytes + tagBytes)), opening.final()]
  return JSON.parse(Buffer.concat(opened).toString()) as Draft
}
