/** Lists, adds and removes the passkeys and sessions of the signed-in person. */
import type { RegistrationResponseJSON, VerifiedRegistrationResponse } from '@simplewebauthn/server'
import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { recordAuditEvent } from '../audit/index.ts'
import {
  type AnswerOf,
  defineSessionOperation,
  type SessionContext,
  wrongField,
} from '../session-operation.ts'
import { endOtherSessions, endSession, readSessions } from '../sessions/index.ts'
import {
  deletePasskey,
  insertChallenge,
  insertPasskey,
  readPasskeys,
  takeChallenge,
} from './passkey-store.ts'
import { passkeysWork, readAnswer, relyingPartyOf } from './relying-party.ts'

const passkeysMax = 20
/** The COSE numbers of ES256, EdDSA and RS256, of which every device has one. */
const algorithms = [-7, -8, -257] as const

const passkeyId = Type.String({ maxLength: 1_400, description: 'The credential id, in base64url.' })

const showSecurity = defineSessionOperation({
  name: 'show_security',
  method: 'GET',
  path: '/dashboard/security',
  access: 'signed-in',
  summary: 'The passkeys and sessions of the person',
  failures: [],
  async answer({ world: { database }, session, baseUrl, now }) {
    const [passkeys, sessions] = await Promise.all([
      readPasskeys(database, session.userId),
      readSessions(database, session.userId, now),
    ])
    return {
      email: session.email,
      // Is false without a host name with https, or localhost, which passkeys need.
      passkeys_work: passkeysWork(baseUrl),
      passkeys: passkeys.map(({ credential_id, name, created_at, last_used_at }) => ({
        id: credential_id.toString('base64url'),
        name,
        created_at: created_at.toISOString(),
        last_used_at: last_used_at?.toISOString() ?? null,
      })),
      sessions: sessions.map(({ session_sha256, browser, created_at, last_used_at }) => ({
        // This hash identifies the session in the path that ends it. Nobody can sign in with it.
        session: session_sha256.toString('hex'),
        browser,
        started_at: created_at.toISOString(),
        last_used_at: last_used_at.toISOString(),
        is_this: session_sha256.equals(session.sha256),
      })),
    }
  },
})

export type Security = AnswerOf<typeof showSecurity>

const offerPasskey = defineSessionOperation({
  name: 'offer_passkey',
  method: 'POST',
  path: '/dashboard/security/passkeys/offer',
  access: 'signed-in',
  stepUp: true,
  summary: 'What a browser needs to make a passkey',
  failures: ['invalid_parameter'],
  async answer({ world: { database }, session, baseUrl, now }) {
    const party = requireParty(baseUrl)
    const known = await readPasskeys(database, session.userId)
    if (known.length >= passkeysMax)
      throw refused(`You have ${passkeysMax} passkeys already; delete one first.`)
    const { generateRegistrationOptions } = await import('@simplewebauthn/server')
    const options = await generateRegistrationOptions({
      rpName: party.name,
      rpID: party.id,
      userName: session.email,
      userID: new TextEncoder().encode(session.userRef),
      attestationType: 'none',
      supportedAlgorithmIDs: [...algorithms],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id.toString('base64url') })),
    })
    await insertChallenge(database, { challenge: options.challenge, userId: session.userId, now })
    return { options }
  },
})

const addPasskey = defineSessionOperation({
  name: 'add_passkey',
  method: 'POST',
  path: '/dashboard/security/passkeys',
  access: 'signed-in',
  stepUp: true,
  summary: 'Register a passkey',
  form: closedObject({ name: Type.String({ minLength: 1, maxLength: 100 }), response: Type.String() }),
  failures: ['invalid_parameter'],
  async answer(context, { name, response }) {
    const credential = await verifiedCredential(context, response)
    const { session, now } = context
    const credentialId = Buffer.from(credential.id, 'base64url')
    await context.world.database.transaction().execute(async tx => {
      const isNew = await insertPasskey(tx, {
        credentialId,
        userId: session.userId,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        name,
        now,
      })
      if (!isNew) throw refused('This passkey is registered already.')
      await recordAuditEvent(tx, session, { action: 'passkey.added', subject: name, accountId: null, now })
    })
    return { id: credential.id }
  },
})

type Credential = NonNullable<VerifiedRegistrationResponse['registrationInfo']>['credential']

async function verifiedCredential(
  { world: { database }, session, baseUrl, now }: SessionContext,
  sent: string,
): Promise<Credential> {
  const party = requireParty(baseUrl)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const response = readAnswer<RegistrationResponseJSON>(sent)
  const verified =
    response === null
      ? null
      : await verifyRegistrationResponse({
          response,
          expectedChallenge: challenge => takeChallenge(database, { challenge, userId: session.userId, now }),
          expectedOrigin: party.origin,
          expectedRPID: party.id,
          requireUserVerification: true,
          supportedAlgorithmIDs: [...algorithms],
        }).catch(() => null)
  if (verified?.registrationInfo === undefined)
    throw refused('The passkey was not accepted. Try again within 5 minutes.')
  return verified.registrationInfo.credential
}

const deleteOwnPasskey = defineSessionOperation({
  name: 'delete_passkey',
  method: 'POST',
  path: '/dashboard/security/passkeys/{id}/delete',
  access: 'signed-in',
  stepUp: true,
  summary: 'Delete a passkey',
  params: closedObject({ id: passkeyId }),
  failures: ['route_not_found'],
  async answer({ world, session, now }, { id }) {
    const credentialId = Buffer.from(id, 'base64url')
    await world.database.transaction().execute(async tx => {
      const name = await deletePasskey(tx, { userId: session.userId, credentialId })
      if (name === null) throw new Failure('route_not_found')
      await recordAuditEvent(tx, session, { action: 'passkey.deleted', subject: name, accountId: null, now })
    })
    return { id }
  },
})

const endSessions = defineSessionOperation({
  name: 'end_other_sessions',
  method: 'POST',
  path: '/dashboard/security/sessions/end',
  access: 'signed-in',
  summary: 'Sign out everywhere else',
  failures: [],
  answer: async ({ world, session, now }) => ({
    ended: await world.database.transaction().execute(async tx => {
      const ended = await endOtherSessions(tx, session)
      await recordAuditEvent(tx, session, {
        action: 'session.ended_elsewhere',
        subject: null,
        accountId: null,
        details: { ended },
        now,
      })
      return ended
    }),
  }),
})

const endOneSession = defineSessionOperation({
  name: 'end_session',
  method: 'POST',
  path: '/dashboard/security/sessions/{session}/end',
  access: 'signed-in',
  summary: 'Sign out one session of the person',
  params: closedObject({ session: Type.String({ maxLength: 64 }) }),
  failures: ['route_not_found'],
  async answer({ world, session, now }, { session: name }) {
    const { userId } = session
    await world.database.transaction().execute(async tx => {
      if (!(await endSession(tx, { userId, sha256: Buffer.from(name, 'hex') })))
        throw new Failure('route_not_found')
      await recordAuditEvent(tx, session, {
        action: 'session.ended_elsewhere',
        subject: null,
        accountId: null,
        details: { ended: 1 },
        now,
      })
    })
    return { ended: 1 }
  },
})

function requireParty(baseUrl: string) {
  const party = relyingPartyOf(baseUrl)
  if (party === null) throw refused('Passkeys need an address with https and a host name, or localhost.')
  return party
}

const refused = (message: string) => wrongField('response', message)

export const passkeyOperations = [
  showSecurity,
  offerPasskey,
  addPasskey,
  deleteOwnPasskey,
  endSessions,
  endOneSession,
]
