import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'

let service: TestService
let customer: Customer
let member: Person

beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  customer = await service.customer({ credits: 500 })
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
})
afterAll(() => service.close())

const used = async () => (await customer.ask('/v1/account')).body.data.credits_used as number
const nonceOf = (page: string) => page.match(/name="nonce" value="([^"]+)"/)?.[1] as string
const priceOf = (page: string) => page.match(/name="max_credits" value="(\d+)"/)?.[1] as string

/** Presses the button of the address, and returns the page to which it leads. */
async function buyAt(address: string) {
  const page = (await member.get(address)).text
  const [path, query] = address.split('?') as [string, string]
  const filters = Object.fromEntries(new URLSearchParams(query))
  const fields = { ...filters, nonce: nonceOf(page), max_credits: priceOf(page) }
  const { status, headers } = await member.post(path, fields)
  expect([address, status]).toEqual([address, 303])
  return { ...(await member.get(headers.get('location') as string)), price: Number(fields.max_credits) }
}

describe('the search of every page', () => {
  const search = async (q: string) => (await member.get(`/dashboard/search?q=${encodeURIComponent(q)}`)).text

  test('the box is on every page of the dashboard, and searching is free', async () => {
    const before = await used()
    for (const path of ['', '/usage', '/feeds', '/companies'])
      expect((await member.get(`/dashboard${path}`)).text).toContain('role="search"')
    for (const q of [
      'o',
      'otter',
      'Lucky Otter',
      '099101-R-339101',
      'luckyotter.example',
      'great',
      '%',
      '   ',
    ])
      expect(await search(q)).toContain('id="found"')
    expect(await used()).toBe(before)
  })

  test('a site leads to its page, and a market too', async () => {
    expect(await search('https://www.luckyotter.example/slots')).toContain(
      'href="/dashboard/domains/luckyotter.example"',
    )
    expect(await search('great')).toContain('href="/dashboard/markets/ukgc"')
  })

  test('names are masked until they are bought', async () => {
    const masked = await search('Lucky Otter')
    expect(masked).toContain('Ot***')
    expect(masked).not.toContain('Ottermoor')
    expect(masked).not.toMatch(/co_[0-9A-Za-z]{20}/)
    expect(masked).toContain('Show the Company called “Lucky Otter” for 3 credits')
    const nonce = nonceOf(masked)
    const fields = { identifier: 'name', q: 'Lucky Otter', max_credits: '3', nonce }
    expect((await member.post('/dashboard/look-ups/company', fields)).status).toBe(303)
    const known = await search('ottermoor')
    expect(known).toMatch(/href="\/dashboard\/companies\/co_[0-9A-Za-z]{20}">Ottermoor Gaming</)
  })

  test('a license number shows its masked row and the price', async () => {
    const text = await search('099101-R-339101-004')
    expect(text).toContain('Show the license 099101-R-339101-004 for 3 credits')
    expect(text).toContain('Great Britain')
  })

  test('several Companies of one name are shown free of charge', async () => {
    const text = await search('Cloudberry')
    expect(text).toContain('2 Companies have this name')
    expect(text.match(/href="\/dashboard\/companies\/co_/g)).toHaveLength(2)
  })

  test('htmx gets the results alone', async () => {
    const { text } = await service.ask('/dashboard/search?q=otter', {
      headers: { accept: 'text/html', cookie: member.cookie, 'hx-request': 'true', 'hx-target': 'div#found' },
    })
    expect(text).toMatch(/^<div id="found"/)
  })

  test('the 61st search of a minute asks to wait', async () => {
    const busy = await service.customer()
    const person = await signIn(service, { accountRef: busy.accountRef })
    for (let nth = 1; nth <= 60; nth++) await person.get(`/dashboard/search?q=o${nth}`)
    expect((await person.get('/dashboard/search?q=otter')).text).toContain('Go on in a minute')
    expect(await search('otter')).not.toContain('Go on in a minute')
  })
})

describe('the search pages', () => {
  test('Companies are previewed free with counts by filter, then bought at their price', async () => {
    const before = await used()
    const address = '/dashboard/companies?role=operator&jurisdiction=ukgc'
    const free = (await member.get(address)).text
    expect(free).toContain('aria-label="Counts by filter"')
    expect(free).toContain('***')
    expect(free).not.toMatch(/co_[0-9A-Za-z]{20}/)
    expect(await used()).toBe(before)
    const { text, price } = await buyAt(address)
    expect(await used()).toBe(before + price)
    expect(text.match(/href="\/dashboard\/companies\/co_/g)?.length).toBe(price)
    await member.get(address)
    expect(await used()).toBe(before + price)
  })

  test('bought Companies are a file at the address of the search, and others are not', async () => {
    const file = (await member.get('/dashboard/companies.csv?role=operator&jurisdiction=ukgc')).text
    expect(file).toContain('company_name,company_ref')
    expect(file).toContain('co_')
    expect((await member.get('/dashboard/companies.csv?role=operator')).text).not.toContain('co_')
  })

  test('a search by platform shows no count before it is bought', async () => {
    const address = '/dashboard/companies?platform=Copperbeam'
    const free = (await member.get(address)).text
    expect(free).toContain('Show up to 20 for at most 20 credits')
    expect(free).not.toContain('***')
    const before = await used()
    const { text } = await buyAt(address)
    const rows = text.match(/href="\/dashboard\/companies\/co_/g)?.length ?? 0
    expect(rows).toBeGreaterThan(0)
    expect(await used()).toBe(before + rows)
  })

  test('licenses are previewed free, then bought at their price', async () => {
    const before = await used()
    const { text, price } = await buyAt('/dashboard/licenses?jurisdiction=ukgc&license_status=active')
    expect(await used()).toBe(before + price)
    expect(text.match(/href="\/dashboard\/licenses\/lic_/g)?.length).toBe(price)
  })

  test('sites of a verdict are counted free, then bought at their price', async () => {
    const before = await used()
    const start = (await member.get('/dashboard/domains')).text
    expect(start).toMatch(/href="\/dashboard\/domains\?verdict=licensed">licensed\s+<small>\d+</)
    expect(await used()).toBe(before)
    const { text, price } = await buyAt('/dashboard/domains?verdict=licensed&geo=ukgc')
    expect(await used()).toBe(before + price)
    expect(text).toContain('✓ licensed')
  })

  test('a search page offers a prospect list of its filters', async () => {
    const { text } = await member.get('/dashboard/companies?role=operator')
    const [, address] = text.match(/href="(\/dashboard\/prospect-lists\?request=[^"]+)"/) ?? []
    const form = (await member.get(address?.replaceAll('&amp;', '&') as string)).text
    expect(form).toContain('Companies with Role: operator.')
    expect(form).toContain('<details class="card" open>')
  })

  test('a refused search keeps its filters', async () => {
    const fields = {
      role: 'operator',
      max_credits: '0',
      nonce: nonceOf((await member.get('/dashboard/companies')).text),
    }
    const { status, text } = await member.post('/dashboard/companies', fields)
    expect(status).toBe(402)
    expect(text).toContain('name="role" value="operator"')
  })
})
