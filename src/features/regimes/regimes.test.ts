import { fileOfBytes } from '@baize/tables'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectAgent } from '../../../test/harness/agent.ts'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { demoKey } from '../../core/api-key.ts'
import { syncApproved } from '../../registers/fixture.ts'
import { findStream, type Stream } from '../../registers/index.ts'
import { shipRegimes } from './index.ts'

let service: TestService
let customer: Customer
let ada: Person
let bob: Person
const start = new Date('2026-11-01T12:00:00Z')
let lateMs = 0
const secondsMs = 1_000

beforeAll(async () => {
  service = await startService({ world: 'demo', now: () => new Date(start.getTime() + lateMs) })
  customer = await service.customer({ credits: 1_000 })
  ada = await signIn(service, { isStaff: true })
  bob = await signIn(service, { isStaff: true })
  await shipRegimes(live(), start)
  const brands = ['superbet', 'betano', 'lontra', 'carpa', 'pato', 'galo'].map((name, number) => ({
    requirement_number_year: `000${number + 1}/2024`,
    fiscal_name: `Company ${number}`,
    document: `${number}0000000/0001-01`,
    brand: name,
    domain: `${name}.bet.br`,
  }))
  const mirror = fileOfBytes('mirror.json', JSON.stringify(brands))
  const taken = { takenAt: start, now: start }
  await syncApproved(live(), findStream('brazil.brands') as Stream, [mirror], taken)
})
afterAll(() => service.close())

const live = () => service.service.live
const page = '/dashboard/staff/regimes'
const brazil = {
  market: 'brazil',
  vertical: 'all',
  state: 'prohibited',
  from: '2026-09-25',
  source_url: 'https://www.planalto.gov.br/ccivil_03/_ato2023-2026/2026/mpv/mpv1394.htm',
}
const { market: _market, ...member } = brazil

async function regimes(query = '') {
  const { status, body } = await customer.ask(`/v1/regimes${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(declaredData('list_regimes')(body.data)).toBeNull()
  return body.data
}
const resolve = async (domain: string) => (await customer.ask(`/v1/domains/resolve?domain=${domain}`)).body
const staffRows = async () => (await ada.read(page)).body.data.regimes
const waitForCaches = () => {
  lateMs += 5 * secondsMs
}

describe('GET /v1/regimes', () => {
  test('regimes of the program have a source, and loading them again changes nothing', async () => {
    await shipRegimes(live(), service.service.now())
    expect(await regimes()).toMatchObject({
      regimes: [{ ...brazil, to: null, note: expect.stringContaining('Lotteries'), known_to: null }],
      as_of: start.toISOString(),
    })
  })

  test('as_of lists the regimes in force on a day, or at a time', async () => {
    const on = async (day: string) => {
      const data = await regimes(`?market=brazil&as_of=${encodeURIComponent(day)}`)
      return [data.regimes.length, data.as_of]
    }
    expect(await on('2026-09-24')).toEqual([0, '2026-09-24T23:59:59.999Z'])
    expect(await on('2026-09-25')).toEqual([1, '2026-09-25T23:59:59.999Z'])
    expect(await on('2026-09-24T23:30:00-03:00')).toEqual([1, '2026-09-25T02:30:00.000Z'])
    expect(await on('2026-11-01')).toEqual([1, start.toISOString()])
    expect((await regimes('?market=peru&as_of=2026-10-01')).regimes).toEqual([])
  })

  test('known_after lists the regimes that were published after a time', async () => {
    expect((await regimes('?known_after=2026-11-01T11:59:59Z')).regimes).toHaveLength(1)
    expect((await regimes('?known_after=2026-11-01T12:00:01Z')).regimes).toEqual([])
  })

  test.each([
    'as_of=2026-02-30',
    'as_of=soon',
    'as_of=2026-10-01T10:00',
    'known_after=2026-10-01',
    'market=atlantis',
  ])('GET /v1/regimes refuses a wrong parameter: %s', async query => {
    const { status, body } = await customer.ask(`/v1/regimes?${query}`)
    const [parameter] = query.split('=')
    expect([status, body.errors.code, body.errors.details.parameter]).toEqual([
      400,
      'invalid_parameter',
      parameter,
    ])
  })

  test('GET /v1/regimes refuses unknown parameters, needs a key and is free', async () => {
    const unknown = await customer.ask('/v1/regimes?vertical=all')
    expect([unknown.status, unknown.body.errors.code]).toEqual([400, 'unknown_parameter'])
    expect((await service.ask('/v1/regimes')).status).toBe(401)
    expect((await customer.ask('/v1/account')).body.data.credits_used).toBe(0)
  })

  test('the demo key lists regimes; the demo world has none', async () => {
    const { status, body } = await service.ask('/v1/regimes', { key: demoKey })
    expect([status, body.data.regimes]).toEqual([200, []])
  })
})

describe('answers about a market where gambling is prohibited', () => {
  test('a verdict of a licensed site adds that its market prohibits gambling, at no extra cost', async () => {
    const { data, message } = await resolve('superbet.bet.br')
    expect(message).toBe('OK. Brazil: prohibited since 2026-09-25.')
    expect(data).toMatchObject({
      verdict: 'licensed',
      licensed_by: [{ geo: 'brazil', regime: member, license_number: expect.anything() }],
      credits_charged: 1,
    })
    expect(declaredData('resolve_domain')(data)).toBeNull()
    expect((await resolve('unknown.example')).message).toBe('OK')
  })

  test('a batch, a domain search, an agent and a page show the regime of the market', async () => {
    const domains = ['superbet.bet.br', 'unknown.example']
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const batch = await customer.ask('/v1/domains/resolve', { ...sent, body: JSON.stringify({ domains }) })
    expect(batch.body.message).toBe('OK')
    expect(batch.body.data.verdicts[0].licensed_by[0].regime).toEqual(member)
    expect(declaredData('resolve_domains')(batch.body.data)).toBeNull()

    const search = await customer.ask('/v1/domains/search?verdict=licensed&geo=brazil')
    expect(search.body.data.domains.length).toBeGreaterThan(6)
    for (const { licensed_by } of search.body.data.domains) expect(licensed_by[0].regime).toEqual(member)
    expect(declaredData('search_domains')(search.body.data)).toBeNull()

    const agent = await connectAgent(service, { key: customer.key, era: 'modern' })
    const { data } = await agent.call('check_domain', { domain: 'superbet.bet.br' })
    expect(data.licensed_by).toMatchObject([{ geo: 'brazil', regime: member }])
    await agent.close()

    const owner = await signIn(service, { accountRef: customer.accountRef })
    const nonce =
      (await owner.get('/dashboard/domains/superbet.bet.br')).text.match(
        /name="nonce" value="([^"]+)"/,
      )?.[1] ?? ''
    const shown = await owner.post('/dashboard/domains/superbet.bet.br', {
      max_credits: '1',
      nonce,
    })
    const answer = shown.status === 303 ? await owner.get(shown.headers.get('location') ?? '') : shown
    expect(answer.text).toContain('prohibited</span>')
  })

  test('coverage and the page of a market show its regimes', async () => {
    const { data } = (await customer.ask('/v1/coverage')).body
    expect(declaredData('get_coverage')(data)).toBeNull()
    const withRegimes = data.markets.filter((each: { regimes: unknown[] }) => each.regimes.length > 0)
    expect(withRegimes).toMatchObject([{ market: 'brazil', regimes: [brazil] }])
    const { text } = await service.ask('/coverage/brazil', { headers: { accept: 'text/html' } })
    expect(text).toContain('What the law allows')
    expect(text).toContain(brazil.source_url)
  })
})

const peru = {
  market: 'peru',
  vertical: 'all',
  state: 'suspended',
  from: '2026-10-10',
  source_url: 'https://www.gob.pe/norma/1',
  note: 'Until the register is checked.',
  reason: 'Decree of 10 October',
}

async function propose(fields: Record<string, string>, by = ada): Promise<string> {
  const before = new Set((await staffRows()).map((each: { regime_ref: string }) => each.regime_ref))
  const { status, text } = await by.post(page, fields)
  expect(status, text).toBe(303)
  const added = (await staffRows()).filter((each: { regime_ref: string }) => !before.has(each.regime_ref))
  expect(added).toHaveLength(1)
  return added[0].regime_ref
}

const decide = (by: Person, ref: string, verb: string, fields: Record<string, string> = {}) =>
  by.post(`${page}/${ref}/${verb}`, fields)

describe('regimes on the page of staff', () => {
  let ref: string

  test('a proposed regime is not public, and the person who entered it cannot approve it', async () => {
    ref = await propose(peru)
    waitForCaches()
    expect((await regimes('?market=peru')).regimes).toEqual([])
    expect((await resolve('superbet.bet.br')).data.licensed_by[0].regime).toEqual(member)
    const refused = await decide(ada, ref, 'approve')
    expect([refused.status, refused.text.includes('Another person of staff must approve it.')]).toEqual([
      400,
      true,
    ])
    expect((await ada.get(page)).text).not.toContain(`${ref}/approve`)
    expect((await bob.get(page)).text).toContain(`${ref}/approve`)
  })

  test('a regime that a second person approves is public within 5 seconds, naming nobody', async () => {
    const { text: before } = await customer.ask('/v1/domains/search?verdict=licensed')
    expect((await decide(bob, ref, 'approve')).status).toBe(303)
    waitForCaches()
    const published = await regimes('?market=peru')
    const { reason: _reason, ...stated } = peru
    expect(published.regimes).toEqual([
      { ...stated, regime_ref: ref, to: null, known_from: expect.any(String), known_to: null },
    ])
    const answers = [JSON.stringify(published), before, (await customer.ask('/v1/coverage')).text]
    for (const text of answers) for (const { email } of [ada, bob]) expect(text).not.toContain(email)
    for (const text of answers) expect(text).not.toContain(peru.reason)
    const events = (await ada.read('/dashboard/staff/audit')).body.data.events
    const own = events.filter((each: { subject: string }) => each.subject === ref)
    expect(own.map((each: { email: string; action: string }) => [each.email, each.action])).toEqual([
      [bob.email, 'regime.approved'],
      [ada.email, 'regime.entered'],
    ])
  })

  test('a regime that shares days with a published regime cannot be approved', async () => {
    const other = await propose({ ...peru, state: 'open', from: '2027-01-01' })
    const refused = await decide(bob, other, 'approve')
    expect([refused.status, refused.text.includes(`${ref} has days of the same market`)]).toEqual([400, true])
    expect((await decide(bob, other, 'withdraw')).status).toBe(303)
    expect((await decide(bob, other, 'approve')).status).toBe(400)
    expect((await regimes('?market=peru')).regimes).toHaveLength(1)
  })

  test('the end of a regime closes its row and publishes another, and both times stay known', async () => {
    const known = service.service.now().toISOString()
    lateMs += secondsMs
    expect((await decide(ada, ref, 'end', { on: '2026-10-20', reason: 'Repealed' })).status).toBe(303)
    const end = (await staffRows()).find((each: { ends: string }) => each.ends === ref)
    expect((await regimes('?market=peru')).regimes).toMatchObject([{ regime_ref: ref, to: null }])
    expect((await decide(ada, end.regime_ref, 'approve')).status).toBe(400)
    expect((await decide(bob, end.regime_ref, 'approve')).status).toBe(303)
    expect((await regimes('?market=peru')).regimes).toMatchObject([
      { regime_ref: end.regime_ref, to: '2026-10-20' },
    ])
    expect((await regimes('?market=peru&as_of=2026-10-20')).regimes).toHaveLength(1)
    expect((await regimes('?market=peru&as_of=2026-10-21')).regimes).toEqual([])
    const changed = (await regimes(`?market=peru&known_after=${known}`)).regimes
    const closedAt = service.service.now().toISOString()
    expect(changed).toMatchObject([
      { regime_ref: ref, to: null, known_to: closedAt },
      { regime_ref: end.regime_ref, to: '2026-10-20', known_from: closedAt, known_to: null },
    ])
  })

  test('a regime that ends before its first day is withdrawn', async () => {
    const wrong = await propose({ ...peru, market: 'uruguay', from: '2026-10-01' })
    await decide(bob, wrong, 'approve')
    await decide(bob, wrong, 'end', { on: '2026-09-30', reason: 'It was a draft' })
    const end = (await staffRows()).find((each: { ends: string }) => each.ends === wrong)
    expect((await decide(ada, end.regime_ref, 'approve')).status).toBe(303)
    expect((await regimes('?market=uruguay')).regimes).toEqual([])
    const [closed, ...others] = (await regimes('?market=uruguay&known_after=2026-01-01T00:00:00Z')).regimes
    expect([closed.regime_ref, closed.known_to !== null, others]).toEqual([wrong, true, []])
  })

  test('a regime of one vertical is listed, and no verdict shows it', async () => {
    const casino = await propose({ ...peru, market: 'brazil', vertical: 'casino', state: 'monopoly' })
    await decide(bob, casino, 'approve')
    waitForCaches()
    expect((await regimes('?market=brazil')).regimes).toHaveLength(2)
    expect((await resolve('superbet.bet.br')).data.licensed_by[0].regime).toEqual(member)
  })

  test('a regime that staff end is in no verdict, and the next start does not restore it', async () => {
    const [shipped] = (await regimes('?market=brazil&as_of=2026-09-25')).regimes
    await decide(ada, shipped.regime_ref, 'end', { on: '2026-10-31', reason: 'Lapsed' })
    const end = (await staffRows()).find((each: { ends: string }) => each.ends === shipped.regime_ref)
    await decide(bob, end.regime_ref, 'approve')
    await shipRegimes(live(), service.service.now())
    waitForCaches()
    const { data, message } = await resolve('superbet.bet.br')
    expect([message, data.licensed_by[0].regime]).toEqual(['OK', undefined])
    expect(
      (await regimes('?market=brazil&as_of=2026-10-31')).regimes.map((each: { to: string }) => each.to),
    ).toContain('2026-10-31')
  })

  test.each([
    ['to', { to: '2026-10-09' }],
    ['source_url', { source_url: 'javascript:alert(1)' }],
    ['from', { from: '2026-02-30' }],
    ['market', { market: 'atlantis' }],
    ['reason', { reason: '  ' }],
    ['note', { note: 'x'.repeat(301) }],
  ])('a form of a regime with a wrong field is shown again: %s', async (field, wrong) => {
    const count = (await staffRows()).length
    const { status, text } = await ada.post(page, { ...peru, market: 'uganda', ...wrong })
    expect([status, text.includes(`id="dashboard-staff-regimes-${field}-problem"`)]).toEqual([400, true])
    expect(await staffRows()).toHaveLength(count)
  })

  test('a regime that does not exist is not found', async () => {
    expect((await decide(bob, 'reg_none', 'approve')).status).toBe(404)
  })

  test('a release can correct a regime that an earlier release shipped', async () => {
    const first = { ...peru, market: 'uganda', state: 'open', to: null } as const
    const { reason: _reason, ...entry } = first
    const shipped = [{ ...entry, vertical: 'all' as const }]
    await shipRegimes(live(), service.service.now(), shipped)
    lateMs += secondsMs
    await shipRegimes(live(), service.service.now(), [
      { ...(shipped[0] as (typeof shipped)[0]), note: 'Corrected' },
    ])
    expect((await regimes('?market=uganda')).regimes).toMatchObject([{ note: 'Corrected' }])
    expect((await regimes('?market=uganda&known_after=2026-01-01T00:00:00Z')).regimes).toHaveLength(2)
  })
})
