import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { sessionOperations } from '../../session-catalogue.ts'

type Role = 'owner' | 'member' | 'billing' | 'staff' | 'nobody'
const everybody = ['owner', 'member', 'billing', 'staff', 'nobody'] as const

/** Written by hand from contract section 16: the longest path that an operation's begins with counts. */
const rights: Record<string, readonly Role[]> = {
  '/dashboard': ['owner', 'member', 'billing'],
  '/dashboard/account': everybody,
  '/dashboard/security': everybody,
  '/dashboard/explorer': ['owner', 'member'],
  '/dashboard/feeds': ['owner', 'member'],
  '/dashboard/prospect-lists': ['owner', 'member'],
  '/dashboard/exports': ['owner', 'member'],
  '/dashboard/usage': ['owner', 'member', 'billing'],
  '/dashboard/statement': ['owner', 'billing'],
  '/dashboard/keys': ['owner'],
  '/dashboard/members': ['owner'],
  '/dashboard/staff': ['staff'],
}
/** Changes of these need a sign-in of the last 15 minutes. */
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

/** An unknown field is refused with 400, so that no request does anything. */
function send({ method, path }: Operation, person: Person, headers: Record<string, string> = {}) {
  const url = path.replaceAll(/\{\w+\}/g, '1')
  return method === 'GET'
    ? person.read(`${url}?no_such_field=1`)
    : person.post(url, { no_such_field: '1' }, { accept: 'application/json', ...headers })
}

describe.each(sessionOperations.map(each => [each.name, each] as const))('%s', (_, operation) => {
  test('is refused as missing to everybody who has no right to it', async () => {
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

  test('takes no API key, and nothing without a session', async () => {
    const { method, path } = operation
    const url = path.replaceAll(/\{\w+\}/g, '1')
    const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin' }
    for (const key of [{}, { 'x-api-key': customer.key }, { authorization: `Bearer ${customer.key}` }]) {
      const { status, body } = await service.ask(url, { method, headers: { ...headers, ...key } })
      expect([status, body.errors.code]).toEqual([401, 'signed_out'])
    }
  })
})

const posts = sessionOperations.filter(({ method }) => method === 'POST')

test('a form of another site, of a neighbour or of nowhere is refused by every operation', async () => {
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

test('15 minutes after the sign-in every sensitive change asks for another one', async () => {
  lateMs = 16 * 60_000
  for (const operation of posts) {
    const allowed = rights[prefixOf(operation.path)]?.[0] as Role
    const { status, headers } = await send(operation, people[allowed], { accept: 'text/html' })
    const isSensitive = sensitive.some(prefix => operation.path.startsWith(prefix))
    const asks = headers.get('location')?.startsWith('/sign-in?next=%2Fdashboard') ?? false
    expect([operation.name, status, asks]).toEqual([operation.name, isSensitive ? 303 : 400, isSensitive])
  }
})

test('no operation of the dashboard is in a public document', async () => {
  const document = (await service.ask('/openapi.json')).text
  for (const { name, path } of sessionOperations) {
    expect([name, document.includes(`"${path}"`)]).toEqual([name, false])
    expect([name, document.includes(`"operationId":"${name}"`)]).toEqual([name, false])
  }
})
