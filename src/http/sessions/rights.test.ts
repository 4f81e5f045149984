import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { createQueue } from '../../features/enrichments/fixture.ts'
import { findUser } from '../../features/members/index.ts'
import { createProspectList } from '../../features/prospect-lists/index.ts'
import { reportRenderer } from '../../features/renderers/index.ts'
import { sessionOperations } from '../../session-catalogue.ts'

type Role = 'owner' | 'member' | 'billing' | 'staff' | 'nobody'
const everybody = ['owner', 'member', 'billing', 'staff', 'nobody'] as const

/** Repeats contract section 16 by hand. The longest path with which an operation's begins counts. */
const rights: Record<string, readonly Role[]> = {
  '/dashboard': ['owner', 'member', 'billing'],
  '/dashboard/account': everybody,
  '/dashboard/security': everybody,
  '/dashboard/search': ['owner', 'member'],
  '/dashboard/domains': ['owner', 'member'],
  '/dashboard/companies': ['owner', 'member'],
  '/dashboard/licenses': ['owner', 'member'],
  '/dashboard/markets': ['owner', 'member'],
  '/dashboard/look-ups': ['owner', 'member'],
  '/dashboard/checks': ['owner', 'member'],
  '/dashboard/feeds': ['owner', 'member'],
  '/dashboard/dossier': ['owner', 'member'],
  '/dashboard/portfolios': ['owner', 'member'],
  '/dashboard/portfolio-sites': ['owner', 'member'],
  '/dashboard/saved': ['owner', 'member'],
  '/dashboard/lobbies': ['owner', 'member'],
  '/dashboard/prospect-lists': ['owner', 'member'],
  '/dashboard/exports': ['owner', 'member'],
  '/dashboard/usage': ['owner', 'member', 'billing'],
  '/dashboard/statement': ['owner', 'billing'],
  '/dashboard/keys': ['owner'],
  '/dashboard/members': ['owner'],
  '/dashboard/staff': ['staff'],
}
/** Changes below these paths need a sign-in of the last 15 minutes. */
const sensitive = [
  '/dashboard/keys',
  '/dashboard/members',
  '/dashboard/security/passkeys',
  '/dashboard/staff',
]

const prefixOf = (path: string) =>
  Object.keys(rights)
    .filter(prefix => path.startsWith(prefix))
    .toSorted((a, b) => b.length - a.length)[0] as string

let service: TestService
let customer: Customer
let people: Record<Role, Person>
let lateMs = 0

beforeAll(async () => {
  service = await startService({ now: () => new Date(Date.now() + lateMs) })
  await createQueue(service)
  customer = await service.customer()
  const { accountRef } = customer
  people = {
    owner: await signIn(service, { accountRef, role: 'owner' }),
    member: await signIn(service, { accountRef, role: 'member' }),
    billing: await signIn(service, { accountRef, role: 'billing' }),
    staff: await signIn(service, { isStaff: true }),
    nobody: await signIn(service, {}),
  }
})
beforeEach(() => {
  lateMs = 0
})
afterAll(() => service.close())

type Operation = (typeof sessionOperations)[number]

/** Sends an unknown field, which is refused with 400, so that no request changes anything. */
function send({ method, path }: Operation, person: Person, headers: Record<string, string> = {}) {
  const url = path.replaceAll(/\{\w+\}/g, '1')
  return method === 'GET'
    ? person.read(`${url}?no_such_field=1`)
    : person.post(url, { no_such_field: '1' }, { accept: 'application/json', ...headers })
}

describe.each(sessionOperations.map(each => [each.name, each] as const))(
  'the rights of %s',
  (_, operation) => {
    test('an operation of the dashboard answers 404 to every role that may not use it', async () => {
      const statuses: Partial<Record<Role, number>> = {}
      const codes = new Set<string>()
      for (const role of everybody) {
        const { status, body } = await send(operation, people[role])
        statuses[role] = status
        if (status === 404) codes.add(body.errors.code)
      }
      const allowed = rights[prefixOf(operation.path)] as readonly Role[]
      const expected = everybody.map(role => [role, allowed.includes(role) ? 400 : 404])
      expect(statuses).toEqual(Object.fromEntries(expected))
      expect([...codes].every(code => code === 'route_not_found')).toBe(true)
    })

    test('an operation of the dashboard accepts no API key, and no request without a session', async () => {
      const { method, path } = operation
      const url = path.replaceAll(/\{\w+\}/g, '1')
      const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin' }
      for (const key of [{}, { 'x-api-key': customer.key }, { authorization: `Bearer ${customer.key}` }]) {
        const { status, body } = await service.ask(url, { method, headers: { ...headers, ...key } })
        expect([status, body.errors.code]).toEqual([401, 'signed_out'])
      }
    })
  },
)

const posts = sessionOperations.filter(({ method }) => method === 'POST')

test('the dashboard refuses forms of another site, of a sibling host, and without an origin', async () => {
  for (const operation of posts) {
    const allowed = rights[prefixOf(operation.path)]?.[0] as Role
    for (const site of ['cross-site', 'same-site', 'none']) {
      const { status, body } = await send(operation, people[allowed], { 'sec-fetch-site': site })
      expect([operation.name, site, status, body.errors.code]).toEqual([
        operation.name,
        site,
        403,
        'forged_request',
      ])
    }
  }
})

test('every sensitive change requires another sign-in 15 minutes after the last one', async () => {
  lateMs = 16 * 60_000
  for (const operation of posts) {
    const allowed = rights[prefixOf(operation.path)]?.[0] as Role
    const { status, headers } = await send(operation, people[allowed], { accept: 'text/html' })
    const isSensitive = sensitive.some(prefix => operation.path.startsWith(prefix))
    const asks = headers.get('location')?.startsWith('/sign-in?next=%2Fdashboard') ?? false
    expect([operation.name, status, asks]).toEqual([operation.name, isSensitive ? 303 : 400, isSensitive])
  }
})

/** The name of an object that another account's owner made, and a name that does not exist. */
type Named = { theirs: string; missing: string }
type Stranger = { customer: Customer; owner: Person }
type Make = (stranger: Stranger) => Promise<Named>

const firstOf = async (owner: Person, path: string, list: string, name: string) =>
  (await owner.read(path)).body.data[list].find((each: { is_this?: boolean }) => each.is_this !== true)[name]

/**
 * Makes objects by the path before the parameter. Each operation with a parameter needs one, except those
 * of staff.
 */
const objects: Record<string, Make> = {
  '/dashboard/keys/': async ({ owner }) => ({
    theirs: await firstOf(owner, '/dashboard/keys', 'keys', 'key_ref'),
    missing: 'key_none',
  }),
  '/dashboard/usage/': async ({ customer: { ask }, owner }) => {
    await ask('/v1/account')
    await service.service.usage.flush()
    const theirs = await firstOf(owner, '/dashboard/usage', 'records', 'id')
    return { theirs, missing: Buffer.from('1 9999999999999999').toString('base64url') }
  },
  '/dashboard/prospect-lists/': async ({ customer: { accountRef } }) => {
    const request = { cadence: 'one_time', now: new Date() } as const
    const list = await createProspectList(service.service.live, accountRef, request)
    return { theirs: list.prospect_list_ref, missing: 'pl_00000000000000000000' }
  },
  '/dashboard/portfolios/': async ({ customer: { ask } }) => {
    await ask('/v1/portfolios/theirs', { ...jsonBody({ domains: ['otter.com'] }), method: 'PUT' })
    return { theirs: 'theirs', missing: 'missing' }
  },
  '/dashboard/saved/': async ({ customer: { accountRef }, owner }) => {
    const address = '/dashboard/companies?country=MT'
    await owner.post('/dashboard/saved', { name: 'Maltese', address })
    const { database } = service.service.live
    const { id } = await database
      .selectFrom('saved_pages')
      .innerJoin('accounts', 'accounts.id', 'saved_pages.account_id')
      .where('account_ref', '=', accountRef)
      .select('saved_pages.id')
      .executeTakeFirstOrThrow()
    return { theirs: String(id), missing: '999999' }
  },
  '/dashboard/lobbies/': async ({ customer: { ask } }) => {
    const counts = { renders: 0, failed: 0, killed: 0, processes: 0, last_failure: null }
    const renderer = { worker: 'test', state: 'on', reason: null, message: null, ...counts } as const
    await reportRenderer(service.service.live.database, renderer, service.service.now())
    const { body } = await ask('/v1/lobby-runs', jsonBody({ domain: 'otter.com' }))
    return { theirs: body.data.lobby_run_ref, missing: 'lr_11111111111111111111' }
  },
  '/dashboard/exports/': async ({ customer: { ask } }) => {
    const body = { filters: { jurisdiction: 'mga' }, export_format: 'json', max_credits: 100 }
    const { body: created } = await ask('/v1/exports', jsonBody(body))
    return { theirs: String(created.data.export_id), missing: '999999' }
  },
  '/dashboard/checks/': async ({ customer: { ask } }) => {
    const { body } = await ask('/v1/enrichments', jsonBody({ domain: 'otter.com', max_credits: 10 }))
    return { theirs: body.data.enrichment_id, missing: 'enr_11111111111111111111' }
  },
  '/dashboard/members/': async ({ customer: { accountRef } }) => {
    const { email } = await signIn(service, { accountRef, role: 'member' })
    const user = await findUser(service.service.live.database, email)
    return { theirs: user?.user_ref ?? '', missing: 'usr_00000000000000000000' }
  },
  '/dashboard/security/passkeys/': async ({ owner }) => {
    const { database } = service.service.live
    const user = await findUser(database, owner.email)
    const credentialId = randomBytes(16)
    await database
      .insertInto('passkeys')
      .values({
        ...{ credential_id: credentialId, user_id: user?.id ?? 0, public_key: randomBytes(32), counter: 0 },
        ...{ transports: [], name: 'Laptop', created_at: new Date() },
      })
      .execute()
    return { theirs: credentialId.toString('base64url'), missing: 'AAAA' }
  },
  '/dashboard/security/sessions/': async ({ owner }) => {
    await signIn(service, { email: owner.email })
    const theirs = await firstOf(owner, '/dashboard/security', 'sessions', 'session')
    return { theirs, missing: '0'.repeat(64) }
  },
}
const jsonBody = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
/** Fields without which a form is refused before its object is looked up. */
const forms: Record<string, Record<string, string>> = {
  change_role: { role: 'billing' },
  rotate_key: { nonce: randomUUID() },
  screen_portfolio: { version: '1', max_credits: '1', nonce: randomUUID() },
  read_portfolio: { max_credits: '1', nonce: randomUUID() },
}
/** This operation answers 404 until the file is written, to its own account, too. */
const isFile = ({ name }: Operation) => name === 'download_account_export'

/** Sites, Companies, licenses and markets belong to no account. What was bought of them does. */
const isPublic = ({ path }: Operation) => /^\/dashboard\/(domains|companies|licenses|markets)\//.test(path)

const named = sessionOperations.filter(
  each => each.path.includes('{') && each.access !== 'staff' && !isPublic(each),
)

describe('an object of another account', () => {
  test.each(named.map(each => [each.name, each] as const))(
    '%s answers another account’s object as missing',
    async (_, operation) => {
      const { name, method, path } = operation
      const make = objects[path.slice(0, path.indexOf('{'))]
      if (make === undefined) throw new Error(`Add an object for ${path} to the table "objects".`)
      const other = await service.customer()
      const owner = await signIn(service, { accountRef: other.accountRef })
      const { theirs, missing } = await make({ customer: other, owner })
      const ask = (person: Person, object: string) => {
        const url = path.replace(/\{\w+\}/, object)
        return method === 'GET'
          ? person.read(url)
          : person.post(url, forms[name] ?? {}, { accept: 'application/json' })
      }
      const [hidden, none] = [await ask(people.owner, theirs), await ask(people.owner, missing)]
      const { timestamp: _one, ...ofHidden } = hidden.body
      const { timestamp: _other, ...ofNone } = none.body
      const withoutName = (body: object, object: string) => JSON.stringify(body).replaceAll(object, 'X')
      expect([hidden.status, withoutName(ofHidden, theirs)]).toEqual([404, withoutName(ofNone, missing)])
      expect(none.status).toBe(404)
      if (!isFile(operation)) expect((await ask(owner, theirs)).status).not.toBe(404)
    },
  )
})

test('no operation of the dashboard is in a public document', async () => {
  const document = (await service.ask('/openapi.json')).text
  for (const { name, path } of sessionOperations) {
    expect([name, document.includes(`"${path}"`)]).toEqual([name, false])
    expect([name, document.includes(`"operationId":"${name}"`)]).toEqual([name, false])
  }
})
