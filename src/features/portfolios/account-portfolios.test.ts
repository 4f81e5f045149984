import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { authorisation, day, fakeStream, fileOf, syncApproved } from '../../registers/fixture.ts'
import { purgePortfolioFiles } from './index.ts'

let service: TestService
let customer: Customer
let member: Person
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  customer = await service.customer({ credits: 1_000 })
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
})
afterAll(() => service.close())

const path = '/dashboard/portfolios'
const used = async () => (await customer.ask('/v1/account')).body.data.credits_used as number

/** Sends a form with a file, as a browser does. */
async function upload(fields: Record<string, string>, content: string | Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([content]), 'sites.csv')
  const packed = new Response(form)
  return service.ask(path, {
    method: 'POST',
    headers: {
      accept: 'text/html',
      cookie: member.cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': packed.headers.get('content-type') ?? '',
    },
    body: new Uint8Array(await packed.arrayBuffer()),
  })
}

const table = 'Shop;Site\nOne;https://www.luckyotter.example/x\nTwo;redkite-casino.example\nThree;no site\n'

test('an uploaded table becomes a portfolio, and the page names the column that was read', async () => {
  expect((await member.get(path)).text).toContain('No portfolio yet.')
  const { status, text } = await upload({ name: 'merchants' }, table)
  expect(status).toBe(200)
  expect(text).toContain('2 sites: 2 added, 0 removed.')
  expect(text).toContain('<strong>Site</strong>.')
  expect(text).toContain('<option value="2" selected>Site</option>')
  expect(text).toContain('1 row without a site')
  expect((await customer.ask('/v1/portfolios/merchants')).body.data.size).toBe(2)
  expect((await member.get(path)).text).toContain(`href="${path}/merchants"`)
})

test('an upload without sites, without a file or with a wrong name is refused beside its field', async () => {
  const none = await upload({ name: 'merchants' }, 'Shop;Town\nOne;Bern\n')
  expect([none.status, none.text.includes('No column has domains; there are Shop, Town.')]).toEqual([
    400,
    true,
  ])
  expect(none.text).toContain('value="merchants"')
  expect((await upload({ name: 'merchants' }, '')).status).toBe(400)
  const wrong = await upload({ name: 'A.example' }, table)
  expect([wrong.status, wrong.text.includes('id="field-name-problem"')]).toEqual([400, true])
  const torn = { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'same-origin' }
  const headers = { ...torn, accept: 'text/html', cookie: member.cookie }
  expect((await service.ask(path, { method: 'POST', headers, body: 'torn' })).status).toBe(415)
})

test('another column of the stored file can be picked, also by its number', async () => {
  await upload({ name: 'picked' }, 'Site;Mirror\none.example;m.one-mirror.example\ntwo.example;\n')
  expect((await customer.ask('/v1/portfolios/picked')).body.data.size).toBe(2)
  const { status, text } = await member.post(`${path}/picked/column`, { column: '2' })
  expect([status, text.includes('<strong>Mirror</strong>')]).toEqual([200, true])
  expect((await customer.ask('/v1/portfolios/picked')).body.data.size).toBe(1)
  const wrong = await member.post(`${path}/picked/column`, { column: '9' })
  expect([wrong.status, wrong.text.includes('There is no column')]).toEqual([400, true])
})

test('a file is downloaded with verdicts, and without its other columns after 30 days', async () => {
  const now = service.service.now()
  const { database } = service.service.live
  await upload({ name: 'filed' }, '\ufeffShop;Site\n"One; Ltd";www.one.example\nTwo;?\n')
  await sql`
    update portfolio_members set verdict = 'licensed', licensed_in = '{ukgc,mga}', known_at = '2026-11-01'
     where domain = 'one.example' and verdict is null`.execute(database)
  const file = await member.get(`${path}/filed/download`)
  expect(file.headers.get('content-disposition')).toMatch(/filed-\d{4}-\d\d-\d\d\.csv/)
  expect(file.text.split('\r\n')).toEqual([
    '\ufeffShop;Site;Verdict;Licensed in;Blocked in;Known at;Note'.replace('\ufeff', ''),
    '"One; Ltd";www.one.example;licensed;Great Britain, Malta;;2026-11-01T00:00:00.000Z;',
    'Two;?;;;;;not a site',
    '',
  ])
  const stranger = await signIn(service, { accountRef: (await service.customer()).accountRef })
  expect((await stranger.get(`${path}/filed/download`)).status).toBe(404)
  await sql`update portfolio_files set uploaded_at = uploaded_at - interval '29 days'`.execute(database)
  expect(await purgePortfolioFiles(database, now)).toBe(0)
  await sql`update portfolio_files set uploaded_at = uploaded_at - interval '2 days'`.execute(database)
  expect(await purgePortfolioFiles(database, now)).toBeGreaterThan(0)
  const later = (await member.get(`${path}/filed/download`)).text
  expect(later).toContain('Site\tVerdict')
  expect([later.includes('one.example\tlicensed'), later.includes('One; Ltd')]).toEqual([true, false])
  const gone = await member.post(`${path}/filed/column`, { column: '1' })
  expect([gone.status, gone.text.includes('The file was deleted')]).toEqual([400, true])
})

test('a site is added to a portfolio once, and not to one of another account', async () => {
  await upload({ name: 'mine' }, 'one.example\n')
  const fields = { name: 'mine', domain: 'https://new-shop.example/x' }
  for (let times = 0; times < 2; times += 1) {
    const { status, headers } = await member.post('/dashboard/portfolio-sites', fields)
    expect([status, headers.get('location')]).toEqual([303, `${path}/mine`])
  }
  expect((await customer.ask('/v1/portfolios/mine')).body.data.size).toBe(2)
  const stranger = await signIn(service, { accountRef: (await service.customer()).accountRef })
  expect((await stranger.post('/dashboard/portfolio-sites', fields)).status).toBe(404)
})

/** Returns the fields of the button that reads changes, as the page of a person has it. */
async function changesForm(at: string, person = member): Promise<Record<string, string>> {
  const [form = ''] =
    (await person.get(at)).text.match(/<form[^>]*aria-label="What changed".*?<\/form>/s) ?? []
  return Object.fromEntries(
    [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
}

async function read(at: string, fields?: Record<string, string>, person = member) {
  const sent = fields ?? (await changesForm(at, person))
  expect((await person.post(at, sent)).status).toBe(303)
  return (await person.get(at)).text
}

const list = (number: number, ...sites: string[]) =>
  syncApproved(
    service.service.live,
    fakeStream('malta.sites'),
    [fileOf(...['always.example', ...sites].map(site => authorisation(site)))],
    { takenAt: day(number), now: day(number) },
  )

const changedOf = async (at: string) => {
  const { text } = await member.get(`${at}.csv?table=changes`)
  return (parse(text, { columns: true }) as Record<string, string>[]).map(row => row.domain)
}

test('what changed is read since the last look, and shown again free', async () => {
  const at = `${path}/watched`
  await upload({ name: 'watched' }, 'new.example\nluckyotter.example\n')
  expect(await read(at)).toContain('Nothing changed.')
  await list(1)
  await list(2, 'new.example')
  const needs = async () =>
    ((await member.read('/dashboard')).body.data.needs as { kind: string; ref: string }[]).filter(
      ({ kind, ref }) => kind === 'portfolio_changed' && ref === 'watched',
    )
  expect(await needs()).toEqual([{ kind: 'portfolio_changed', count: 1, ref: 'watched' }])
  const before = await used()
  const text = await read(at)
  expect(await needs()).toEqual([])
  expect(text).toContain('new.example')
  expect(text).toContain('for 1 credit')
  expect(await used()).toBe(before + 1)
  const later = await read(at)
  expect(later).toContain('Nothing changed.')
  expect(later).toContain('new.example')
  expect(await changedOf(at)).toEqual(['new.example'])
})

test('changes are charged once, however often their form is sent, and each page stays', async () => {
  const at = `${path}/many`
  const sites = Array.from({ length: 130 }, (_, number) => `site-${number}.example`)
  await upload({ name: 'many' }, sites.join('\n'))
  await read(at)
  await list(3, 'new.example', ...sites)
  const colleague = await signIn(service, { accountRef: customer.accountRef })
  const [first, other] = [await changesForm(at), await changesForm(at, colleague)]
  const before = await used()
  expect(await read(at, first)).toContain('There are more changes')
  for (const person of [member, colleague])
    expect(await read(at, person === member ? first : other, person)).not.toContain('Nothing changed.')
  expect([await used(), (await changedOf(at)).length]).toEqual([before + 100, 100])
  await read(at)
  expect([await used(), (await changedOf(at)).length]).toEqual([before + 130, 130])
  expect(await read(at, first)).toContain('for 30 credits')
  expect(await read(at)).toContain('Nothing changed.')
  expect(await used()).toBe(before + 130)
  expect((await changedOf(at)).toSorted()).toEqual(sites.toSorted())
})

test('changes that were charged without moving the position are not charged again', async () => {
  const at = `${path}/torn`
  await upload({ name: 'torn' }, 'torn.example\n')
  await list(4, 'torn.example')
  const before = await used()
  await read(at)
  await sql`update portfolios set seen_cursor = null where name = 'torn'`.execute(
    service.service.live.database,
  )
  expect(await read(at)).toContain('Nothing changed.')
  expect([await used(), await changedOf(at)]).toEqual([before + 1, ['torn.example']])
})

test('a form with the position of another portfolio buys nothing', async () => {
  const { after = '' } = await changesForm(`${path}/torn`)
  const at = `${path}/own`
  await upload({ name: 'own' }, 'own.example\n')
  await list(5, 'own.example')
  const before = await used()
  for (const wrong of [after, 'nonsense']) {
    const text = await read(at, { ...(await changesForm(at)), after: wrong })
    expect(text).toContain('Read what changed for')
  }
  expect(await used()).toBe(before)
  expect(await read(at)).toContain('own.example')
  expect(await used()).toBe(before + 1)
})

test('a person sets a mail address and a URL, sees the secret once, and ends the messages', async () => {
  const at = `${path}/informed`
  await upload({ name: 'informed' }, 'luckyotter.example\n')
  expect((await member.get(at)).text).toContain('Nobody is informed of changes.')
  const url = 'https://shop.example/hook'
  const set = await member.post(`${at}/notify`, { 'notify.email': member.email, 'notify.url': url })
  expect(set.status).toBe(200)
  expect(set.text).toMatch(/<code>whsec_[\w+/=]+<\/code>/)
  const { notify } = (await customer.ask('/v1/portfolios/informed')).body.data
  expect([notify.email.to, notify.url.to]).toEqual([member.email, url])
  const again = await member.post(`${at}/notify`, { 'notify.url': url })
  expect([again.status, again.text.includes('whsec_')]).toEqual([200, false])
  await sql`update portfolio_notices set last_outcome = '410'`.execute(service.service.live.database)
  const shown = (await member.get(at)).text
  expect(shown).toContain('410')
  expect(shown).not.toContain('whsec_')
  const stranger = await member.post(`${at}/notify`, { 'notify.email': 'stranger@else.example' })
  expect(stranger.status).toBe(422)
  expect(stranger.text).toContain('the address of a member of the account')
  expect((await member.post(`${at}/notify`, { 'notify.url': 'no address' })).status).toBe(422)
  expect((await member.post(`${at}/notify`)).text).toContain('No more messages are sent.')
  expect((await customer.ask('/v1/portfolios/informed')).body.data.notify).toBe(null)
})

test("another account's portfolio is missing, billing sees none, and a deleted one is gone", async () => {
  const stranger = await signIn(service, { accountRef: (await service.customer()).accountRef })
  expect((await stranger.read(`${path}/merchants`)).status).toBe(404)
  const billing = await signIn(service, { accountRef: customer.accountRef, role: 'billing' })
  expect((await billing.get(path)).status).toBe(404)
  const gone = await member.post(`${path}/merchants/delete`)
  expect([gone.status, gone.headers.get('location')]).toEqual([303, path])
  expect((await member.read(`${path}/merchants`)).status).toBe(404)
})
