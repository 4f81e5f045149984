import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Database } from '../../database/open.ts'
import { startSession } from '../sessions/index.ts'
import { insertChallenge, lockPasskey, recordPasskeyUse, takeChallenge } from './passkey-store.ts'
import { readAnswer, relyingPartyOf } from './relying-party.ts'

/** Returns what the browser needs to ask for any passkey; null if passkeys do not work at this address. */
export async function offerSignIn(database: Database, { baseUrl, now }: { baseUrl: string; now: Date }) {
  const party = relyingPartyOf(baseUrl)
  if (party === null) return null
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({ rpID: party.id, userVerification: 'required' })
  await insertChallenge(database, { challenge: options.challenge, userId: null, now })
  return options
}

type Answered = {
  baseUrl: string
  response: string
  replacedId: string | null
  browser: string | null
  now: Date
}

/**
 * Returns the id of a new session; null if the passkey is unknown, or its answer is invalid, late or used.
 */
export async function signInByPasskey(
  database: Database,
  { baseUrl, response: sent, replacedId, browser, now }: Answered,
): Promise<string | null> {
  const party = relyingPartyOf(baseUrl)
  const response = readAnswer<AuthenticationResponseJSON>(sent)
  if (party === null || response === null) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const credentialId = Buffer.from(response.id, 'base64url')
  return database.transaction().execute(async tx => {
    const passkey = await lockPasskey(tx, credentialId)
    if (passkey === undefined) return null
    const verified = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge => takeChallenge(tx, { challenge, userId: null, now }),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    }).catch(() => null)
    if (verified === null || !verified.verified) return null
    const { newCounter: counter } = verified.authenticationInfo
    await recordPasskeyUse(tx, { credentialId, counter, now })
    const user = { userId: passkey.user_id, email: passkey.email }
    return startSession(tx, { user, how: 'passkey', replacedId, browser, now })
  })
}
